// SPDX-License-Identifier: MIT
// Files may hold the columns of a row in any order and more than once; the dataset does not.
#include "datasets/sparse_rows.hpp"

#include <algorithm>
#include <utility>

namespace weft::datasets {

std::int64_t sort_and_merge(SparseRows& rows) {
  std::vector<std::pair<std::int32_t, float>> row;
  std::size_t written = 0;
  std::size_t begin = 0;
  for (std::size_t r = 0; r + 1 < rows.row_ptr.size(); ++r) {
    const auto end = static_cast<std::size_t>(rows.row_ptr[r + 1]);
    row.clear();
    for (std::size_t i = begin; i < end; ++i)
      row.emplace_back(rows.col_idx[i], rows.values[i]);
    begin = end;
    const auto by_column = [](const auto& a, const auto& b) { return a.first < b.first; };
    if (!std::is_sorted(row.begin(), row.end(), by_column)) {
      std::stable_sort(row.begin(), row.end(), by_column);
    }
    const std::size_t row_begin = written;
    for (const auto& [column, value] : row) {
      if (written > row_begin && rows.col_idx[written - 1] == column) {
        rows.values[written - 1] += value;
        continue;
      }
      rows.col_idx[written] = column;
      rows.values[written++] = value;
    }
    rows.row_ptr[r + 1] = static_cast<std::int64_t>(written);
  }
  const auto merged = static_cast<std::int64_t>(rows.col_idx.size() - written);
  rows.col_idx.resize(written);
  rows.values.resize(written);
  return merged;
}

}  // namespace weft::datasets
