// SPDX-License-Identifier: MIT
// Aggregation: a sparse matrix times a dense one, for a set of rows.
//
// Invariant (summation order): a row's entries are summed in their order, in blocks of 4,096
// entries whose sums are added in order, whoever computes them; so the result is bitwise the same
// for any number of threads and any split of the rows.
#pragma once

#include "kernels/context.hpp"
#include "kernels/epilogue.hpp"
#include "kernels/matrix.hpp"
#include "kernels/row_set.hpp"
#include "kernels/sparse.hpp"

namespace weft::kernels {

/// Entries of a row that are summed together before the next block is begun.
inline constexpr std::int64_t summation_block = 4096;

/// y[r] = sum over the entries (r, c, v) of `a` of v * x[c], for r in `rows`, then the steps of the
/// epilogue.
///
/// Shapes   a [m x n], x [n x dim], y [m x dim]
/// Cost     O(nonzeros of the rows * dim) time, no allocation
/// Writes   y rows in `rows` are overwritten; the others are untouched
/// Errors   InputError on shapes that do not fit
void spmm(Context& ctx,
          const SparseView& a,
          ConstMatrixView x,
          MatrixView y,
          RowSet rows,
          const Epilogue& epilogue = {});

/// y[r] += sum over the entries (r, c, v) of `a` of v * x[c], for r in `rows`; the sum is formed
/// first and added once. Then the steps of the epilogue.
///
/// Shapes   a [m x n], x [n x dim], y [m x dim]
/// Cost     O(nonzeros of the rows * dim) time, no allocation
void spmm_add(Context& ctx,
              const SparseView& a,
              ConstMatrixView x,
              MatrixView y,
              RowSet rows,
              const Epilogue& epilogue = {});

/// spmm_add with the rows of x where they lie, so that nobody needs to copy them into one matrix:
/// the same bits as spmm_add of the matrix that they would make.
///
/// Shapes   a [m x n], x: n pointers to rows of dim numbers in any storage, y [m x dim]
/// Cost     O(nonzeros of the rows * dim) time, no allocation
/// Errors   InputError on shapes that do not fit
void spmm_add_rows_at(Context& ctx,
                      const SparseView& a,
                      const RowPointers& x,
                      MatrixView y,
                      RowSet rows,
                      const Epilogue& epilogue = {});

}  // namespace weft::kernels
