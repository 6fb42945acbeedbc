// SPDX-License-Identifier: MIT
// Sparse matrices in compressed rows: a SparseMatrix owns, a SparseView borrows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/support/types.hpp"
#include "kernels/context.hpp"

namespace weft::kernels {

/// Shapes   row_ptr [num_rows + 1], col_idx [nonzeros] each in 0..num_columns-1,
///          values [nonzeros] or empty (then every value is 1), row_end [num_rows] or empty
///
/// Row r has the entries row_ptr[r] .. row_ptr[r + 1] - 1; where row_end is given, only the first
/// of them, row_ptr[r] .. row_end[r] - 1: a part of a matrix without a copy of it.
struct SparseView {
  std::int64_t num_rows = 0;
  std::int64_t num_columns = 0;
  std::span<const EdgeOffset> row_ptr;
  std::span<const LocalId> col_idx;
  std::span<const Real> values = {};
  std::span<const EdgeOffset> row_end = {};

  /// One past the last entry of row r.
  [[nodiscard]] EdgeOffset row_end_of(std::int64_t r) const {
    const auto row = static_cast<std::size_t>(r);
    return row_end.empty() ? row_ptr[row + 1] : row_end[row];
  }
  /// Entries of the arrays, in rows or behind the ends of rows.
  [[nodiscard]] EdgeOffset num_nonzeros() const { return static_cast<EdgeOffset>(col_idx.size()); }
};

struct SparseMatrix {
  std::int64_t num_rows = 0;
  std::int64_t num_columns = 0;
  std::vector<EdgeOffset> row_ptr{0};
  std::vector<LocalId> col_idx;
  std::vector<Real> values;

  [[nodiscard]] SparseView view() const {
    return {num_rows, num_columns, row_ptr, col_idx, values, {}};
  }
};

/// The explicit transpose; entries of a row keep the order in which they are met, rows rising.
/// `source_entry`, where given, receives for each entry of the result its index in `a`.
///
/// Cost     O(nonzeros + rows + columns) time and scratch
[[nodiscard]] SparseMatrix transpose(const SparseView& a,
                                     std::vector<EdgeOffset>* source_entry = nullptr);

/// out[i] = values[source_entry[i]]: brings new values of a matrix into the order of its
/// transpose, whose pattern is made once.
///
/// Shapes   source_entry, out [m], values [n], each source_entry in 0..n-1
/// Cost     O(m) time, no allocation
void gather_values(Context& ctx,
                   std::span<const Real> values,
                   std::span<const EdgeOffset> source_entry,
                   std::span<Real> out);

}  // namespace weft::kernels
