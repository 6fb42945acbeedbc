// SPDX-License-Identifier: MIT
// The run folder: what a training run leaves behind, and how a later command finds it.
//
//   config.toml         the effective settings; can be run again
//   run.json            versions, hosts, threads, seed, fingerprints
//   metrics.jsonl       a line an epoch
//   summary.json        the result
//   report.html         the same for people, with curves
//   timeline.json       what each rank did when, on request
//   checkpoints/        best.safetensors, last.safetensors
//   predictions.*, embeddings.npy   on request
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "trainer/config.hpp"
#include "trainer/report.hpp"

namespace weft::trainer {

enum class ExistingRun { refuse, overwrite, resume };

/// Facts for run.json.
struct RunFacts {
  std::vector<std::string> hosts;  ///< of each rank
  int threads_per_rank = 1;
  std::uint64_t seed = 1;
  std::uint64_t dataset_fingerprint = 0;
  std::uint64_t partition_fingerprint = 0;
  std::string partition_path;
  std::string mpi_library;
};

class RunFolder {
 public:
  explicit RunFolder(std::filesystem::path path) : path_(std::move(path)) {}

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path config() const { return path_ / "config.toml"; }
  [[nodiscard]] std::filesystem::path facts() const { return path_ / "run.json"; }
  [[nodiscard]] std::filesystem::path metrics() const { return path_ / "metrics.jsonl"; }
  [[nodiscard]] std::filesystem::path summary() const { return path_ / "summary.json"; }
  [[nodiscard]] std::filesystem::path report() const { return path_ / "report.html"; }
  [[nodiscard]] std::filesystem::path timeline() const { return path_ / "timeline.json"; }
  [[nodiscard]] std::filesystem::path best() const {
    return path_ / "checkpoints" / "best.safetensors";
  }
  [[nodiscard]] std::filesystem::path last() const {
    return path_ / "checkpoints" / "last.safetensors";
  }

  /// Throws InputError if the folder is in the way: it exists and neither `resume` nor `overwrite`
  /// was asked for, it is to be resumed and holds no checkpoint, or it is no run folder at all
  /// (that is never overwritten). Partitions alone, which a run that failed early left, are not in
  /// the way.
  void check(ExistingRun existing) const;
  /// Keeps other runs out of the folder, which is made if it is not there; once is enough.
  /// Errors   InputError if another run is writing there
  void lock();
  /// Locks and fills the folder, after removing what an overwritten run left in it (of a resumed
  /// one its summary and report, which tell of an end), and keeps others out of it for as long as
  /// this object or a copy of it lives. Errors   InputError if another run is writing there
  void create(ExistingRun existing);
  /// Writes config.toml and run.json.
  void describe(const RunConfig& config, const RunFacts& facts) const;
  /// Adds a line to metrics.jsonl and flushes it.
  void append_metrics(const std::string& line) const;
  /// Drops the lines of metrics.jsonl that follow epoch `epoch`: a resumed run writes them anew.
  void cut_metrics(int epoch) const;
  /// The reports in metrics.jsonl up to epoch `epoch`, in order.
  [[nodiscard]] std::vector<EpochReport> read_metrics(int epoch) const;

 private:
  struct Lock;
  std::filesystem::path path_;
  std::shared_ptr<const Lock> lock_;
};

}  // namespace weft::trainer
