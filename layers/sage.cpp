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
                              kernels::MatrixView y,
                              const kernels::Epilogue& epilogue) {
  kernels::Epilogue with_bias = epilogue;
  if (shape_.bias) with_bias.bias = store.value_span(bias_);
  const auto add_self = [&](const RowSet& rows) {
    multiply_input(pass.ctx, x, store.value(weight_self_), {y, rows, Write::add, with_bias});
  };
  neighbors_.forward(pass, x, {store.value(weight_neighbor_), y, {}, add_self});
}

void SageConvolution::backward(Pass& pass,
                               ParameterStore& store,
                               const LayerInput& x,
                               kernels::ConstMatrixView grad_y,
                               const InputGradient& input) {
  const auto own_gradients = [&](const RowSet&) {
    input_weight_gradient(pass.ctx, x, grad_y, store.gradient(weight_self_),
                          shape_.bias ? store.gradient_span(bias_) : std::span<Real>{});
  };
  // Rows of x beyond those of y are read by neighbors only.
  const auto add_self = [&](const RowSet& rows) {
    kernels::multiply_transposed(pass.ctx, grad_y, store.value(weight_self_), input.grad_x,
                                 rows.below(grad_y.num_rows), Write::add, input.epilogue);
    kernels::finish_rows(pass.ctx, input.epilogue, input.grad_x, rows.from(grad_y.num_rows));
  };
  NeighborProduct::Gradients gradients{store.value(weight_neighbor_),
                                       store.gradient(weight_neighbor_)};
  gradients.grad_x = input.grad_x;
  gradients.meanwhile = own_gradients;
  gradients.use_grad_x = add_self;
  neighbors_.backward(pass, x, grad_y, gradients);
}

}  // namespace weft::layers
