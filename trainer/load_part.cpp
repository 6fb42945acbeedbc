// SPDX-License-Identifier: MIT
// Rank 0 finds or makes the partition; then every rank opens its own part and nothing else.
#include "trainer/load_part.hpp"

#include <span>
#include <vector>

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
  const datasets::Dataset dataset = datasets::open_dataset(config.dataset.path);
  const partition::PartitionOutcome outcome =
      partition::ensure_partition(config.dataset.path, dataset,
                                  partition_options(config, num_parts), fallback_folder, progress);
  loaded.partition_path = outcome.folder.string();
  loaded.note = partition::explain(outcome);
  for (const std::string& warning : outcome.warnings)
    loaded.note += text("\n  ", warning);
}

/// Gives every rank rank 0's text. Collective
void share(comm::Communicator& communicator, std::string& shared) {
  std::int64_t size = static_cast<std::int64_t>(shared.size());
  communicator.broadcast(std::as_writable_bytes(std::span<std::int64_t>(&size, 1)));
  shared.resize(static_cast<std::size_t>(size));
  communicator.broadcast(std::as_writable_bytes(std::span<char>(shared)));
}

void check_parts(const partition::PartitionInfo& info, const std::string& path, int num_ranks) {
  if (info.num_parts == num_ranks) return;
  throw InputError(text("partition: ", path, " has ", info.num_parts, " parts, the job has ",
                        num_ranks, " ranks; start it with mpiexec -n ", info.num_parts,
                        ", or make a partition of ", num_ranks, " parts"));
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
      throw InputError(text("config: partition.parts = ", num_parts, ", the job has ", num_ranks,
                            " ranks; start it with mpiexec -n ", num_parts,
                            ", or leave partition.parts out"));
    }
    loaded.partition_path = config.partition.path;
    if (loaded.partition_path.empty() && communicator.rank() == 0) {
      find_partition(config, num_ranks, fallback_folder, progress, loaded);
    }
  });
  if (config.partition.path.empty()) share(communicator, loaded.partition_path);
  comm::agree_on_errors(communicator, [&] {
    check_parts(partition::read_partition_info(loaded.partition_path, communicator.rank()),
                loaded.partition_path, num_ranks);
    loaded.part = partition::open_part(loaded.partition_path, communicator.rank());
  });
  return loaded;
}

partition::Part load_whole(const std::filesystem::path& dataset_path) {
  const datasets::Dataset dataset = datasets::open_dataset(dataset_path);
  partition::PartitionInfo info;
  info.num_parts = 1;
  info.num_vertices = dataset.num_vertices;
  info.num_edges = dataset.graph.num_edges();
  info.task = dataset.task;
  info.num_classes = dataset.num_classes;
  info.directed = dataset.directed;
  info.split_names = dataset.split_names;
  info.dataset_fingerprint = dataset.fingerprint;
  const std::vector<std::int32_t> owner(static_cast<std::size_t>(dataset.num_vertices), 0);
  const graph::Degrees degrees = graph::compute_degrees(dataset.graph);
  return partition::build_part(dataset, degrees, owner, info, 0);
}

}  // namespace weft::trainer
