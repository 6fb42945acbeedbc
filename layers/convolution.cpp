// SPDX-License-Identifier: MIT
// The order of transform and aggregation, by counts.
#include "layers/convolution.hpp"

namespace weft::layers {

namespace {

std::int64_t columns_transform_first(const ConvolutionShape& shape) {
  return 2 * shape.num_outputs;
}

std::int64_t columns_sum_first(const ConvolutionShape& shape) {
  if (shape.constant_input && !shape.sparse_input) return 0;
  return shape.num_inputs * (shape.needs_input_gradient ? 2 : 1);
}

}  // namespace

bool transforms_first(const ConvolutionShape& shape) {
  return shape.sparse_input || columns_transform_first(shape) <= columns_sum_first(shape);
}

bool sums_pruned_rows(const ConvolutionShape& shape, const PrunedRows& rows, int num_ranks) {
  constexpr double cost_of_gather = 4;  // multiply-adds
  constexpr double least_saving = 0.9;  // or the sum is kept for the backward pass for little
  if (!transforms_first(shape) || shape.sparse_input) return false;
  if (num_ranks > 1 && columns_sum_first(shape) > columns_transform_first(shape)) return false;
  const auto inputs = static_cast<double>(shape.num_inputs);
  const auto outputs = static_cast<double>(shape.num_outputs);
  const double products = inputs * outputs * (shape.needs_input_gradient ? 3 : 2);
  const double gather = cost_of_gather * rows.outputs * rows.arcs_per_row;
  const double transform_cost = rows.inputs * products + gather * 2 * outputs;
  const double sum_cost =
      rows.outputs * products + gather * inputs * (shape.needs_input_gradient ? 2 : 1);
  return sum_cost < least_saving * transform_cost;
}

std::int64_t exchanged_columns(const ConvolutionShape& shape) {
  return transforms_first(shape) ? columns_transform_first(shape) : columns_sum_first(shape);
}

}  // namespace weft::layers
