// SPDX-License-Identifier: MIT
// Everything but metrics.jsonl is written whole or not at all; that one grows by whole lines.
#include "trainer/run_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>

#include "graph/support/checksum.hpp"
#include "graph/support/error.hpp"
#include "graph/support/files.hpp"
#include "graph/support/text.hpp"
#include "graph/support/types.hpp"
#include "trainer/config_io.hpp"

namespace weft::trainer {

namespace fs = std::filesystem;

namespace {

/// True of an absent or empty folder, and of one that holds partitions and nothing else.
bool is_free(const fs::path& path) {
  if (!fs::exists(path)) return true;
  if (!fs::is_directory(path)) return false;
  return std::all_of(
      fs::directory_iterator(path), fs::directory_iterator(),
      [](const fs::directory_entry& entry) { return fs::exists(entry.path() / "partition.json"); });
}

}  // namespace

void RunFolder::check(ExistingRun existing) const {
  const bool exists = !is_free(path_);
  if (existing == ExistingRun::resume && !fs::exists(last())) {
    throw InputError(text("train: ", path_.string(),
                          " holds no checkpoint to resume from (checkpoints/last.safetensors): the "
                          "run was stopped before its first one; start it again with --overwrite"));
  }
  if (!exists || existing == ExistingRun::resume) return;
  if (existing == ExistingRun::refuse) {
    throw InputError(text("train: the run folder ", path_.string(),
                          " exists; choose another with --out, go on with --resume, or replace it "
                          "with --overwrite"));
  }
  if (!fs::exists(config()) || !fs::exists(facts())) {
    throw InputError(text("train: ", path_.string(),
                          " is no run folder (no config.toml and run.json), so --overwrite leaves "
                          "it alone; choose another with --out"));
  }
}

/// Held by the file system, so it is gone with the process, however that ends.
struct RunFolder::Lock {
  explicit Lock(const fs::path& folder)
      : path(folder / ".lock"),
        descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (descriptor < 0 || ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
      return;
    ::close(descriptor);
    throw InputError(text("train: another run is writing to ", folder.string(),
                          "; wait for it, or choose another folder with --out"));
  }
  // The file stays: to remove it would let a third run lock another file of the same name.
  ~Lock() {
    if (descriptor >= 0) ::close(descriptor);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

  fs::path path;
  int descriptor;
};

void RunFolder::lock() {
  if (lock_ != nullptr) return;
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) {
    throw InputError(text("train: cannot make the run folder ", path_.string(), ": ",
                          error.message(), "; choose another with --out"));
  }
  lock_ = std::make_shared<Lock>(path_);
}

void RunFolder::create(ExistingRun existing) {
  lock();
  // Another run may have come and gone since `check`.
  if (existing == ExistingRun::refuse && fs::exists(facts())) check(existing);
  if (existing == ExistingRun::resume) {
    // What tells of the end of a run would be taken for the end of this one.
    for (const char* name : {"summary.json", "report.html", "timeline.json"})
      fs::remove(path_ / name);
  }
  if (existing == ExistingRun::overwrite) {
    fs::remove_all(path_ / "checkpoints");
    for (const char* name :
         {"config.toml", "run.json", "metrics.jsonl", "summary.json", "report.html",
          "timeline.json", "predictions.npy", "predictions.csv", "embeddings.npy"}) {
      fs::remove(path_ / name);
    }
  }
  fs::create_directories(path_ / "checkpoints");
}

void RunFolder::describe(const RunConfig& config, const RunFacts& facts_of_run) const {
  write_file_atomically(this->config(), effective_toml(config));
  nlohmann::ordered_json json;
  json["weft_version"] = WEFT_VERSION;
  json["compiler"] = WEFT_COMPILER;
  json["numbers"] = sizeof(Real) == sizeof(float) ? "float" : "double";
  json["mpi_library"] = facts_of_run.mpi_library;
  json["device"] = "cpu";
  json["hosts"] = facts_of_run.hosts;
  json["threads_per_rank"] = facts_of_run.threads_per_rank;
  json["seed"] = facts_of_run.seed;
  json["dataset_fingerprint"] = checksum_text(facts_of_run.dataset_fingerprint);
  json["partition_fingerprint"] = checksum_text(facts_of_run.partition_fingerprint);
  json["partition_path"] = facts_of_run.partition_path;
  write_file_atomically(facts(), json.dump(2) + "\n");
}

void RunFolder::append_metrics(const std::string& line) const {
  std::ofstream out(metrics(), std::ios::app | std::ios::binary);
  out << line << '\n' << std::flush;
  if (!out) {
    throw RuntimeError(text("train: cannot write ", metrics().string(), "; is the disk full?"));
  }
}

void RunFolder::cut_metrics(int epoch) const {
  std::ifstream in(metrics(), std::ios::binary);
  std::string kept;
  for (std::string line; std::getline(in, line);) {
    const std::optional<EpochReport> report = parse_metrics_line(line);
    if (report.has_value() && report->epoch <= epoch) kept += line + '\n';
  }
  write_file_atomically(metrics(), kept);
}

std::vector<EpochReport> RunFolder::read_metrics(int epoch) const {
  std::ifstream in(metrics(), std::ios::binary);
  std::vector<EpochReport> reports;
  for (std::string line; std::getline(in, line);) {
    const std::optional<EpochReport> report = parse_metrics_line(line);
    if (report.has_value() && report->epoch <= epoch) reports.push_back(*report);
  }
  return reports;
}

}  // namespace weft::trainer
