// SPDX-License-Identifier: MIT
// A model as data: layers, parameters, initial weights.
#include "layers/model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "graph/support/error.hpp"

namespace weft::layers {
namespace {

ModelSpec spec_of(ConvolutionType type, int num_layers) {
  ModelSpec spec;
  spec.type = type;
  spec.num_inputs = 10;
  spec.num_hidden = 6;
  spec.num_outputs = 3;
  spec.num_layers = num_layers;
  spec.norm = NormType::layer;
  return spec;
}

TEST(Model, HasItsWidthsInOrder) {
  const ModelSpec spec = spec_of(ConvolutionType::gcn, 3);
  EXPECT_EQ(block_spec(spec, 0).shape.num_inputs, 10);
  EXPECT_EQ(block_spec(spec, 0).shape.num_outputs, 6);
  EXPECT_EQ(block_spec(spec, 2).shape.num_inputs, 6);
  EXPECT_EQ(block_spec(spec, 2).shape.num_outputs, 3);
  EXPECT_FALSE(block_spec(spec, 0).shape.needs_input_gradient);
  EXPECT_TRUE(block_spec(spec, 1).shape.needs_input_gradient);
}

TEST(Model, EndsWithoutNormAndActivation) {
  const ModelSpec spec = spec_of(ConvolutionType::gcn, 2);
  EXPECT_EQ(block_spec(spec, 0).norm, NormType::layer);
  EXPECT_EQ(block_spec(spec, 0).activation, ActivationType::relu);
  EXPECT_EQ(block_spec(spec, 1).norm, NormType::none);
  EXPECT_EQ(block_spec(spec, 1).activation, ActivationType::none);
}

TEST(Model, InputDropoutIsOfTheFirstLayerOnly) {
  ModelSpec spec = spec_of(ConvolutionType::sage, 3);
  spec.input_dropout = 0.1F;
  spec.dropout = 0.7F;
  EXPECT_EQ(block_spec(spec, 0).dropout, 0.1F);
  EXPECT_EQ(block_spec(spec, 1).dropout, 0.7F);
  EXPECT_EQ(block_spec(spec, 2).dropout, 0.7F);
}

TEST(Model, ParameterNamesAreUniqueAndCountsAreThoseOfTheEquations) {
  Model gcn(spec_of(ConvolutionType::gcn, 2), 1);
  EXPECT_EQ(gcn.parameters().size(), 10 * 6 + 6 + 2 * 6 + 6 * 3 + 3);
  Model sage(spec_of(ConvolutionType::sage, 2), 1);
  EXPECT_EQ(sage.parameters().size(), 2 * 10 * 6 + 6 + 2 * 6 + 2 * 6 * 3 + 3);
  std::set<std::string> names;
  for (const Parameter& p : sage.parameters().parameters())
    names.insert(p.name);
  EXPECT_EQ(names.size(), sage.parameters().parameters().size());
}

TEST(Model, StartsFromItsSeed) {
  Model first(spec_of(ConvolutionType::gcn, 2), 1);
  Model again(spec_of(ConvolutionType::gcn, 2), 1);
  Model other(spec_of(ConvolutionType::gcn, 2), 2);
  EXPECT_TRUE(std::ranges::equal(first.parameters().values(), again.parameters().values()));
  EXPECT_FALSE(std::ranges::equal(first.parameters().values(), other.parameters().values()));
}

// 10-6-6-3: the last layer computes 10 rows of the 1,000 that it reads, the others nearly all.
TEST(Model, SumsFirstInTrainingWhereFewRowsAreComputed) {
  ModelSpec spec = spec_of(ConvolutionType::gcn, 3);
  Reach reach;
  EXPECT_TRUE(layers_that_sum_in_training(spec, reach, 20, 1).empty());
  reach.num_layers = 3;
  reach.distance = {0};
  reach.global_rows = {10, 1000, 1010, 1010};
  spec.sums_in_training = layers_that_sum_in_training(spec, reach, 20, 1);
  EXPECT_EQ(spec.sums_in_training, (std::vector<bool>{false, false, true}));
  EXPECT_FALSE(block_spec(spec, 1).shape.sums_in_training);
  EXPECT_TRUE(block_spec(spec, 2).shape.sums_in_training);
}

TEST(Model, RefusesAModelWithoutLayersOrWidths) {
  EXPECT_THROW(Model(spec_of(ConvolutionType::gcn, 0), 1), InputError);
  ModelSpec no_classes = spec_of(ConvolutionType::gcn, 2);
  no_classes.num_outputs = 0;
  EXPECT_THROW(Model(no_classes, 1), InputError);
}

}  // namespace
}  // namespace weft::layers
