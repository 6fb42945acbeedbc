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

// The block above finishes the gradient of its input: only what the activation let through passes.
TEST(Block, GradientsStopWhereTheInputsActivationDid) {
  ConvolutionHarness harness({Normalization::symmetric, true});
  BlockSpec gated = spec_of(harness.num_inputs());
  gated.activation = ActivationType::none;
  gated.dropout = 0.5F;
  gated.drops_own_input = false;
  BlockSpec plain = gated;
  gated.input_activation = ActivationType::relu;
  plain.dropout = 0;
  const std::int64_t num_rows = harness.input().num_rows();
  kernels::Matrix grad_y(num_rows, gated.shape.num_outputs);
  grad_y.fill(1);
  kernels::Matrix grads[2];
  for (const bool is_gated : {false, true}) {
    BlockRun run(is_gated ? gated : plain);
    static_cast<void>(run.forward(harness, true));
    kernels::Matrix& grad_x = grads[is_gated ? 1 : 0];
    grad_x.resize(num_rows, harness.num_inputs());
    Pass pass = harness.pass(true);
    run.block.backward(pass, run.store, grad_y.view(), grad_x.view());
  }
  for (std::int64_t i = 0; i < grads[0].size(); ++i) {
    const Real expected = harness.input().data()[i] > 0 ? 2 * grads[0].data()[i] : 0;
    EXPECT_EQ(grads[1].data()[i], expected) << i;
  }
}

TEST(Block, DropsItsOutputForTheBlockAbove) {
  ConvolutionHarness harness({Normalization::symmetric, true});
  BlockSpec spec = spec_of(harness.num_inputs());
  BlockRun whole(spec);
  spec.output_dropout = 0.5F;
  BlockRun dropped(spec);
  const kernels::Matrix all = whole.forward(harness, true);
  EXPECT_TRUE(equal(dropped.forward(harness, false), whole.forward(harness, false)));
  const kernels::Matrix some = dropped.forward(harness, true);
  std::int64_t num_kept = 0;
  std::int64_t num_positive = 0;
  for (std::int64_t i = 0; i < all.size(); ++i) {
    EXPECT_TRUE(some.data()[i] == 0 || some.data()[i] == 2 * all.data()[i]) << i;
    num_kept += some.data()[i] > 0 ? 1 : 0;
    num_positive += all.data()[i] > 0 ? 1 : 0;
  }
  EXPECT_LE(num_kept, num_positive);
  EXPECT_TRUE(num_positive < 50 || (num_kept > 0 && num_kept < num_positive));
}

}  // namespace
}  // namespace weft::layers
