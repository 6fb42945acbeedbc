// SPDX-License-Identifier: MIT
// Builds the blocks and walks them forward and back.
#include "layers/model.hpp"

#include <utility>

#include "graph/support/error.hpp"
#include "graph/support/text.hpp"

namespace weft::layers {

using kernels::ConstMatrixView;
using kernels::MatrixView;

BlockSpec block_spec(const ModelSpec& spec, int layer) {
  const bool is_first = layer == 0;
  const bool is_last = layer == spec.num_layers - 1;
  BlockSpec block;
  block.convolution = spec.type;
  block.shape.layer = layer;
  block.shape.num_inputs = is_first ? spec.num_inputs : spec.num_hidden;
  block.shape.num_outputs = is_last ? spec.num_outputs : spec.num_hidden;
  block.shape.bias = spec.bias;
  block.shape.needs_input_gradient = !is_first;
  block.shape.sparse_input = is_first && spec.sparse_input;
  block.shape.constant_input = is_first && !spec.sparse_input && spec.input_dropout == 0;
  block.shape.storage = spec.storage;
  block.shape.sums_in_training =
      !spec.sums_in_training.empty() && spec.sums_in_training[static_cast<std::size_t>(layer)];
  block.output_storage = is_last ? kernels::Storage::real : spec.storage;
  block.dropout = is_first ? spec.input_dropout : spec.dropout;
  block.drops_own_input = is_first;
  block.input_activation = is_first ? ActivationType::none : spec.activation;
  block.norm = is_last ? NormType::none : spec.norm;
  block.activation = is_last ? ActivationType::none : spec.activation;
  block.output_dropout = is_last ? 0 : spec.dropout;
  return block;
}

std::vector<bool> layers_that_sum_in_training(const ModelSpec& spec,
                                              const Reach& reach,
                                              double arcs_per_row,
                                              int num_ranks) {
  std::vector<bool> sums;
  if (!reach.is_pruned()) return sums;
  const auto rows_within = [&](std::int32_t distance) {
    return static_cast<double>(reach.global_rows[static_cast<std::size_t>(distance)]);
  };
  for (int layer = 0; layer < spec.num_layers; ++layer) {
    const std::int32_t distance = reach.input_distance(layer);
    sums.push_back(sums_pruned_rows(
        block_spec(spec, layer).shape,
        {rows_within(distance), rows_within(distance - 1), arcs_per_row}, num_ranks));
  }
  return sums;
}

Model::Model(const ModelSpec& spec, std::uint64_t seed) : spec_(spec) {
  if (spec.num_layers < 1 || spec.num_inputs < 1 || spec.num_outputs < 1 || spec.num_hidden < 1) {
    throw InputError(text("model: ", spec.num_layers, " layers, ", spec.num_inputs, " inputs, ",
                          spec.num_hidden, " hidden, ", spec.num_outputs,
                          " outputs; each must be at least 1"));
  }
  blocks_.reserve(static_cast<std::size_t>(spec.num_layers));
  for (int layer = 0; layer < spec.num_layers; ++layer) {
    blocks_.emplace_back(store_, block_spec(spec, layer));
  }
  store_.allocate();
  for (Block& block : blocks_)
    block.initialize(store_, seed);
}

ConstMatrixView Model::forward(Pass& pass, const LayerInput& x) {
  ConstMatrixView y = blocks_.front().forward(pass, store_, x);
  for (std::size_t i = 1; i < blocks_.size(); ++i) {
    y = blocks_[i].forward(pass, store_, {y, nullptr});
  }
  return y;
}

void Model::backward(Pass& pass, ConstMatrixView grad_logits) {
  ConstMatrixView grad_y = grad_logits;
  kernels::Matrix* current = &grad_current_;
  kernels::Matrix* other = &grad_other_;
  reserve_gradients(pass);
  for (std::size_t i = blocks_.size(); i-- > 1;) {
    // The logits' gradient lies elsewhere, so the first of these is free to be written to.
    const bool is_top = i + 1 == blocks_.size();
    if (!is_top && !blocks_[i].may_overwrite_gradient()) std::swap(current, other);
    resize_gradient(pass, i, *current);
    blocks_[i].backward(pass, store_, grad_y, current->view());
    pass.tell_gradients_done(static_cast<int>(i));
    grad_y = current->view();
  }
  blocks_.front().backward(pass, store_, grad_y, {});
  pass.tell_gradients_done(0);
}

void Model::resize_gradient(const Pass& pass, std::size_t block, kernels::Matrix& grad) const {
  const ConvolutionShape& shape = blocks_[block].spec().shape;
  grad.resize(pass.scope(shape.layer).num_inputs, shape.num_inputs, spec_.storage);
}

// A matrix that grows loses its contents, so the largest shape comes first.
void Model::reserve_gradients(const Pass& pass) {
  for (std::size_t i = 1; i < blocks_.size(); ++i)
    resize_gradient(pass, i, grad_current_);
}

}  // namespace weft::layers
