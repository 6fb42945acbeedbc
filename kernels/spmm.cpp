// SPDX-License-Identifier: MIT
// Aggregation: checks the shapes and passes on to the backend.
#include "kernels/spmm.hpp"

#include "kernels/backends.hpp"
#include "kernels/shape_check.hpp"

namespace weft::kernels {
namespace {

struct TableShape {
  std::int64_t num_rows;
  std::int64_t num_columns;
};

void check_shapes(
    const char* operation, const SparseView& a, TableShape x, MatrixView y, RowSet rows) {
  require_sparse(operation, a);
  require_equal(operation, {"rows of x", x.num_rows}, {"columns of a", a.num_columns},
                "pass a row of x for each column (owned and halo rows, not owned rows only)");
  require_equal(operation, {"rows of y", y.num_rows}, {"rows of a", a.num_rows},
                "pass a y with a row for each row of a");
  require_equal(operation, {"columns of y", y.num_columns}, {"columns of x", x.num_columns},
                "pass matrices of one width");
  require_rows(operation, rows, {"rows of a", a.num_rows});
}

}  // namespace

void spmm(Context& ctx,
          const SparseView& a,
          ConstMatrixView x,
          MatrixView y,
          RowSet rows,
          const Epilogue& epilogue) {
  check_shapes("spmm", a, {x.num_rows, x.num_columns}, y, rows);
  require_epilogue("spmm", epilogue, y, rows);
  choose_backend(ctx, "spmm", reference::spmm, cpu::spmm)(ctx, a, x, y, rows, epilogue);
}

void spmm_add(Context& ctx,
              const SparseView& a,
              ConstMatrixView x,
              MatrixView y,
              RowSet rows,
              const Epilogue& epilogue) {
  check_shapes("spmm_add", a, {x.num_rows, x.num_columns}, y, rows);
  require_epilogue("spmm_add", epilogue, y, rows);
  choose_backend(ctx, "spmm_add", reference::spmm_add, cpu::spmm_add)(ctx, a, x, y, rows, epilogue);
}

void spmm_add_rows_at(Context& ctx,
                      const SparseView& a,
                      const RowPointers& x,
                      MatrixView y,
                      RowSet rows,
                      const Epilogue& epilogue) {
  check_shapes("spmm_add_rows_at", a, {std::ssize(x.rows), x.num_columns}, y, rows);
  require_epilogue("spmm_add_rows_at", epilogue, y, rows);
  choose_backend(ctx, "spmm_add_rows_at", reference::spmm_add_rows_at, cpu::spmm_add_rows_at)(
      ctx, a, x, y, rows, epilogue);
}

}  // namespace weft::kernels
