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

std::int64_t exchanged_columns(const ConvolutionShape& shape) {
  return transforms_first(shape) ? columns_transform_first(shape) : columns_sum_first(shape);
}

}  // namespace weft::layers
