// SPDX-License-Identifier: MIT
// GraphSAGE (mean) by its equation: y = x W_self + mean(x) W_neighbor + b, in both orders.
// Gradients are checked in gradient_test.cpp.
#include "layers/sage.hpp"

#include <gtest/gtest.h>

#include "tests/layers/convolution_harness.hpp"

namespace weft::layers {
namespace {

using test_support::ConvolutionHarness;

void expect_equation(std::int64_t num_outputs) {
  ConvolutionHarness harness({Normalization::mean, false});
  ParameterStore store;
  SageConvolution sage(store, {0, harness.num_inputs(), num_outputs, true, true, false});
  store.allocate();
  sage.initialize(store, 1);
  ASSERT_EQ(store.parameters().size(), 3U);
  for (Real& b : store.value_span(2))
    b = Real{-0.25};
  const kernels::Matrix found = harness.forward(sage, store, num_outputs);

  kernels::Matrix expected = harness.multiply(harness.input(), store.value(0));
  const kernels::Matrix neighbors = harness.multiply(harness.neighbor_sum(), store.value(1));
  for (std::int64_t i = 0; i < expected.size(); ++i) {
    expected.data()[i] += neighbors.data()[i] - Real{0.25};
  }
  harness.expect_near(found, expected);
}

TEST(Sage, TransformFirstIsTheEquation) {
  ASSERT_TRUE(transforms_first({0, 7, 3, true, true, false}));
  expect_equation(3);
}

TEST(Sage, SumFirstIsTheEquation) {
  ASSERT_FALSE(transforms_first({0, 7, 12, true, true, false}));
  expect_equation(12);
}

TEST(Sage, NamesItsParameters) {
  ParameterStore store;
  const SageConvolution sage(store, {1, 7, 3, true, true, false});
  ASSERT_EQ(store.parameters().size(), 3U);
  EXPECT_EQ(store.parameters()[0].name, "layer1.weight_self");
  EXPECT_EQ(store.parameters()[1].name, "layer1.weight_neighbor");
  EXPECT_EQ(store.parameters()[2].name, "layer1.bias");
}

}  // namespace
}  // namespace weft::layers
