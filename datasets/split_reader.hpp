// SPDX-License-Identifier: MIT
// Reads which vertices train, validate and test: one column for each split.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "datasets/vertex_count.hpp"

namespace weft::datasets {

struct SplitInput {
  std::int64_t num_rows = 0;
  std::vector<std::string> names;  ///< [splits]
  std::vector<std::int8_t> codes;  ///< [splits x num_rows], codes of SplitRole
};

/// Reads text, a code (0 train, 1 validation, 2 test, -1 none, or these words) for each split on a
/// line for each vertex, or an integer `.npy` [splits x N] or [N].
///
/// Names of splits come from a comment line "split: NAME" or "columns: NAME NAME ..."; without
/// them they are "split", or "split0", "split1", ...
/// Errors   InputError at the line or row: another code, a wrong number of columns or rows, a split
///          without a training vertex, a name twice
[[nodiscard]] SplitInput read_splits(const std::filesystem::path& path,
                                     const std::optional<VertexCount>& expected,
                                     std::int64_t max_decompressed_bytes);

}  // namespace weft::datasets
