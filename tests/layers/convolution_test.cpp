// SPDX-License-Identifier: MIT
// The order of transform and sum follows the columns that travel.
#include "layers/convolution.hpp"

#include <gtest/gtest.h>

namespace weft::layers {
namespace {

ConvolutionShape shape(std::int64_t inputs,
                       std::int64_t outputs,
                       bool needs_gradient,
                       bool sparse) {
  ConvolutionShape result;
  result.num_inputs = inputs;
  result.num_outputs = outputs;
  result.needs_input_gradient = needs_gradient;
  result.sparse_input = sparse;
  return result;
}

TEST(TransformsFirst, WhereFewerColumnsTravel) {
  EXPECT_TRUE(transforms_first(shape(256, 47, true, false)));
  EXPECT_FALSE(transforms_first(shape(47, 256, true, false)));
  EXPECT_TRUE(transforms_first(shape(64, 64, true, false)));
}

TEST(TransformsFirst, CountsNoBackwardExchangeBelowTheFirstLayer) {
  // Sum first sends 100 columns forward and none back; transform first 60 each way.
  EXPECT_FALSE(transforms_first(shape(100, 60, false, false)));
  EXPECT_TRUE(transforms_first(shape(100, 60, true, false)));
  EXPECT_TRUE(transforms_first(shape(602, 128, false, false)));
}

TEST(TransformsFirst, NeverForConstantInput) {
  ConvolutionShape constant = shape(602, 16, false, false);
  EXPECT_TRUE(transforms_first(constant));
  constant.constant_input = true;
  EXPECT_FALSE(transforms_first(constant));
  EXPECT_EQ(exchanged_columns(constant), 0);
  constant.sparse_input = true;
  EXPECT_TRUE(transforms_first(constant));
}

TEST(TransformsFirst, AlwaysForSparseInput) {
  EXPECT_TRUE(transforms_first(shape(5, 256, false, true)));
}

}  // namespace
}  // namespace weft::layers
