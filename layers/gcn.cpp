// SPDX-License-Identifier: MIT
// GCN forward and backward; the equations stand in the header.
#include "layers/gcn.hpp"

#include "graph/support/text.hpp"

namespace weft::layers {

using kernels::RowSet;

GcnConvolution::GcnConvolution(ParameterStore& store, const ConvolutionShape& shape)
    : has_bias_(shape.bias),
      neighbors_(shape),
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
  const auto add_bias = [&](const RowSet& rows) {
    if (has_bias_) kernels::add_bias(pass.ctx, store.value_span(bias_), y, rows);
  };
  neighbors_.forward(pass, x, store.value(weight_), y, add_bias);
}

void GcnConvolution::backward(Pass& pass,
                              ParameterStore& store,
                              const LayerInput& x,
                              kernels::ConstMatrixView grad_y,
                              kernels::MatrixView grad_x) {
  const auto sum_bias = [&](const RowSet& rows) {
    if (has_bias_) kernels::bias_gradient(pass.ctx, grad_y, store.gradient_span(bias_), rows);
  };
  neighbors_.backward(pass, x, grad_y,
                      {.weight = store.value(weight_),
                       .grad_weight = store.gradient(weight_),
                       .grad_x = grad_x,
                       .meanwhile = sum_bias});
}

}  // namespace weft::layers
