// SPDX-License-Identifier: MIT
// GCN forward and backward; the equations stand in the header.
#include "layers/gcn.hpp"

#include "graph/support/text.hpp"

namespace weft::layers {

using kernels::RowSet;

GcnConvolution::GcnConvolution(ParameterStore& store, const ConvolutionShape& shape)
    : shape_(shape),
      transforms_first_(transforms_first(shape)),
      weight_(store.add(text("layer", shape.layer, ".weight"),
                        shape.layer,
                        shape.num_inputs,
                        shape.num_outputs)) {
  if (shape.bias) {
    bias_ = store.add(text("layer", shape.layer, ".bias"), shape.layer, 1, shape.num_outputs);
  }
}

void GcnConvolution::initialize(ParameterStore& store, std::uint64_t seed) {
  initialize_glorot(store, weight_, seed);
}

void GcnConvolution::forward(Pass& pass,
                             ParameterStore& store,
                             const LayerInput& x,
                             kernels::MatrixView y) {
  const RowSet rows = RowSet::range(0, y.num_rows);
  if (transforms_first_) {
    hidden_.resize(y.num_rows, shape_.num_outputs);
    multiply_input(pass.ctx, x, store.value(weight_), hidden_.view());
    pass.neighbors.forward(pass.ctx, hidden_.view(), y);
  } else {
    hidden_.resize(y.num_rows, shape_.num_inputs);
    pass.neighbors.forward(pass.ctx, x.dense, hidden_.view());
    kernels::multiply(pass.ctx, hidden_.view(), store.value(weight_), y, rows);
  }
  if (shape_.bias) kernels::add_bias(pass.ctx, store.value_span(bias_), y, rows);
}

void GcnConvolution::backward(Pass& pass,
                              ParameterStore& store,
                              const LayerInput& x,
                              kernels::ConstMatrixView grad_y,
                              kernels::MatrixView grad_x) {
  const RowSet rows = RowSet::range(0, grad_y.num_rows);
  const kernels::MatrixView weight = store.value(weight_);
  const kernels::MatrixView grad_weight = store.gradient(weight_);
  if (shape_.bias) kernels::bias_gradient(pass.ctx, grad_y, store.gradient_span(bias_), rows);
  if (transforms_first_) {
    grad_hidden_.resize(grad_y.num_rows, shape_.num_outputs);
    pass.neighbors.backward(pass.ctx, grad_y, grad_hidden_.view());
    input_weight_gradient(pass.ctx, x, grad_hidden_.view(), grad_weight);
    if (!shape_.needs_input_gradient) return;
    kernels::multiply_transposed(pass.ctx, grad_hidden_.view(), weight, grad_x, rows);
    return;
  }
  kernels::weight_gradient(pass.ctx, hidden_.view(), grad_y, grad_weight, rows);
  if (!shape_.needs_input_gradient) return;
  grad_hidden_.resize(grad_y.num_rows, shape_.num_inputs);
  kernels::multiply_transposed(pass.ctx, grad_y, weight, grad_hidden_.view(), rows);
  pass.neighbors.backward(pass.ctx, grad_hidden_.view(), grad_x);
}

}  // namespace weft::layers
