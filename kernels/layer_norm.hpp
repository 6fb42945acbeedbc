// SPDX-License-Identifier: MIT
// LayerNorm over the columns of each row. Source: Ba, Kiros, Hinton, 2016.
//
//   y = gamma * (x - mean) / sqrt(variance + epsilon) + beta,  variance biased (divided by dim)
#pragma once

#include <span>

#include "kernels/context.hpp"
#include "kernels/matrix.hpp"
#include "kernels/row_set.hpp"

namespace weft::kernels {

inline constexpr double layer_norm_epsilon = 1e-5;

/// Shapes   x, y [n x dim], gamma, beta [dim]
/// Cost     O(n dim) time, two passes over a row, no allocation
void layer_norm(Context& ctx,
                ConstMatrixView x,
                std::span<const Real> gamma,
                std::span<const Real> beta,
                MatrixView y,
                RowSet rows);

/// Gradients; statistics are computed again from x. grad_gamma and grad_beta are overwritten by
/// sums over `rows` in the fixed order of `bias_gradient`.
///
/// Shapes   x, grad_y, grad_x [n x dim], gamma, grad_gamma, grad_beta [dim]
/// Cost     O(n dim) time
void layer_norm_backward(Context& ctx,
                         ConstMatrixView x,
                         std::span<const Real> gamma,
                         ConstMatrixView grad_y,
                         MatrixView grad_x,
                         std::span<Real> grad_gamma,
                         std::span<Real> grad_beta,
                         RowSet rows);

}  // namespace weft::kernels
