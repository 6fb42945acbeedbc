// SPDX-License-Identifier: MIT
// Moving rows: checks the shapes and passes on to the backend.
#include "kernels/rows.hpp"

#include "kernels/backends.hpp"
#include "kernels/shape_check.hpp"

namespace weft::kernels {
namespace {

/// `packed` holds a row for each of `rows`, which are rows of `table` in any order.
void check_rows(const char* operation,
                ConstMatrixView packed,
                ConstMatrixView table,
                std::span<const LocalId> rows) {
  require_equal(operation, {"columns of x", packed.num_columns},
                {"columns of y", table.num_columns}, "pass matrices of one width");
  require_equal(operation, {"rows of the packed matrix", packed.num_rows},
                {"listed rows", static_cast<std::int64_t>(rows.size())},
                "pass one packed row for each listed row");
}

}  // namespace

void gather_rows(Context& ctx, ConstMatrixView x, std::span<const LocalId> rows, MatrixView y) {
  check_rows("gather_rows", y, x, rows);
  choose_backend(ctx, "gather_rows", reference::gather_rows, cpu::gather_rows)(ctx, x, rows, y);
}

void scatter_add_rows(Context& ctx,
                      ConstMatrixView x,
                      std::span<const LocalId> rows,
                      MatrixView y) {
  check_rows("scatter_add_rows", x, y, rows);
  choose_backend(ctx, "scatter_add_rows", reference::scatter_add_rows, cpu::scatter_add_rows)(
      ctx, x, rows, y);
}

}  // namespace weft::kernels
