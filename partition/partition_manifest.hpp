// SPDX-License-Identifier: MIT
// `partition.json` and `part.json`, to and from structs. Each holds all of PartitionInfo, so that
// a part's folder is enough for its rank.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "partition/part.hpp"
#include "partition/quality.hpp"
#include "partition/vertex_order.hpp"

namespace weft::partition {

/// The version of the partition folder that this program writes and reads.
inline constexpr int partition_format_version = 1;

/// File name -> checksum of the file's bytes.
using Checksums = std::map<std::string, std::uint64_t>;

/// What partition.json says of how a partition came about and how good it is; for people.
struct PartitionRecord {
  std::string partitioner;  ///< library and version, empty for Weft's own methods
  Quality quality;
  PartitionTimes times;
  OrderChoice order;  ///< of the vertices inside each part; its places are not written
  std::int64_t peak_rss_bytes = 0;
};

/// The content of `part.json` beside PartitionInfo.
struct PartManifest {
  PartitionInfo info;
  int part = 0;
  LocalId num_interior = 0;
  LocalId num_boundary = 0;
  LocalId num_halo = 0;
  std::int64_t num_edges = 0;
  std::int64_t num_feature_columns = 0;
  std::vector<HaloPeer> peers;
  Checksums checksums;
};

/// Writes `partition.json` into `folder`.
void write_partition_manifest(const std::filesystem::path& folder,
                              const PartitionInfo& info,
                              const PartitionRecord& record,
                              const Checksums& checksums);

/// Reads what all parts have in common from a `partition.json` or a `part.json`.
/// Errors   InputError that names file and key: absent, not JSON, wrong type, another format
///          version, a count below 0
[[nodiscard]] PartitionInfo read_info(const std::filesystem::path& path);

/// The checksums that the file lists. Errors as `read_info`.
[[nodiscard]] Checksums read_checksums(const std::filesystem::path& path);

/// Writes and reads `part.json`. Errors as `read_info`; peers that do not tile the halo.
void write_part_manifest(const std::filesystem::path& folder, const PartManifest& manifest);
[[nodiscard]] PartManifest read_part_manifest(const std::filesystem::path& path);

}  // namespace weft::partition
