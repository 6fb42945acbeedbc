// SPDX-License-Identifier: MIT
// Elementwise functions between layers.
#pragma once

#include "kernels/context.hpp"
#include "kernels/matrix.hpp"
#include "kernels/row_set.hpp"

namespace weft::kernels {

/// y[r] = max(x[r], 0), for r in `rows`; y may be x.
///
/// Shapes   x [n x dim], y [n x dim]
/// Cost     O(n dim) time, no allocation
void relu(Context& ctx, ConstMatrixView x, MatrixView y, RowSet rows);

/// grad_x[r] = grad_y[r] where y[r] > 0, else 0, for r in `rows`; grad_x may be grad_y.
///
/// Shapes   y, grad_y, grad_x [n x dim]
/// Cost     O(n dim) time, no allocation
void relu_backward(
    Context& ctx, ConstMatrixView y, ConstMatrixView grad_y, MatrixView grad_x, RowSet rows);

/// y[r] += x[r], for r in `rows`.
///
/// Shapes   x, y [n x dim]
/// Cost     O(n dim) time, no allocation
void add_rows(Context& ctx, ConstMatrixView x, MatrixView y, RowSet rows);

}  // namespace weft::kernels
