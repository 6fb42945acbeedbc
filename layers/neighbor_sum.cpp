// SPDX-License-Identifier: MIT
// Overlap at its plainest: start, local work, wait, remote work.
#include "layers/neighbor_sum.hpp"

#include "kernels/spmm.hpp"

namespace weft::layers {

using kernels::RowSet;

void NeighborSum::forward(kernels::Context& ctx,
                          kernels::ConstMatrixView x,
                          kernels::MatrixView y) {
  const Aggregation& a = *aggregation_;
  halo_->begin(ctx, x);
  kernels::spmm(ctx, a.owned.view(), x, y, RowSet::range(0, a.owned.num_rows));
  const kernels::ConstMatrixView halo_rows = halo_->finish(ctx);
  const kernels::MatrixView boundary = y.rows(a.num_interior, a.owned.num_rows);
  kernels::spmm_add(ctx, a.halo.view(), halo_rows, boundary, RowSet::range(0, a.halo.num_rows));
}

void NeighborSum::backward(kernels::Context& ctx,
                           kernels::ConstMatrixView grad_y,
                           kernels::MatrixView grad_x) {
  const Aggregation& a = *aggregation_;
  const kernels::MatrixView owed = halo_->reverse_buffer(grad_y.num_columns);
  const kernels::ConstMatrixView boundary = grad_y.rows(a.num_interior, a.owned.num_rows);
  kernels::spmm(ctx, a.halo_transposed.view(), boundary, owed,
                RowSet::range(0, a.halo_transposed.num_rows));
  halo_->begin_reverse(ctx);
  const kernels::SparseMatrix& transposed = a.transpose_of_owned();
  kernels::spmm(ctx, transposed.view(), grad_y, grad_x, RowSet::range(0, transposed.num_rows));
  halo_->finish_reverse(ctx, grad_x);
}

}  // namespace weft::layers
