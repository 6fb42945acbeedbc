// SPDX-License-Identifier: MIT
// Sparse matrices: the explicit transpose, made once a run, and new values for it.
#include "kernels/sparse.hpp"

#include "kernels/backends.hpp"
#include "kernels/shape_check.hpp"

namespace weft::kernels {
namespace {

std::span<const LocalId> columns_of_row(const SparseView& a, std::int64_t row) {
  const auto begin = static_cast<std::size_t>(a.row_ptr[static_cast<std::size_t>(row)]);
  return a.col_idx.subspan(begin, static_cast<std::size_t>(a.row_end_of(row)) - begin);
}

/// row_ptr of the transpose: counts of the columns, summed.
std::vector<EdgeOffset> transposed_row_ptr(const SparseView& a) {
  std::vector<EdgeOffset> row_ptr(static_cast<std::size_t>(a.num_columns) + 1, 0);
  for (std::int64_t row = 0; row < a.num_rows; ++row) {
    for (const LocalId column : columns_of_row(a, row)) {
      WEFT_ASSERT(column >= 0 && column < a.num_columns);
      ++row_ptr[static_cast<std::size_t>(column) + 1];
    }
  }
  for (std::size_t i = 1; i < row_ptr.size(); ++i)
    row_ptr[i] += row_ptr[i - 1];
  return row_ptr;
}

}  // namespace

SparseMatrix transpose(const SparseView& a, std::vector<EdgeOffset>* source_entry) {
  require_sparse("transpose", a);
  SparseMatrix result{a.num_columns, a.num_rows, transposed_row_ptr(a), {}, {}};
  const auto num_entries = static_cast<std::size_t>(result.row_ptr.back());
  result.col_idx.resize(num_entries);
  result.values.resize(a.values.empty() ? 0 : num_entries);
  if (source_entry != nullptr) source_entry->resize(num_entries);
  std::vector<EdgeOffset> next(result.row_ptr.begin(), result.row_ptr.end() - 1);
  for (std::int64_t row = 0; row < a.num_rows; ++row) {
    const auto begin = static_cast<std::size_t>(a.row_ptr[static_cast<std::size_t>(row)]);
    const auto end = static_cast<std::size_t>(a.row_end_of(row));
    for (std::size_t entry = begin; entry < end; ++entry) {
      const auto place =
          static_cast<std::size_t>(next[static_cast<std::size_t>(a.col_idx[entry])]++);
      result.col_idx[place] = static_cast<LocalId>(row);
      if (!a.values.empty()) result.values[place] = a.values[entry];
      if (source_entry != nullptr) (*source_entry)[place] = static_cast<EdgeOffset>(entry);
    }
  }
  return result;
}

void gather_values(Context& ctx,
                   std::span<const Real> values,
                   std::span<const EdgeOffset> source_entry,
                   std::span<Real> out) {
  require_equal("gather_values", {"length of out", static_cast<std::int64_t>(out.size())},
                {"length of source_entry", static_cast<std::int64_t>(source_entry.size())},
                "pass an out of the transpose's nonzeros");
  choose_backend(ctx, "gather_values", reference::gather_values, cpu::gather_values)(
      ctx, values, source_entry, out);
}

}  // namespace weft::kernels
