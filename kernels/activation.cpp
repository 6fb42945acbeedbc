// SPDX-License-Identifier: MIT
// Elementwise functions: checks the shapes and passes on to the backend.
#include "kernels/activation.hpp"

#include "kernels/backends.hpp"
#include "kernels/shape_check.hpp"

namespace weft::kernels {
namespace {

void check_pair(const char* operation, ConstMatrixView x, ConstMatrixView y, RowSet rows) {
  require_equal(operation, {"columns of the input", x.num_columns},
                {"columns of the output", y.num_columns}, "pass matrices of one width");
  require_rows(operation, rows, {"rows of the input", x.num_rows});
  require_rows(operation, rows, {"rows of the output", y.num_rows});
}

}  // namespace

void relu(Context& ctx, ConstMatrixView x, MatrixView y, RowSet rows) {
  check_pair("relu", x, y, rows);
  choose_backend(ctx, "relu", reference::relu, cpu::relu)(ctx, x, y, rows);
}

void relu_backward(
    Context& ctx, ConstMatrixView y, ConstMatrixView grad_y, MatrixView grad_x, RowSet rows) {
  check_pair("relu_backward", y, grad_x, rows);
  check_pair("relu_backward", grad_y, grad_x, rows);
  choose_backend(ctx, "relu_backward", reference::relu_backward, cpu::relu_backward)(ctx, y, grad_y,
                                                                                     grad_x, rows);
}

void add_rows(Context& ctx, ConstMatrixView x, MatrixView y, RowSet rows) {
  check_pair("add_rows", x, y, rows);
  choose_backend(ctx, "add_rows", reference::add_rows, cpu::add_rows)(ctx, x, y, rows);
}

}  // namespace weft::kernels
