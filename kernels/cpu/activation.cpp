// SPDX-License-Identifier: MIT
// Elementwise functions: bound by memory, so plain loops that the compiler vectorizes.
#include "kernels/activation.hpp"

#include "kernels/backends.hpp"
#include "kernels/cpu/tasks.hpp"

namespace weft::kernels::cpu {

void relu(Context& ctx, ConstMatrixView x, MatrixView y, RowSet rows) {
  const std::int64_t dim = x.num_columns;
  for_rows(ctx, rows, dim, [&](std::int64_t r) {
    const Real* in = x.row(r);
    Real* out = y.row(r);
    for (std::int64_t c = 0; c < dim; ++c)
      out[c] = in[c] < 0 ? Real{0} : in[c];
  });
}

void relu_backward(
    Context& ctx, ConstMatrixView y, ConstMatrixView grad_y, MatrixView grad_x, RowSet rows) {
  const std::int64_t dim = y.num_columns;
  for_rows(ctx, rows, dim, [&](std::int64_t r) {
    const Real* value = y.row(r);
    const Real* in = grad_y.row(r);
    Real* out = grad_x.row(r);
    for (std::int64_t c = 0; c < dim; ++c)
      out[c] = value[c] > 0 ? in[c] : Real{0};
  });
}

void add_rows(Context& ctx, ConstMatrixView x, MatrixView y, RowSet rows) {
  const std::int64_t dim = x.num_columns;
  for_rows(ctx, rows, dim, [&](std::int64_t r) {
    const Real* in = x.row(r);
    Real* out = y.row(r);
    for (std::int64_t c = 0; c < dim; ++c)
      out[c] += in[c];
  });
}

}  // namespace weft::kernels::cpu
