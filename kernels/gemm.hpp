// SPDX-License-Identifier: MIT
// Dense products of a tall matrix (one row a vertex) with a small one (weights).
//
// Each row of a result depends on its input row only, by a fixed order of sums: bitwise the same
// for any number of threads and any row set. The weight gradient sums over vertices in chunks of a
// fixed number of rows whose sums are added in order.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/context.hpp"
#include "kernels/epilogue.hpp"
#include "kernels/matrix.hpp"
#include "kernels/row_set.hpp"

namespace weft::kernels {

enum class Write { overwrite, add };

/// Rows whose products are summed in `Real` before the sum joins the others in double precision.
inline constexpr std::int64_t weight_gradient_chunk = 1024;

/// y[r] (+)= x[r] w, for r in `rows`, then the steps of the epilogue.
///
/// Shapes   x [n x k], w [k x m], y [n x m]
/// Cost     2 n k m flops, no allocation after the first call of a thread with these shapes
void multiply(Context& ctx,
              ConstMatrixView x,
              ConstMatrixView w,
              MatrixView y,
              RowSet rows,
              Write write = Write::overwrite,
              const Epilogue& epilogue = {});

/// y[r] (+)= g[r] w^T, for r in `rows`, then the steps of the epilogue: the gradient of `multiply`
/// with respect to its input.
///
/// Shapes   g [n x m], w [k x m], y [n x k]
/// Cost     2 n k m flops, no allocation after the first call of a thread with these shapes
void multiply_transposed(Context& ctx,
                         ConstMatrixView g,
                         ConstMatrixView w,
                         MatrixView y,
                         RowSet rows,
                         Write write = Write::overwrite,
                         const Epilogue& epilogue = {});

/// grad_w = x^T g over `rows`: the gradient of `multiply` with respect to its weights. Sums of
/// chunks of `weight_gradient_chunk` rows are added in order, in double precision. Where `grad_b`
/// is given, it receives what `bias_gradient` gives for g, which is read once for both.
///
/// Shapes   x [n x k], g [n x m], grad_w [k x m], grad_b [m] or empty
/// Cost     2 n k m flops; scratch of k * m a chunk in flight, kept between calls
void weight_gradient(Context& ctx,
                     ConstMatrixView x,
                     ConstMatrixView g,
                     MatrixView grad_w,
                     RowSet rows,
                     std::span<Real> grad_b = {});

/// Column sums over `rows`, by the same fixed order: the gradient of a bias.
///
/// Shapes   g [n x m], grad_b [m]
/// Cost     O(n m) time
void bias_gradient(Context& ctx, ConstMatrixView g, std::span<Real> grad_b, RowSet rows);

/// y[r] += b, for r in `rows`.
///
/// Shapes   b [m], y [n x m]
/// Cost     O(n m) time, no allocation
void add_bias(Context& ctx, std::span<const Real> b, MatrixView y, RowSet rows);

}  // namespace weft::kernels
