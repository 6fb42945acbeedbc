// SPDX-License-Identifier: MIT
// The whole way from a dataset to a partition folder: owners, quality, parts, files. `weft
// partition` asks for it, and `weft train` where no partition for its ranks exists yet.
//
// Nothing is ever overwritten: a folder with the same request and dataset is used as it is, any
// other content at the same place is an error.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "graph/support/timing.hpp"
#include "partition/partition_manifest.hpp"
#include "partition/quality.hpp"

namespace weft::partition {

/// The options as command-line text, every choice spelled out: equal text = equal owners. Of an
/// owner file the checksum counts, not the name.
[[nodiscard]] std::string request_text(const PartitionOptions& options,
                                       const datasets::Dataset& dataset);

/// A folder name from the options: metis-k4-s1, random-k8-s7, metis-k4-s1-volume. Options that
/// differ from the defaults beyond recognition are told apart by eight digits of a checksum.
[[nodiscard]] std::string partition_name(const PartitionOptions& options,
                                         const datasets::Dataset& dataset);

/// DATASET/partitions/NAME.
[[nodiscard]] std::filesystem::path default_partition_folder(
    const std::filesystem::path& dataset_folder,
    const PartitionOptions& options,
    const datasets::Dataset& dataset);

/// Bytes that partitioning is expected to hold at its peak: the mapped dataset, METIS's scratch or
/// that of Weft's own methods, and the largest part while it is written.
[[nodiscard]] std::int64_t estimated_peak_bytes(const datasets::Dataset& dataset,
                                                const PartitionOptions& options);

/// What was made, or found.
struct PartitionOutcome {
  std::filesystem::path folder;
  PartitionInfo info;
  bool reused = false;  ///< an identical one was there; nothing below is filled
  PartitionRecord record;
  double quality_seconds = 0;
  double build_seconds = 0;  ///< of the parts
  double write_seconds = 0;  ///< of the files alone
  std::vector<std::string> warnings;
};

/// Partitions `dataset` into `folder`.
///
/// Cost     as `partition_graph`, plus O(num_edges) and the files
/// Errors   those of `partition_graph`; InputError if `folder` holds something else; RuntimeError
///          with the estimate where memory runs out. Where another job made the same partition
///          meanwhile, that one is used.
[[nodiscard]] PartitionOutcome partition_dataset(const datasets::Dataset& dataset,
                                                 const PartitionOptions& options,
                                                 const std::filesystem::path& folder,
                                                 const ProgressCallback& progress = {});

/// True if the partition that training would use is there, in the dataset folder or else in
/// `fallback_folder`.
[[nodiscard]] bool has_partition(const std::filesystem::path& dataset_folder,
                                 const datasets::Dataset& dataset,
                                 const PartitionOptions& options,
                                 const std::filesystem::path& fallback_folder);

/// The partition that training uses where none is named: in `dataset_folder`, or, if that cannot
/// be written to, in `fallback_folder`. One that is there already, in either, is used.
/// Returns the outcome; `explain` puts it in words.
[[nodiscard]] PartitionOutcome ensure_partition(const std::filesystem::path& dataset_folder,
                                                const datasets::Dataset& dataset,
                                                const PartitionOptions& options,
                                                const std::filesystem::path& fallback_folder,
                                                const ProgressCallback& progress = {});

/// "made a partition of 4 parts in cora/partitions/metis-k4-s1 (12.3 ms)" or "uses the partition
/// ...".
[[nodiscard]] std::string explain(const PartitionOutcome& outcome);

}  // namespace weft::partition
