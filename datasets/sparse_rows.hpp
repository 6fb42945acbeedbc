// SPDX-License-Identifier: MIT
// Sparse feature rows in memory, as readers build them.
#pragma once

#include <cstdint>
#include <vector>

namespace weft::datasets {

/// Shapes   row_ptr [rows + 1], col_idx and values [entries]
struct SparseRows {
  std::int64_t num_columns = 0;
  std::vector<std::int64_t> row_ptr;
  std::vector<std::int32_t> col_idx;
  std::vector<float> values;
};

/// Sorts the columns of every row and adds up the values of a repeated column. Returns the number
/// of entries that went into others.
std::int64_t sort_and_merge(SparseRows& rows);

}  // namespace weft::datasets
