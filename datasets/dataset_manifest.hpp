// SPDX-License-Identifier: MIT
// `dataset.json`: what the arrays of a dataset folder are, and their checksums.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "datasets/dataset.hpp"

namespace weft::datasets {

/// The version of the dataset folder that this program writes and reads.
inline constexpr int dataset_format_version = 1;

/// The content of `dataset.json`.
struct DatasetManifest {
  std::string name;
  std::int64_t num_vertices = 0;
  std::int64_t num_edges = 0;
  bool directed = true;
  Task task = Task::none;
  int num_classes = 0;
  std::int64_t num_features = 0;
  std::vector<std::string> split_names;
  std::vector<std::string> class_names;
  std::string provenance;
  std::map<std::string, std::uint64_t> checksums;  ///< file name -> checksum of its bytes

  [[nodiscard]] bool has(const std::string& file) const { return checksums.count(file) != 0; }
  /// One number for all files: equal exactly where every file is.
  [[nodiscard]] std::uint64_t fingerprint() const;
};

/// Reads `path`. Errors   InputError that names the key: not JSON, absent, wrong type, a format
/// version that is not ours, a count below zero
[[nodiscard]] DatasetManifest read_manifest(const std::filesystem::path& path);

/// Writes `path` atomically, keys in a fixed order.
void write_manifest(const DatasetManifest& manifest, const std::filesystem::path& path);

}  // namespace weft::datasets
