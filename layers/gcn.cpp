// SPDX-License-Identifier: MIT
// GCN forward and backward; the equations stand in the header.
#include "layers/gcn.hpp"

#include "graph/support/text.hpp"

namespace weft::layers {

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
                             kernels::MatrixView y,
                             const kernels::Epilogue& epilogue) {
  kernels::Epilogue with_bias = epilogue;
  if (has_bias_) with_bias.bias = store.value_span(bias_);
  neighbors_.forward(pass, x, {store.value(weight_), y, with_bias});
}

void GcnConvolution::backward(Pass& pass,
                              ParameterStore& store,
                              const LayerInput& x,
                              kernels::ConstMatrixView grad_y,
                              const InputGradient& input) {
  NeighborProduct::Gradients gradients{store.value(weight_), store.gradient(weight_)};
  if (has_bias_) gradients.grad_bias = store.gradient_span(bias_);
  gradients.grad_x = input.grad_x;
  gradients.epilogue = input.epilogue;
  neighbors_.backward(pass, x, grad_y, gradients);
}

}  // namespace weft::layers
