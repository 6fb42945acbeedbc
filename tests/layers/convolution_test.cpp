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

// A twelfth of the rows is computed, of what all rows are read: the product of all is what counts.
TEST(SumsPrunedRows, WhereTheProductOfTheInputsCostsMore) {
  const PrunedRows few{12000, 1000, 60};
  EXPECT_TRUE(sums_pruned_rows(shape(128, 40, true, false), few, 1));
  EXPECT_TRUE(sums_pruned_rows(shape(128, 128, true, false), few, 1));
  EXPECT_FALSE(sums_pruned_rows(shape(128, 40, true, false), {12000, 11000, 60}, 1));
  // 602 columns a gathered row cost more than the products of 11 rows with 4 columns.
  EXPECT_FALSE(sums_pruned_rows(shape(602, 4, true, false), few, 1));
}

TEST(SumsPrunedRows, NeverForMoreExchange) {
  const PrunedRows few{12000, 1000, 60};
  EXPECT_FALSE(sums_pruned_rows(shape(128, 40, true, false), few, 2));
  EXPECT_TRUE(sums_pruned_rows(shape(128, 128, true, false), few, 2));
}

TEST(SumsPrunedRows, NeverForSparseInputNorWhereTheSumIsFirstAnyway) {
  const PrunedRows few{12000, 1000, 60};
  EXPECT_FALSE(sums_pruned_rows(shape(128, 40, false, true), few, 1));
  EXPECT_FALSE(sums_pruned_rows(shape(40, 128, true, false), few, 1));
}

}  // namespace
}  // namespace weft::layers
