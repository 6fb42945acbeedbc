// SPDX-License-Identifier: MIT
// Moving rows: bound by memory. The destination rows of one call differ, so tasks never meet.
#include "kernels/rows.hpp"

#include <algorithm>

#include "kernels/backends.hpp"
#include "kernels/cpu/stored_rows.hpp"
#include "kernels/cpu/tasks.hpp"

namespace weft::kernels::cpu {

void gather_rows(Context& ctx, ConstMatrixView x, std::span<const LocalId> rows, MatrixView y) {
  const StoredRows stored(ctx, x.num_columns);
  for_rows(ctx, RowSet::range(0, y.num_rows), x.num_columns, [&](std::int64_t i) {
    const LocalId r = rows[static_cast<std::size_t>(i)];
    if (x.storage == y.storage) {
      std::copy_n(x.row_begin(r), x.row_bytes(), y.row_begin(i));
      return;
    }
    std::copy_n(stored.read(x, r, 0), x.num_columns, stored.target(y, i, 1));
    stored.store(y, i, 1);
  });
}

void scatter_add_rows(Context& ctx,
                      ConstMatrixView x,
                      std::span<const LocalId> rows,
                      MatrixView y) {
  const StoredRows stored(ctx, x.num_columns);
  for_rows(ctx, RowSet::range(0, x.num_rows), x.num_columns, [&](std::int64_t i) {
    const LocalId r = rows[static_cast<std::size_t>(i)];
    const Real* in = stored.read(x, i, 0);
    Real* out = stored.update(y, r, 1);
    for (std::int64_t c = 0; c < x.num_columns; ++c)
      out[c] += in[c];
    stored.store(y, r, 1);
  });
}

}  // namespace weft::kernels::cpu
