// SPDX-License-Identifier: MIT
// Rank 0 finds or makes the partition; then every rank opens its own part and nothing else.
#include "trainer/load_part.hpp"

#include <span>
#include <vector>

#include "comm/plan_check.hpp"
#include "datasets/dataset_folder.hpp"
#include "graph/normalization.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "partition/build_part.hpp"
#include "partition/partition_dataset.hpp"
#include "partition/partition_folder.hpp"

namespace weft::trainer {

partition::PartitionOptions partition_options(const RunConfig& config, int num_parts) {
  partition::PartitionOptions options;
  options.num_parts = num_parts;
  options.method = config.partition.method;
  options.objective = config.partition.objective;
  options.seed = config.partition.seed;
  options.owner_file = config.partition.owner_file;
  options.split = config.dataset.split;
  return options;
}

namespace {

/// Rank 0's part of the work: the partition's path, and a note on where it came from.
void find_partition(const RunConfig& config,
                    int num_parts,
                    const std::filesystem::path& fallback_folder,
                    const ProgressCallback& progress,
                    LoadedPart& loaded) {
  const partition::PartitionOptions options = partition_options(config, num_parts);
  datasets::Dataset dataset = datasets::open_dataset(config.dataset.path);
  if (!partition::has_partition(config.dataset.path, dataset, options, fallback_folder)) {
    // METIS and the part builder check nothing, so what they read is checked first.
    report_progress(progress, "checking the dataset", 0);
    dataset = datasets::open_dataset(config.dataset.path, true);
  }
  const partition::PartitionOutcome outcome =
      partition::ensure_partition(config.dataset.path, dataset, options, fallback_folder, progress);
  loaded.partition_path = outcome.folder.string();
  loaded.note = partition::explain(outcome);
  for (const std::string& warning : outcome.warnings)
    loaded.note += text("\n  ", warning);
}

/// "1 rank", "3 ranks".
std::string counted(int count, const char* word) {
  return text(count, ' ', word, count == 1 ? "" : "s");
}

/// Under the launcher of another MPI library every process believes to be alone.
std::string launcher_hint(int num_ranks) {
  if (num_ranks != 1) return {};
  return "; if mpiexec did start it, launcher and MPI library may differ";
}

void check_parts(const partition::PartitionInfo& info, const std::string& path, int num_ranks) {
  if (info.num_parts == num_ranks) return;
  throw InputError(text("partition: ", path, " has ", counted(info.num_parts, "part"),
                        ", the job has ", counted(num_ranks, "rank"), "; start it with mpiexec -n ",
                        info.num_parts, ", or make a partition of ", counted(num_ranks, "part"),
                        launcher_hint(num_ranks)));
}

/// Parts that lie on the disks of their hosts may stem from different imports or partitions.
/// Collective
void check_same_partition(comm::Communicator& communicator, const LoadedPart& loaded) {
  const partition::PartitionInfo& info = loaded.part.info;
  std::int64_t num_owned = loaded.part.num_owned();
  const bool is_same = communicator.is_same_on_all_ranks(info.fingerprint);
  const bool is_same_fingerprint = communicator.is_same_on_all_ranks(info.dataset_fingerprint);
  const bool is_same_count =
      communicator.is_same_on_all_ranks(static_cast<std::uint64_t>(info.num_vertices));
  const bool is_same_dataset = is_same_fingerprint && is_same_count;
  communicator.all_reduce_sum(std::span<std::int64_t>(&num_owned, 1));
  if (is_same && is_same_dataset && num_owned == info.num_vertices) return;
  throw comm::AgreedInputError(
      text("partition: ", loaded.partition_path, ": the ranks' parts are of different ",
           is_same_dataset ? "partitions" : "datasets", " (", num_owned, " of ", info.num_vertices,
           " vertices); copy the parts of one partition to all hosts"));
}

}  // namespace

LoadedPart load_part(comm::Communicator& communicator,
                     const RunConfig& config,
                     const std::filesystem::path& fallback_folder,
                     const ProgressCallback& progress) {
  LoadedPart loaded;
  const int num_ranks = communicator.size();
  comm::agree_on_errors(communicator, [&] {
    const int num_parts = config.partition.parts == 0 ? num_ranks : config.partition.parts;
    if (num_parts != num_ranks) {
      throw InputError(text("config: partition.parts = ", num_parts, ", the job has ",
                            counted(num_ranks, "rank"), "; start it with mpiexec -n ", num_parts,
                            ", or leave partition.parts out", launcher_hint(num_ranks)));
    }
    loaded.partition_path = config.partition.path;
    if (loaded.partition_path.empty() && communicator.rank() == 0) {
      find_partition(config, num_ranks, fallback_folder, progress, loaded);
    }
  });
  if (config.partition.path.empty()) communicator.broadcast_text(loaded.partition_path);
  comm::agree_on_errors(communicator, [&] {
    check_parts(partition::read_partition_info(loaded.partition_path, communicator.rank()),
                loaded.partition_path, num_ranks);
    loaded.part = partition::open_part(loaded.partition_path, communicator.rank());
    // Ids and class names come from the dataset: the parts must be parts of it.
    if (communicator.rank() != 0 || config.dataset.path.empty()) return;
    partition::check_dataset(loaded.part.info, datasets::open_dataset(config.dataset.path),
                             loaded.partition_path);
  });
  check_same_partition(communicator, loaded);
  comm::check_plans(communicator, loaded.part.plan, loaded.part.num_owned());
  comm::check_borders(communicator, loaded.part.plan, loaded.part.global_ids);
  return loaded;
}

partition::Part load_whole(const std::filesystem::path& dataset_path) {
  const datasets::Dataset dataset = datasets::open_dataset(dataset_path, true);
  partition::PartitionInfo info;
  info.num_parts = 1;
  info.num_vertices = dataset.num_vertices;
  info.num_edges = dataset.graph.num_edges();
  info.task = dataset.task;
  info.num_classes = dataset.num_classes;
  info.directed = dataset.directed;
  info.split_names = dataset.split_names;
  info.dataset_fingerprint = dataset.fingerprint;
  info.dataset_name = dataset.name;
  const std::vector<std::int32_t> owner(static_cast<std::size_t>(dataset.num_vertices), 0);
  const graph::Degrees degrees = graph::compute_degrees(dataset.graph);
  return partition::build_part(dataset, degrees, owner, info, 0);
}

}  // namespace weft::trainer
