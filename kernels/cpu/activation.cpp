// SPDX-License-Identifier: MIT
// Elementwise functions: steps of an epilogue, each by itself.
#include "kernels/activation.hpp"

#include <algorithm>

#include "kernels/backends.hpp"
#include "kernels/cpu/stored_rows.hpp"
#include "kernels/cpu/tasks.hpp"
#include "kernels/cpu/vector_kernels.hpp"

namespace weft::kernels::cpu {

namespace {

/// y = x, unless they are the same row.
void copy_row(const Real* x, std::int64_t dim, Real* y) {
  if (x != y) std::copy_n(x, dim, y);
}

}  // namespace

void relu(Context& ctx, ConstMatrixView x, MatrixView y, RowSet rows) {
  const std::int64_t dim = x.num_columns;
  const auto finish_row = vector_kernels(ctx.instruction_set()).finish_row;
  const StoredRows stored(ctx, dim);
  FinishedRow step{};
  step.relu = true;
  for_rows(ctx, rows, dim, [&](std::int64_t r) {
    Real* out = stored.target(y, r, 0);
    copy_row(stored.read(x, r, 1), dim, out);
    finish_row(step, dim, out);
    stored.store(y, r, 0);
  });
}

void relu_backward(
    Context& ctx, ConstMatrixView y, ConstMatrixView grad_y, MatrixView grad_x, RowSet rows) {
  const std::int64_t dim = y.num_columns;
  const auto finish_row = vector_kernels(ctx.instruction_set()).finish_row;
  const StoredRows stored(ctx, dim);
  for_rows(ctx, rows, dim, [&](std::int64_t r) {
    Real* out = stored.target(grad_x, r, 0);
    copy_row(stored.read(grad_y, r, 1), dim, out);
    FinishedRow step{};
    step.gate = stored.read(y, r, 2);
    step.gate_scale = 1;
    finish_row(step, dim, out);
    stored.store(grad_x, r, 0);
  });
}

void add_rows(Context& ctx, ConstMatrixView x, MatrixView y, RowSet rows) {
  const std::int64_t dim = x.num_columns;
  const StoredRows stored(ctx, dim);
  for_rows(ctx, rows, dim, [&](std::int64_t r) {
    const Real* in = stored.read(x, r, 0);
    Real* out = stored.update(y, r, 1);
    for (std::int64_t c = 0; c < dim; ++c)
      out[c] += in[c];
    stored.store(y, r, 1);
  });
}

}  // namespace weft::kernels::cpu
