// SPDX-License-Identifier: MIT
// Writes a partition folder: whole or not at all.
#pragma once

#include <filesystem>

#include "graph/support/timing.hpp"
#include "partition/build_part.hpp"
#include "partition/partition_manifest.hpp"

namespace weft::partition {

/// Writes the parts that `builder` builds, one after another, with owner.npy and partition.json.
///
/// Cost     one part in memory at a time
/// Errors   InputError if `folder` exists and is not empty
void write_partition(PartBuilder& builder,
                     const PartitionRecord& record,
                     const std::filesystem::path& folder,
                     const ProgressCallback& progress = {});

/// Writes one part into `folder`, which must exist; `open_part(folder, part.part)` reads it.
void write_part(const Part& part, const std::filesystem::path& folder);

}  // namespace weft::partition
