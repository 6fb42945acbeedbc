// SPDX-License-Identifier: MIT
// GraphSAGE (mean) forward and backward; the equations stand in the header.
#include "layers/sage.hpp"

#include "graph/support/text.hpp"

namespace weft::layers {

using kernels::RowSet;
using kernels::Write;

SageConvolution::SageConvolution(ParameterStore& store, const ConvolutionShape& shape)
    : shape_(shape),
      neighbors_(shape),
      weight_self_(store.add(text("layer", shape.layer, ".weight_self"),
                             shape.layer,
                             shape.num_inputs,
                             shape.num_outputs)),
      weight_neighbor_(store.add(text("layer", shape.layer, ".weight_neighbor"),
                                 shape.layer,
                                 shape.num_inputs,
                                 shape.num_outputs)) {
  if (shape.bias) {
    bias_ = store.add(text("layer", shape.layer, ".bias"), shape.layer, 1, shape.num_outputs);
  }
}

void SageConvolution::initialize(ParameterStore& store, std::uint64_t seed) {
  initialize_glorot(store, weight_self_, seed);
  initialize_glorot(store, weight_neighbor_, seed);
}

void SageConvolution::forward(Pass& pass,
                              ParameterStore& store,
                              const LayerInput& x,
                              kernels::MatrixView y) {
  const auto add_self = [&](const RowSet& rows) {
    multiply_input(pass.ctx, x, store.value(weight_self_), y, rows, Write::add);
    if (shape_.bias) kernels::add_bias(pass.ctx, store.value_span(bias_), y, rows);
  };
  neighbors_.forward(pass, x, store.value(weight_neighbor_), y, add_self);
}

void SageConvolution::backward(Pass& pass,
                               ParameterStore& store,
                               const LayerInput& x,
                               kernels::ConstMatrixView grad_y,
                               kernels::MatrixView grad_x) {
  const auto own_gradients = [&](const RowSet& rows) {
    if (shape_.bias) kernels::bias_gradient(pass.ctx, grad_y, store.gradient_span(bias_), rows);
    input_weight_gradient(pass.ctx, x, grad_y, store.gradient(weight_self_));
  };
  // Rows of x beyond those of y are read by neighbors only.
  const auto add_self = [&](const RowSet& rows) {
    kernels::multiply_transposed(pass.ctx, grad_y, store.value(weight_self_), grad_x,
                                 rows.below(grad_y.num_rows), Write::add);
  };
  neighbors_.backward(pass, x, grad_y,
                      {.weight = store.value(weight_neighbor_),
                       .grad_weight = store.gradient(weight_neighbor_),
                       .grad_x = grad_x,
                       .meanwhile = own_gradients,
                       .use_grad_x = add_self});
}

}  // namespace weft::layers
