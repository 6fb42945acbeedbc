// SPDX-License-Identifier: MIT
// A block in the order in which data walks through it; backward is the same list from the end.
#include "layers/block.hpp"

#include <algorithm>

#include "graph/support/text.hpp"
#include "kernels/layer_norm.hpp"
#include "layers/gcn.hpp"
#include "layers/sage.hpp"

namespace weft::layers {

using kernels::ConstMatrixView;
using kernels::MatrixView;
using kernels::RowSet;

namespace {

std::unique_ptr<Convolution> make_convolution(ConvolutionType type,
                                              ParameterStore& store,
                                              const ConvolutionShape& shape) {
  switch (type) {
    case ConvolutionType::gcn:
      return std::make_unique<GcnConvolution>(store, shape);
    case ConvolutionType::sage:
      break;
  }
  return std::make_unique<SageConvolution>(store, shape);
}

}  // namespace

Block::Block(ParameterStore& store, const BlockSpec& spec)
    : spec_(spec),
      output_name_(text("layer", spec.shape.layer, ".output")),
      grad_output_name_(text("layer", spec.shape.layer, ".grad_output")),
      convolution_(make_convolution(spec.convolution, store, spec.shape)) {
  if (spec.norm == NormType::none) return;
  const ConvolutionShape& shape = spec.shape;
  norm_gain_ =
      store.add(text("layer", shape.layer, ".norm.weight"), shape.layer, 1, shape.num_outputs);
  norm_bias_ =
      store.add(text("layer", shape.layer, ".norm.bias"), shape.layer, 1, shape.num_outputs);
}

void Block::initialize(ParameterStore& store, std::uint64_t seed) {
  convolution_->initialize(store, seed);
  if (spec_.norm == NormType::none) return;
  std::ranges::fill(store.value_span(norm_gain_), Real{1});
}

kernels::DropoutMask Block::mask(const Pass& pass, int layer, float probability) {
  return {random_key(pass.seed, RandomPurpose::dropout, static_cast<std::uint32_t>(layer)),
          pass.epoch, probability};
}

LayerInput Block::drop_input(Pass& pass, const LayerInput& x) {
  const kernels::DropoutMask dropout = mask(pass, spec_.shape.layer, spec_.dropout);
  if (x.sparse != nullptr) {
    if (drops(pass)) {
      x.sparse->use_dropped_values(pass.ctx, dropout, pass.global_ids);
    } else {
      x.sparse->use_all_values();
    }
    return x;
  }
  if (!drops(pass) || !spec_.drops_own_input) return x;
  const std::int64_t num_rows = pass.scope(spec_.shape.layer).num_inputs;
  dropped_.resize(num_rows, x.dense.num_columns, spec_.shape.storage);
  kernels::dropout(pass.ctx, dropout, pass.global_ids, x.dense, dropped_.view(),
                   RowSet::range(0, num_rows));
  return {dropped_.view(), nullptr};
}

ConstMatrixView Block::forward(Pass& pass, ParameterStore& store, const LayerInput& x) {
  const std::int64_t num_rows = pass.scope(spec_.shape.layer).num_outputs;
  input_ = drop_input(pass, x);
  convolved_.resize(num_rows, spec_.shape.num_outputs, spec_.output_storage);
  kernels::Epilogue epilogue;
  if (spec_.norm == NormType::layer) {
    normalized_.resize(num_rows, spec_.shape.num_outputs, spec_.output_storage);
    epilogue.gamma = store.value_span(norm_gain_);
    epilogue.beta = store.value_span(norm_bias_);
    epilogue.normalized = normalized_.view();
  }
  epilogue.relu = spec_.activation == ActivationType::relu;
  const kernels::DropoutMask dropout = mask(pass, spec_.shape.layer + 1, spec_.output_dropout);
  if (pass.training && spec_.output_dropout > 0) {
    epilogue.dropout = &dropout;
    epilogue.global_ids = pass.global_ids;
  }
  convolution_->forward(pass, store, input_, convolved_.view(), epilogue);
  const ConstMatrixView y = spec_.norm == NormType::layer ? normalized_.view() : convolved_.view();
  pass.observe(output_name_, y);
  return y;
}

void Block::backward(Pass& pass, ParameterStore& store, ConstMatrixView grad_y, MatrixView grad_x) {
  pass.observe(grad_output_name_, grad_y);
  ConstMatrixView grad_convolved = grad_y;
  if (spec_.norm == NormType::layer) {
    grad_norm_.resize(grad_y.num_rows, grad_y.num_columns, grad_y.storage);
    kernels::layer_norm_backward(pass.ctx, convolved_.view(), store.value_span(norm_gain_), grad_y,
                                 grad_norm_.view(), store.gradient_span(norm_gain_),
                                 store.gradient_span(norm_bias_),
                                 RowSet::range(0, grad_y.num_rows));
    grad_convolved = grad_norm_.view();
  }
  InputGradient input{grad_x};
  const kernels::DropoutMask dropout = mask(pass, spec_.shape.layer, spec_.dropout);
  if (spec_.input_activation == ActivationType::relu) {
    input.epilogue.gate = input_.dense;
    if (drops(pass)) input.epilogue.gate_scale = dropout.scale();
  } else if (drops(pass)) {
    input.epilogue.dropout = &dropout;
    input.epilogue.global_ids = pass.global_ids;
  }
  convolution_->backward(pass, store, input_, grad_convolved, input);
}

}  // namespace weft::layers
