// SPDX-License-Identifier: MIT
// Moving rows: bound by memory. The destination rows of one call differ, so tasks never meet.
#include "kernels/rows.hpp"

#include <algorithm>

#include "kernels/backends.hpp"
#include "kernels/cpu/tasks.hpp"

namespace weft::kernels::cpu {

void gather_rows(Context& ctx, ConstMatrixView x, std::span<const LocalId> rows, MatrixView y) {
  for_rows(ctx, RowSet::range(0, y.num_rows), x.num_columns, [&](std::int64_t i) {
    std::copy_n(x.row(rows[static_cast<std::size_t>(i)]), x.num_columns, y.row(i));
  });
}

void scatter_add_rows(Context& ctx,
                      ConstMatrixView x,
                      std::span<const LocalId> rows,
                      MatrixView y) {
  for_rows(ctx, RowSet::range(0, x.num_rows), x.num_columns, [&](std::int64_t i) {
    const Real* in = x.row(i);
    Real* out = y.row(rows[static_cast<std::size_t>(i)]);
    for (std::int64_t c = 0; c < x.num_columns; ++c)
      out[c] += in[c];
  });
}

}  // namespace weft::kernels::cpu
