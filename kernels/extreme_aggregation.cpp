// SPDX-License-Identifier: MIT
// Aggregation by extremes: checks the shapes and passes on to the backend.
#include "kernels/extreme_aggregation.hpp"

#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "kernels/backends.hpp"
#include "kernels/shape_check.hpp"

namespace weft::kernels {
namespace {

void check_shapes(const char* operation,
                  const SparseView& a,
                  ConstMatrixView x,
                  const ExtremeView& y,
                  RowSet rows) {
  require_sparse(operation, a);
  require_equal(operation, {"rows of x", x.num_rows}, {"columns of a", a.num_columns},
                "pass a row of x for each column");
  require_equal(operation, {"rows of y", y.values.num_rows}, {"rows of a", a.num_rows},
                "pass a y with a row for each row of a");
  require_equal(operation, {"columns of y", y.values.num_columns}, {"columns of x", x.num_columns},
                "pass matrices of one width");
  require_equal(operation, {"rows of argument", y.argument.num_rows},
                {"rows of y", y.values.num_rows}, "pass an argument of the shape of y");
  require_equal(operation, {"columns of argument", y.argument.num_columns},
                {"columns of y", y.values.num_columns}, "pass an argument of the shape of y");
  require_rows(operation, rows, {"rows of a", a.num_rows});
  require_real(operation, "x", x.storage);
  require_real(operation, "y", y.values.storage);
}

void check_shapes(const char* operation,
                  const SparseView& a_transposed,
                  const ExtremeGradient& gradient,
                  MatrixView grad_x,
                  RowSet rows) {
  const auto& [grad_y, argument, column_offset] = gradient;
  require_sparse(operation, a_transposed);
  require_equal(operation, {"rows of grad_y", grad_y.num_rows},
                {"columns of a_transposed", a_transposed.num_columns},
                "pass a grad_y with a row for each row of a");
  require_equal(operation, {"rows of argument", argument.num_rows},
                {"rows of grad_y", grad_y.num_rows}, "pass the argument of the forward pass");
  require_equal(operation, {"columns of argument", argument.num_columns},
                {"columns of grad_y", grad_y.num_columns}, "pass the argument of the forward pass");
  require_equal(operation, {"rows of grad_x", grad_x.num_rows},
                {"rows of a_transposed", a_transposed.num_rows},
                "pass a grad_x with a row for each row of x");
  require_equal(operation, {"columns of grad_x", grad_x.num_columns},
                {"columns of grad_y", grad_y.num_columns}, "pass matrices of one width");
  require_rows(operation, rows, {"rows of a_transposed", a_transposed.num_rows});
  require_real(operation, "grad_y", grad_y.storage);
  require_real(operation, "grad_x", grad_x.storage);
}

void check_offset(const char* operation, LocalId column_offset, std::int64_t num_columns) {
  if (column_offset >= 0 && column_offset + num_columns <= max_local_vertices) return;
  throw InputError(text(operation, ": column offset ", column_offset, " with ", num_columns,
                        " columns, but offset and columns must be 0 to ", max_local_vertices,
                        "; pass the number of columns of the passes before"));
}

}  // namespace

void aggregate_extreme(
    Context& ctx, const SparseView& a, ConstMatrixView x, ExtremeView y, RowSet rows) {
  check_shapes("aggregate_extreme", a, x, y, rows);
  choose_backend(ctx, "aggregate_extreme", reference::aggregate_extreme, cpu::aggregate_extreme)(
      ctx, a, x, y, rows);
}

void extreme_continue(Context& ctx,
                      const SparseView& a,
                      ConstMatrixView x,
                      LocalId column_offset,
                      ExtremeView y,
                      RowSet rows) {
  check_shapes("extreme_continue", a, x, y, rows);
  check_offset("extreme_continue", column_offset, a.num_columns);
  choose_backend(ctx, "extreme_continue", reference::extreme_continue, cpu::extreme_continue)(
      ctx, a, x, column_offset, y, rows);
}

void extreme_backward(Context& ctx,
                      const SparseView& a_transposed,
                      const ExtremeGradient& gradient,
                      MatrixView grad_x,
                      RowSet rows,
                      Write write) {
  check_shapes("extreme_backward", a_transposed, gradient, grad_x, rows);
  check_offset("extreme_backward", gradient.column_offset, a_transposed.num_rows);
  choose_backend(ctx, "extreme_backward", reference::extreme_backward, cpu::extreme_backward)(
      ctx, a_transposed, gradient, grad_x, rows, write);
}

}  // namespace weft::kernels
