// SPDX-License-Identifier: MIT
// Both orders; the equations stand in the header.
#include "layers/neighbor_product.hpp"

#include "kernels/gemm.hpp"

namespace weft::layers {

using kernels::RowSet;

void NeighborProduct::forward(Pass& pass,
                              const LayerInput& x,
                              kernels::ConstMatrixView weight,
                              kernels::MatrixView y) {
  if (transforms_first_) {
    hidden_.resize(y.num_rows, shape_.num_outputs);
    multiply_input(pass.ctx, x, weight, hidden_.view());
    pass.neighbors.forward(pass.ctx, hidden_.view(), y);
    return;
  }
  hidden_.resize(y.num_rows, shape_.num_inputs);
  // Every rank has the same shapes and passes, so all skip the exchange or none.
  if (!shape_.constant_input || !has_sum_) {
    pass.neighbors.forward(pass.ctx, x.dense, hidden_.view());
    has_sum_ = true;
    summed_input_ = x.dense.data;
  }
  WEFT_ASSERT(!shape_.constant_input || x.dense.data == summed_input_);
  kernels::multiply(pass.ctx, hidden_.view(), weight, y, RowSet::range(0, y.num_rows));
}

void NeighborProduct::backward(Pass& pass,
                               const LayerInput& x,
                               kernels::ConstMatrixView grad_y,
                               const Gradients& gradients) {
  const RowSet rows = RowSet::range(0, grad_y.num_rows);
  if (transforms_first_) {
    grad_hidden_.resize(grad_y.num_rows, shape_.num_outputs);
    pass.neighbors.backward(pass.ctx, grad_y, grad_hidden_.view());
    input_weight_gradient(pass.ctx, x, grad_hidden_.view(), gradients.grad_weight);
    if (!shape_.needs_input_gradient) return;
    kernels::multiply_transposed(pass.ctx, grad_hidden_.view(), gradients.weight, gradients.grad_x,
                                 rows);
    return;
  }
  kernels::weight_gradient(pass.ctx, hidden_.view(), grad_y, gradients.grad_weight, rows);
  if (!shape_.needs_input_gradient) return;
  grad_hidden_.resize(grad_y.num_rows, shape_.num_inputs);
  kernels::multiply_transposed(pass.ctx, grad_y, gradients.weight, grad_hidden_.view(), rows);
  pass.neighbors.backward(pass.ctx, grad_hidden_.view(), gradients.grad_x);
}

}  // namespace weft::layers
