// SPDX-License-Identifier: MIT
// Both orders; the equations stand in the header.
#include "layers/neighbor_product.hpp"

#include <utility>

#include "graph/support/error.hpp"
#include "kernels/activation.hpp"
#include "kernels/gemm.hpp"

namespace weft::layers {

using kernels::ConstMatrixView;
using kernels::MatrixView;
using kernels::RowSet;
using kernels::Write;

void NeighborProduct::forward(Pass& pass, const LayerInput& x, const Output& output) {
  if (!transforms_in(pass)) return sum_input(pass, x, output);
  const Scope& scope = pass.scope(shape_.layer);
  kernels::Matrix& hidden = pass.workspace.transformed;
  hidden.resize(scope.num_inputs, shape_.num_outputs, shape_.storage);
  const auto transform = [&](const RowSet& rows) {
    multiply_input(pass.ctx, x, output.weight, {hidden.view(), rows});
  };
  pass.neighbors.forward(pass.ctx, scope, hidden.view(), output.y,
                         {.epilogue = output.epilogue,
                          .make_input = transform,
                          .use_output = output.use,
                          .input_is_shared = true});
}

void NeighborProduct::sum_input(Pass& pass, const LayerInput& x, const Output& output) {
  const auto transform = [&](const RowSet& rows) {
    kernels::multiply(pass.ctx, sum_.view(), output.weight, output.y, rows, Write::overwrite,
                      output.epilogue);
    output.use(rows);
  };
  if (shape_.constant_input) {
    keep_sum(pass, x.dense);
    return transform(RowSet::range(0, output.y.num_rows));
  }
  const Scope& scope = pass.scope(shape_.layer);
  sum_.resize(scope.num_outputs, shape_.num_inputs, shape_.storage);
  pass.neighbors.forward(pass.ctx, scope, x.dense, sum_.view(), {.use_output = transform});
}

// Every rank has the same shapes and passes, so all skip the exchange or none.
void NeighborProduct::keep_sum(Pass& pass, ConstMatrixView x) {
  WEFT_ASSERT(!has_sum_ || x.data == summed_input_);
  if (has_sum_) return;
  sum_.resize(x.num_rows, shape_.num_inputs, shape_.storage);
  pass.neighbors.forward(pass.ctx, pass.neighbors.whole(), x, sum_.view());
  has_sum_ = true;
  summed_input_ = x.data;
}

void NeighborProduct::backward(Pass& pass,
                               const LayerInput& x,
                               ConstMatrixView grad_y,
                               const Gradients& gradients) {
  if (transforms_in(pass)) return transform_backward(pass, x, grad_y, gradients);
  sum_backward(pass, grad_y, gradients);
}

void NeighborProduct::transform_backward(Pass& pass,
                                         const LayerInput& x,
                                         ConstMatrixView grad_y,
                                         const Gradients& gradients) {
  const Scope& scope = pass.scope(shape_.layer);
  kernels::Matrix& grad_hidden = pass.workspace.transformed;
  grad_hidden.resize(scope.num_inputs, shape_.num_outputs, shape_.storage);
  Write write = Write::overwrite;
  const auto use = [&](const RowSet& rows) {
    if (shape_.needs_input_gradient) {
      kernels::multiply_transposed(pass.ctx, grad_hidden.view(), gradients.weight, gradients.grad_x,
                                   rows, Write::overwrite, gradients.epilogue);
      gradients.use_grad_x(rows);
    }
    // The transpose of sparse features is not cut: it waits for all rows.
    if (x.sparse != nullptr) return;
    weigh_rows(pass, x.dense, rows, gradients.grad_weight, write);
    write = Write::add;
  };
  const auto sum_bias = [&](const RowSet& rows) {
    if (!gradients.grad_bias.empty()) {
      kernels::bias_gradient(pass.ctx, grad_y, gradients.grad_bias, rows);
    }
    gradients.meanwhile(rows);
  };
  pass.neighbors.backward(pass.ctx, scope, grad_y, grad_hidden.view(),
                          {.use_output = use, .meanwhile = sum_bias});
  if (x.sparse == nullptr) return;
  input_weight_gradient(pass.ctx, x, grad_hidden.view(), gradients.grad_weight);
}

void NeighborProduct::weigh_rows(
    Pass& pass, ConstMatrixView x, const RowSet& rows, MatrixView grad_weight, Write write) {
  const ConstMatrixView grad_hidden = std::as_const(pass.workspace.transformed).view();
  if (write == Write::overwrite) {
    kernels::weight_gradient(pass.ctx, x, grad_hidden, grad_weight, rows);
    return;
  }
  if (rows.size() == 0) return;
  added_.resize(grad_weight.num_rows, grad_weight.num_columns);
  kernels::weight_gradient(pass.ctx, x, grad_hidden, added_.view(), rows);
  kernels::add_rows(pass.ctx, added_.view(), grad_weight, RowSet::range(0, grad_weight.num_rows));
}

void NeighborProduct::sum_backward(Pass& pass, ConstMatrixView grad_y, const Gradients& gradients) {
  const auto weigh = [&](const RowSet& rows) {
    kernels::weight_gradient(pass.ctx, sum_.view(), grad_y, gradients.grad_weight, rows,
                             gradients.grad_bias);
    gradients.meanwhile(rows);
  };
  if (!shape_.needs_input_gradient) return weigh(RowSet::range(0, grad_y.num_rows));
  const Scope& scope = pass.scope(shape_.layer);
  kernels::Matrix& grad_sum = pass.workspace.transformed;
  grad_sum.resize(scope.num_outputs, shape_.num_inputs, shape_.storage);
  const auto transform = [&](const RowSet& rows) {
    kernels::multiply_transposed(pass.ctx, grad_y, gradients.weight, grad_sum.view(), rows);
  };
  pass.neighbors.backward(pass.ctx, scope, grad_sum.view(), gradients.grad_x,
                          {.epilogue = gradients.epilogue,
                           .make_input = transform,
                           .use_output = gradients.use_grad_x,
                           .meanwhile = weigh});
}

}  // namespace weft::layers
