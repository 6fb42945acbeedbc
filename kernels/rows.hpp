// SPDX-License-Identifier: MIT
// Moving rows: gather into a buffer, add back.
#pragma once

#include <span>

#include "kernels/context.hpp"
#include "kernels/matrix.hpp"

namespace weft::kernels {

/// Copies rows: y[i] = x[rows[i]].
///
/// Shapes   x [n x dim], rows [m] each in 0..n-1, y [m x dim]
/// Cost     O(m * dim) time, no allocation
void gather_rows(Context& ctx, ConstMatrixView x, std::span<const LocalId> rows, MatrixView y);

/// Adds rows back: y[rows[i]] += x[i], for i in rising order. `rows` holds no id twice.
///
/// Shapes   x [m x dim], rows [m] each in 0..n-1, y [n x dim]
/// Cost     O(m * dim) time, no allocation
void scatter_add_rows(Context& ctx, ConstMatrixView x, std::span<const LocalId> rows, MatrixView y);

}  // namespace weft::kernels
