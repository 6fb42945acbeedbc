// SPDX-License-Identifier: MIT
// The partition folder: `partition.json`, `owner.npy` and one folder a part.
//
//   partition.json              method, parts, seed, quality, fingerprints
//   owner.npy                   int32 [num_vertices]
//   part-00000/part.json        counts, peers, checksums, and what all parts have in common
//   part-00000/*.npy            row_ptr, col_idx, edge_weight, global_ids, halo_owner, in_degree,
//                               has_loop, send_rows, features*, labels, splits
//
// A part folder alone is enough for its rank.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "partition/part.hpp"

namespace weft::partition {

/// Opens one part and nothing else. `pattern` is a partition folder, or a part's own folder. It
/// may hold `{rank}`, which becomes the part's number, plain (3) or as in folder names (00003):
/// then no shared file system is needed. Features and labels are mapped, the rest is copied; every
/// file is held against its checksum.
///
/// Errors   InputError that names a missing part with rank and host, a format version, a shape, a
///          checksum
[[nodiscard]] Part open_part(const std::string& pattern, int part);

/// Reads `partition.json` (or `part.json` of part `part` where that is what the pattern leads to).
[[nodiscard]] PartitionInfo read_partition_info(const std::string& pattern, int part = 0);

/// Reads `owner.npy` of a partition folder: who owns which vertex.
/// Errors   InputError: absent, shape, checksum
[[nodiscard]] std::vector<std::int32_t> read_owner(const std::filesystem::path& folder);

/// The folder of part `part` in `folder`: part-00003.
[[nodiscard]] std::filesystem::path part_folder(const std::filesystem::path& folder, int part);

/// Throws InputError that says so in words if `info` was made for another dataset. `where` names
/// the partition.
void check_dataset(const PartitionInfo& info,
                   const datasets::Dataset& dataset,
                   const std::string& where);

}  // namespace weft::partition
