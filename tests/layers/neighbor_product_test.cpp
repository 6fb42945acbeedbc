// SPDX-License-Identifier: MIT
// The sum over a constant input: made in the first pass, used in all; values as if it were made
// anew. Gradients are checked in gradient_test.cpp.
#include "layers/neighbor_product.hpp"

#include <gtest/gtest.h>

#include "comm/communicator.hpp"
#include "tests/layers/convolution_harness.hpp"

namespace weft::layers {
namespace {

using test_support::ConvolutionHarness;

constexpr std::int64_t num_outputs = 3;

ConvolutionShape shape_of(const ConvolutionHarness& harness, bool constant) {
  ConvolutionShape shape;
  shape.num_inputs = harness.num_inputs();
  shape.num_outputs = num_outputs;
  shape.needs_input_gradient = false;
  shape.constant_input = constant;
  return shape;
}

kernels::Matrix rising(std::int64_t num_rows, std::int64_t num_columns) {
  kernels::Matrix matrix(num_rows, num_columns);
  for (std::int64_t i = 0; i < matrix.size(); ++i)
    matrix.data()[i] = static_cast<Real>(i % 17) / Real{16} - Real{0.5};
  return matrix;
}

TEST(NeighborProduct, SumsAConstantInputOnce) {
  ConvolutionHarness harness({Normalization::symmetric, true});
  NeighborProduct product(shape_of(harness, true));
  Pass pass = harness.pass(true);
  const LayerInput x{harness.input().view(), nullptr};
  const std::int64_t num_rows = harness.input().num_rows();
  kernels::Matrix y(num_rows, num_outputs);
  kernels::Matrix grad_weight(harness.num_inputs(), num_outputs);
  const kernels::Matrix grad_y = rising(num_rows, num_outputs);
  std::int64_t bytes_after_first = 0;
  for (int epoch = 0; epoch < 3; ++epoch) {
    kernels::Matrix weight = rising(harness.num_inputs(), num_outputs);
    for (Real& value : weight.values())
      value *= static_cast<Real>(epoch + 1);
    product.forward(pass, x, {weight.view(), y.view()});
    harness.expect_near(y, harness.multiply(harness.neighbor_sum(), weight.view()));
    product.backward(pass, x, grad_y.view(), {weight.view(), grad_weight.view()});
    if (epoch == 0) bytes_after_first = harness.bytes_sent();
  }
  EXPECT_EQ(harness.bytes_sent(), bytes_after_first);
  comm::Communicator world = comm::Communicator::world();
  std::int64_t bytes = bytes_after_first;
  world.all_reduce_max(std::span<std::int64_t>(&bytes, 1));
  EXPECT_EQ(bytes > 0, world.size() > 1);
}

TEST(NeighborProduct, TheKeptSumGivesTheGradientOfTheOtherOrder) {
  ConvolutionHarness harness({Normalization::symmetric, true});
  const ConvolutionShape constant = shape_of(harness, true);
  const ConvolutionShape changing = shape_of(harness, false);
  ASSERT_FALSE(transforms_first(constant));
  ASSERT_TRUE(transforms_first(changing));
  Pass pass = harness.pass(true);
  const LayerInput x{harness.input().view(), nullptr};
  const std::int64_t num_rows = harness.input().num_rows();
  const kernels::Matrix weight = rising(harness.num_inputs(), num_outputs);
  const kernels::Matrix grad_y = rising(num_rows, num_outputs);
  comm::Communicator world = comm::Communicator::world();
  kernels::Matrix gradients[2];
  for (const bool is_constant : {false, true}) {
    NeighborProduct product(is_constant ? constant : changing);
    kernels::Matrix y(num_rows, num_outputs);
    kernels::Matrix& grad_weight = gradients[is_constant ? 1 : 0];
    grad_weight.resize(harness.num_inputs(), num_outputs);
    product.forward(pass, x, {weight.view(), y.view()});
    product.backward(pass, x, grad_y.view(), {weight.view(), grad_weight.view()});
    world.all_reduce_sum(grad_weight.values());  // a rank alone sees A^T grad_y of its own rows
  }
  harness.expect_near(gradients[1], gradients[0]);
}

}  // namespace
}  // namespace weft::layers
