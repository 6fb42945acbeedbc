// SPDX-License-Identifier: MIT
// LayerNorm row by row; the gradients of its parameters are sums over rows in fixed chunks.
#include "kernels/layer_norm.hpp"

#include <algorithm>

#include "kernels/backends.hpp"
#include "kernels/cpu/chunk_sums.hpp"
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
  for_rows(ctx, rows, 2 * x.num_columns, [&](std::int64_t r) {
    layer_norm_row({x.row(r), gamma.data(), x.num_columns, static_cast<Real>(layer_norm_epsilon)},
                   beta.data(), y.row(r));
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
  const std::span<double> total =
      sum_row_chunks(ctx, rows, 2 * dim, [&](std::int64_t r, Real* sum) {
        backward_row({x.row(r), gamma.data(), dim, static_cast<Real>(layer_norm_epsilon)},
                     grad_y.row(r), grad_x.row(r), sum, sum + dim);
      });
  for (std::size_t c = 0; c < gamma.size(); ++c) {
    grad_gamma[c] = static_cast<Real>(total[c]);
    grad_beta[c] = static_cast<Real>(total[gamma.size() + c]);
  }
}

}  // namespace weft::kernels::cpu
