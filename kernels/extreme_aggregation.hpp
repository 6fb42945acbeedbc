// SPDX-License-Identifier: MIT
// Aggregation by the largest or smallest number of each column, and its gradient.
//
// Only which entries a matrix has counts, not their values. Invariant (order): entries are compared
// in their order and a tie stays with the first; a NaN beats every number and is beaten by nothing,
// so the first NaN wins. A result is one of the inputs, so it is the same bits for any number of
// threads, any backend and any split of a row into passes that keeps the order of its entries.
// Source: the max pooling of Hamilton, Ying, Leskovec, "Inductive Representation Learning on Large
// Graphs", 2017, where the dense layer before it is an operation of its own.
#pragma once

#include "graph/support/types.hpp"
#include "kernels/context.hpp"
#include "kernels/gemm.hpp"
#include "kernels/matrix.hpp"
#include "kernels/row_set.hpp"
#include "kernels/sparse.hpp"

namespace weft::kernels {

enum class Extreme { max, min };

/// The argument of an element that no entry has reached.
inline constexpr LocalId no_argument = -1;

/// Borrows a row-major matrix of columns of a sparse matrix. `stride` as of MatrixView.
struct ConstArgumentView {
  const LocalId* data = nullptr;
  std::int64_t num_rows = 0;
  std::int64_t num_columns = 0;
  std::int64_t stride = 0;

  [[nodiscard]] const LocalId* row(std::int64_t r) const { return data + r * stride; }
  [[nodiscard]] LocalId at(std::int64_t r, std::int64_t c) const { return data[r * stride + c]; }
};

/// The same for writing.
struct ArgumentView {
  LocalId* data = nullptr;
  std::int64_t num_rows = 0;
  std::int64_t num_columns = 0;
  std::int64_t stride = 0;

  [[nodiscard]] LocalId* row(std::int64_t r) const { return data + r * stride; }
  [[nodiscard]] LocalId& at(std::int64_t r, std::int64_t c) const { return data[r * stride + c]; }
  operator ConstArgumentView() const {  // NOLINT(google-explicit-constructor)
    return {data, num_rows, num_columns, stride};
  }
};

/// What an aggregation writes: extremes, and for each the column that holds it.
///
/// Shapes   values, argument [m x dim]
struct ExtremeView {
  Extreme kind = Extreme::max;
  MatrixView values;
  ArgumentView argument;
};

/// y.values[r][c] = the largest (smallest) x[u][c] over the entries (r, u) of `a`, and
/// y.argument[r][c] = that u, for r in `rows`; 0 and `no_argument` in a row without entries.
///
/// Shapes   a [m x n], x [n x dim], y [m x dim]
/// Cost     O(nonzeros of the rows * dim) time, no allocation
/// Writes   rows of y in `rows` are overwritten; the others are untouched
/// Errors   InputError on shapes that do not fit, and on matrices of bf16
void aggregate_extreme(
    Context& ctx, const SparseView& a, ConstMatrixView x, ExtremeView y, RowSet rows);

/// Compares further entries with what y holds, as if they came behind those it has seen; an entry
/// (r, u) is stored as u + column_offset. Sums over owned and halo columns take two passes.
/// Where an argument is `no_argument`, the value beside it is not read.
///
/// Shapes   a [m x n], x [n x dim], y [m x dim]; column_offset from 0, column_offset + n fits
///          a local id
/// Cost     O(nonzeros of the rows * dim) time, no allocation
/// Errors   InputError on shapes that do not fit, and on matrices of bf16
void extreme_continue(Context& ctx,
                      const SparseView& a,
                      ConstMatrixView x,
                      LocalId column_offset,
                      ExtremeView y,
                      RowSet rows);

/// The gradient of what an aggregation wrote, and which of its columns are asked for: row u of
/// grad_x belongs to argument u + column_offset.
///
/// Shapes   grad_y, argument [m x dim]
struct ExtremeGradient {
  ConstMatrixView grad_y;
  ConstArgumentView argument;
  LocalId column_offset = 0;
};

/// grad_x[u][c] (+)= sum of grad_y[r][c] over the entries (u, r) of `a_transposed` with
/// argument[r][c] == u + column_offset, for u in `rows`: in the order and the blocks of `spmm`, so
/// bitwise equal for any number of threads. A repeated entry counts once; repeats must stand side
/// by side, as `transpose` leaves them.
///
/// Shapes   a_transposed [n x m], grad_y, argument [m x dim], grad_x [n x dim]
/// Cost     O(nonzeros of the rows * dim) time, no allocation, no atomics
/// Writes   rows of grad_x in `rows`; with Write::add the sum is formed first and added once
/// Errors   InputError on shapes that do not fit, and on matrices of bf16
void extreme_backward(Context& ctx,
                      const SparseView& a_transposed,
                      const ExtremeGradient& gradient,
                      MatrixView grad_x,
                      RowSet rows,
                      Write write);

}  // namespace weft::kernels
