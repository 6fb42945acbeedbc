// SPDX-License-Identifier: MIT
// From the configuration to this rank's part: opens a partition, or makes one from the dataset.
#pragma once

#include <filesystem>
#include <string>

#include "comm/communicator.hpp"
#include "graph/support/timing.hpp"
#include "partition/part.hpp"
#include "partition/partition_graph.hpp"
#include "trainer/config.hpp"

namespace weft::trainer {

struct LoadedPart {
  partition::Part part;
  std::string partition_path;
  std::string note;  ///< what was made or reused, for people; on rank 0
};

/// The partitioner's options for `num_parts` parts.
[[nodiscard]] partition::PartitionOptions partition_options(const RunConfig& config, int num_parts);

/// Opens part `rank` of the configured partition. Without `partition.path`, rank 0 looks for a
/// partition with these options in the dataset folder and makes it if it is not there (in
/// `fallback_folder` where the dataset folder cannot be written), after it has held the dataset
/// against its checksums.
///
/// Errors   InputError on all ranks: parts and ranks differ in number, parts of different datasets
///          or partitions, a partition that is not the dataset's
/// Collective
[[nodiscard]] LoadedPart load_part(comm::Communicator& communicator,
                                   const RunConfig& config,
                                   const std::filesystem::path& fallback_folder,
                                   const ProgressCallback& progress = {});

/// The whole dataset as one part.
[[nodiscard]] partition::Part load_whole(const std::filesystem::path& dataset_path);

}  // namespace weft::trainer
