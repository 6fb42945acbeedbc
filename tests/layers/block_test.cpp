// SPDX-License-Identifier: MIT
// A block: dropout in training only, norm before activation, ReLU's gradient.
#include "layers/block.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/layers/convolution_harness.hpp"

namespace weft::layers {
namespace {

using test_support::ConvolutionHarness;

BlockSpec spec_of(std::int64_t num_inputs) {
  BlockSpec spec;
  spec.shape.num_inputs = num_inputs;
  spec.shape.num_outputs = 6;
  return spec;
}

kernels::Matrix copy_of(kernels::ConstMatrixView view) {
  kernels::Matrix copy(view.num_rows, view.num_columns);
  std::copy_n(view.data, copy.size(), copy.data());
  return copy;
}

struct BlockRun {
  explicit BlockRun(const BlockSpec& spec) : block(store, spec) {
    store.allocate();
    block.initialize(store, 1);
  }
  kernels::Matrix forward(ConvolutionHarness& harness, bool training) {
    Pass pass = harness.pass(training);
    return copy_of(block.forward(pass, store, {harness.input().view(), nullptr}));
  }
  ParameterStore store;
  Block block;
};

bool equal(const kernels::Matrix& a, const kernels::Matrix& b) {
  return std::ranges::equal(a.values(), b.values());
}

TEST(Block, DropsInTrainingOnly) {
  ConvolutionHarness harness({Normalization::symmetric, true});
  BlockSpec spec = spec_of(harness.num_inputs());
  spec.activation = ActivationType::none;
  BlockRun without(spec);
  spec.dropout = 0.5F;
  BlockRun with(spec);
  EXPECT_TRUE(equal(with.forward(harness, false), without.forward(harness, false)));
  EXPECT_TRUE(equal(without.forward(harness, true), without.forward(harness, false)));
  if (harness.input().num_rows() > 0) {
    EXPECT_FALSE(equal(with.forward(harness, true), without.forward(harness, true)));
  } else {
    static_cast<void>(with.forward(harness, true));
    static_cast<void>(without.forward(harness, true));
  }
}

TEST(Block, NormalizesRowsBeforeTheActivation) {
  ConvolutionHarness harness({Normalization::symmetric, true});
  BlockSpec spec = spec_of(harness.num_inputs());
  spec.norm = NormType::layer;
  spec.activation = ActivationType::none;
  BlockRun run(spec);
  const kernels::Matrix y = run.forward(harness, false);
  for (std::int64_t r = 0; r < y.num_rows(); ++r) {
    double sum = 0;
    double square = 0;
    for (std::int64_t c = 0; c < y.num_columns(); ++c) {
      sum += static_cast<double>(y.at(r, c));
      square += static_cast<double>(y.at(r, c)) * static_cast<double>(y.at(r, c));
    }
    EXPECT_NEAR(sum, 0, 1e-4);
    EXPECT_LE(square, static_cast<double>(y.num_columns()) + 1e-3);
  }
}

TEST(Block, ReluStopsGradientsOfNegativeOutputs) {
  ConvolutionHarness harness({Normalization::symmetric, true});
  BlockRun run(spec_of(harness.num_inputs()));
  const kernels::Matrix y = run.forward(harness, true);
  EXPECT_TRUE(std::ranges::all_of(y.values(), [](Real v) { return v >= 0; }));
  kernels::Matrix grad_y(y.num_rows(), y.num_columns());
  grad_y.fill(1);
  kernels::Matrix grad_x(y.num_rows(), harness.num_inputs());
  Pass pass = harness.pass(true);
  run.block.backward(pass, run.store, grad_y.view(), grad_x.view());
  double bias = 0;
  double positive = 0;
  for (const Real g : run.store.gradient_span(1))
    bias += static_cast<double>(g);
  for (const Real v : y.values())
    positive += v > 0 ? 1 : 0;
  EXPECT_NEAR(bias, positive, 1e-3);
}

}  // namespace
}  // namespace weft::layers
