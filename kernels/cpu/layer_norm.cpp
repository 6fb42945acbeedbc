// SPDX-License-Identifier: MIT
// LayerNorm row by row; the gradients of its parameters are sums over rows in fixed chunks.
#include "kernels/layer_norm.hpp"

#include <algorithm>

#include "kernels/backends.hpp"
#include "kernels/cpu/chunk_sums.hpp"
#include "kernels/cpu/stored_rows.hpp"
#include "kernels/cpu/tasks.hpp"
#include "kernels/cpu/vector_kernels.hpp"

namespace weft::kernels::cpu {

void layer_norm(Context& ctx,
                ConstMatrixView x,
                std::span<const Real> gamma,
                std::span<const Real> beta,
                MatrixView y,
                RowSet rows) {
  const auto layer_norm_row = vector_kernels(ctx.instruction_set()).layer_norm_row;
  const StoredRows stored(ctx, x.num_columns);
  for_rows(ctx, rows, 2 * x.num_columns, [&](std::int64_t r) {
    layer_norm_row(
        {stored.read(x, r, 0), gamma.data(), x.num_columns, static_cast<Real>(layer_norm_epsilon)},
        beta.data(), stored.target(y, r, 1));
    stored.store(y, r, 1);
  });
}

void layer_norm_backward(Context& ctx,
                         ConstMatrixView x,
                         std::span<const Real> gamma,
                         ConstMatrixView grad_y,
                         MatrixView grad_x,
                         std::span<Real> grad_gamma,
                         std::span<Real> grad_beta,
                         RowSet rows) {
  const std::int64_t dim = x.num_columns;
  const auto backward_row = vector_kernels(ctx.instruction_set()).layer_norm_backward_row;
  const StoredRows stored(ctx, dim);
  const std::span<double> total =
      sum_row_chunks(ctx, rows, 2 * dim, [&](std::int64_t r, Real* sum) {
        backward_row(
            {stored.read(x, r, 0), gamma.data(), dim, static_cast<Real>(layer_norm_epsilon)},
            stored.read(grad_y, r, 1), stored.target(grad_x, r, 2), sum, sum + dim);
        stored.store(grad_x, r, 2);
      });
  for (std::size_t c = 0; c < gamma.size(); ++c) {
    grad_gamma[c] = static_cast<Real>(total[c]);
    grad_beta[c] = static_cast<Real>(total[gamma.size() + c]);
  }
}

}  // namespace weft::kernels::cpu
