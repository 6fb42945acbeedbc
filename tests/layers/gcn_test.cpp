// SPDX-License-Identifier: MIT
// GCN by its equation: both orders of transform and sum give y = A x W + b. Gradients are checked
// in gradient_test.cpp.
#include "layers/gcn.hpp"

#include <gtest/gtest.h>

#include "tests/layers/convolution_harness.hpp"

namespace weft::layers {
namespace {

using test_support::ConvolutionHarness;

void expect_equation(std::int64_t num_outputs) {
  ConvolutionHarness harness({Normalization::symmetric, true});
  ParameterStore store;
  const ConvolutionShape shape{0, harness.num_inputs(), num_outputs, true, true, false};
  GcnConvolution gcn(store, shape);
  store.allocate();
  gcn.initialize(store, 1);
  ASSERT_EQ(store.parameters().size(), 2U);
  EXPECT_EQ(store.parameters()[0].name, "layer0.weight");
  for (Real& b : store.value_span(1))
    b = Real{0.5};
  const kernels::Matrix found = harness.forward(gcn, store, num_outputs);

  kernels::Matrix expected = harness.multiply(harness.neighbor_sum(), store.value(0));
  for (Real& value : expected.values())
    value += Real{0.5};
  harness.expect_near(found, expected);
}

TEST(Gcn, TransformFirstIsTheEquation) {
  ASSERT_TRUE(transforms_first({0, 7, 3, true, true, false}));
  expect_equation(3);
}

TEST(Gcn, SumFirstIsTheEquation) {
  ASSERT_FALSE(transforms_first({0, 7, 12, true, true, false}));
  expect_equation(12);
}

TEST(Gcn, WithoutBiasHasOneParameter) {
  ParameterStore store;
  const GcnConvolution gcn(store, {2, 7, 3, false, true, false});
  ASSERT_EQ(store.parameters().size(), 1U);
  EXPECT_EQ(store.parameters()[0].layer, 2);
}

}  // namespace
}  // namespace weft::layers
