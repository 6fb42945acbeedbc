// SPDX-License-Identifier: MIT
// Mirrors what layers allocate, layer by layer; buffers that layers share count once, at their
// largest.
#include "trainer/memory_plan.hpp"

#include <algorithm>

namespace weft::trainer {

namespace {

/// One layer's shape with its rows.
struct PlannedLayer {
  layers::BlockSpec block;
  bool transforms_first = false;
  std::int64_t inputs = 0;   ///< rows that a training epoch reads
  std::int64_t outputs = 0;  ///< and computes

  [[nodiscard]] const layers::ConvolutionShape& shape() const { return block.shape; }
  [[nodiscard]] std::int64_t exchanged_columns() const {
    if (shape().sums_in_training) return std::max(shape().num_outputs, shape().num_inputs);
    return transforms_first ? shape().num_outputs : shape().num_inputs;
  }
};

PlannedLayer planned_layer(const layers::ModelSpec& model, const BufferRows& rows, int l) {
  PlannedLayer layer;
  layer.block = layers::block_spec(model, l);
  layer.transforms_first = layers::transforms_first(layer.block.shape);
  layer.inputs = rows.train_inputs[static_cast<std::size_t>(l)];
  layer.outputs = rows.train_outputs[static_cast<std::size_t>(l)];
  return layer;
}

/// Numbers of the output, the dropped input and the norm.
std::int64_t activation_bytes(const PlannedLayer& layer, std::int64_t owned) {
  const bool has_norm = layer.block.norm != layers::NormType::none;
  const std::int64_t output = owned * layer.shape().num_outputs * (has_norm ? 2 : 1) *
                              kernels::element_bytes(layer.block.output_storage);
  const bool drops_input =
      layer.block.drops_own_input && layer.block.dropout > 0 && !layer.shape().sparse_input;
  const std::int64_t dropped = drops_input ? layer.inputs * layer.shape().num_inputs : 0;
  return output + dropped * kernels::element_bytes(layer.shape().storage);
}

/// What layers share: x W forward, the gradient of x W or of A x backward.
std::int64_t shared_elements(const PlannedLayer& layer, std::int64_t owned) {
  const std::int64_t transformed = layer.transforms_first ? owned * layer.shape().num_outputs : 0;
  const bool sums = !layer.transforms_first || layer.shape().sums_in_training;
  const bool has_gradient = sums && layer.shape().needs_input_gradient;
  return std::max(transformed, has_gradient ? layer.outputs * layer.shape().num_inputs : 0);
}

/// Sums that the backward pass needs, or the whole run.
std::int64_t summed_rows(const PlannedLayer& layer, std::int64_t owned) {
  if (!layer.transforms_first) return owned;
  return layer.shape().sums_in_training ? layer.outputs : 0;
}

}  // namespace

BufferRows BufferRows::unpruned(std::int64_t owned,
                                std::int64_t halo,
                                std::int64_t sent,
                                int num_layers) {
  const std::vector<std::int64_t> all(static_cast<std::size_t>(num_layers), owned);
  return {owned, all, all, halo, sent, halo, sent};
}

std::int64_t count_weights(const layers::ModelSpec& model) {
  std::int64_t count = 0;
  for (int l = 0; l < model.num_layers; ++l) {
    const layers::BlockSpec block = layers::block_spec(model, l);
    const int products = model.type == layers::ConvolutionType::sage ? 2 : 1;
    const int vectors = (model.bias ? 1 : 0) + (block.norm != layers::NormType::none ? 2 : 0);
    count += products * block.shape.num_inputs * block.shape.num_outputs +
             vectors * block.shape.num_outputs;
  }
  return count;
}

// A sum of a constant input is made once, by messages.
SharedColumns shared_columns(const layers::ModelSpec& model) {
  SharedColumns columns;
  for (int l = 0; l < model.num_layers; ++l) {
    const layers::ConvolutionShape shape = layers::block_spec(model, l).shape;
    const bool transforms = layers::transforms_first(shape);
    const bool sums = !transforms || shape.sums_in_training;
    if (transforms) {
      columns.transformed = std::max(columns.transformed, shape.num_outputs);
      columns.reverse = std::max(columns.reverse, shape.num_outputs);
    }
    if (sums && shape.needs_input_gradient) {
      columns.transformed = std::max(columns.transformed, shape.num_inputs);
      columns.reverse = std::max(columns.reverse, shape.num_inputs);
    }
    if (sums && !shape.constant_input)
      columns.forward = std::max(columns.forward, shape.num_inputs);
  }
  return columns;
}

PlannedBuffers plan_buffers(const layers::ModelSpec& model, const BufferRows& rows) {
  PlannedBuffers plan;
  const std::int64_t element = kernels::element_bytes(model.storage);
  std::int64_t shared = 0;
  std::int64_t largest_gradient = 0;
  std::int64_t exchanged = 0;
  std::int64_t exchanged_once = 0;
  bool needs_two_gradients = false;
  for (int l = 0; l < model.num_layers; ++l) {
    const PlannedLayer layer = planned_layer(model, rows, l);
    plan.activations += activation_bytes(layer, rows.owned);
    plan.sums += summed_rows(layer, rows.owned) * layer.shape().num_inputs * element;
    shared = std::max(shared, shared_elements(layer, rows.owned));
    std::int64_t& columns = layer.shape().constant_input ? exchanged_once : exchanged;
    columns = std::max(columns, layer.exchanged_columns());
    if (layer.block.norm != layers::NormType::none) {
      plan.gradients += layer.outputs * layer.shape().num_outputs * element;
    }
    if (l == 0) continue;
    largest_gradient = std::max(largest_gradient, layer.inputs * layer.shape().num_inputs);
    needs_two_gradients = needs_two_gradients || (l + 1 < model.num_layers &&
                                                  model.type == layers::ConvolutionType::sage &&
                                                  layer.block.norm == layers::NormType::none);
  }
  plan.gradients += rows.train_outputs.back() * model.num_outputs * element;  // of the logits
  if (!rows.are_shared) plan.gradients += shared * element;
  plan.gradients += largest_gradient * (needs_two_gradients ? 2 : 1) * element;
  // The sum of a constant input goes by messages wherever ranks are, and its buffers are kept.
  plan.messages =
      (std::max(rows.halo * exchanged, rows.all_halo * exchanged_once) + rows.halo * exchanged +
       std::max(rows.sent * exchanged, rows.all_sent * exchanged_once)) *
      element;
  // The best state and the one that is being saved: weights and two moments each.
  constexpr std::int64_t copies_of_weights = 6;
  plan.weights = count_weights(model) * copies_of_weights * static_cast<std::int64_t>(sizeof(Real));
  return plan;
}

}  // namespace weft::trainer
