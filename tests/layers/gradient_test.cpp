// SPDX-License-Identifier: MIT
// Finite differences of the global loss against distributed gradients: directed weighted graph,
// dropout on, each convolution in both orders of transform and sum, dense and sparse input, with
// and without norm (T1 of the test matrix). At 1e-6 in double; in float the check is coarse.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "tests/layers/model_harness.hpp"

namespace weft::layers {
namespace {

using test_support::ModelHarness;
using test_support::Owners;

struct Case {
  const char* name;
  ConvolutionType type;
  std::int64_t num_hidden;
  int num_layers;
  NormType norm;
  ActivationType activation;
  bool sparse_features;
  float input_dropout = 0.2F;
};

/// Widths: 7 inputs, 5 classes. Hidden 3 transforms first in layer 0, hidden 16 sums first there.
constexpr Case cases[] = {
    {"gcn_one_layer", ConvolutionType::gcn, 4, 1, NormType::none, ActivationType::none, false},
    {"gcn_narrow", ConvolutionType::gcn, 3, 2, NormType::none, ActivationType::none, false},
    {"gcn_wide_norm", ConvolutionType::gcn, 16, 3, NormType::layer, ActivationType::none, false},
    {"gcn_relu", ConvolutionType::gcn, 8, 2, NormType::none, ActivationType::relu, false},
    {"gcn_relu_norm", ConvolutionType::gcn, 8, 3, NormType::layer, ActivationType::relu, false},
    {"gcn_sparse", ConvolutionType::gcn, 6, 2, NormType::none, ActivationType::none, true},
    {"gcn_constant", ConvolutionType::gcn, 4, 2, NormType::none, ActivationType::relu, false, 0},
    {"sage_constant", ConvolutionType::sage, 4, 2, NormType::none, ActivationType::relu, false, 0},
    {"sage_one_layer", ConvolutionType::sage, 4, 1, NormType::none, ActivationType::none, false},
    {"sage_narrow", ConvolutionType::sage, 3, 2, NormType::none, ActivationType::none, false},
    {"sage_wide_norm", ConvolutionType::sage, 16, 3, NormType::layer, ActivationType::none, false},
    {"sage_relu", ConvolutionType::sage, 8, 2, NormType::none, ActivationType::relu, false},
    {"sage_relu_norm", ConvolutionType::sage, 8, 3, NormType::layer, ActivationType::relu, false},
    {"gcn_deep", ConvolutionType::gcn, 4, 4, NormType::none, ActivationType::relu, false},
    {"sage_deep", ConvolutionType::sage, 4, 4, NormType::none, ActivationType::relu, false},
    {"sage_sparse", ConvolutionType::sage, 6, 2, NormType::none, ActivationType::none, true},
};

class Gradient : public ::testing::TestWithParam<Case> {};

enum class Rows { all, pruned, pruned_summed_first };

ModelHarness harness_of(comm::Communicator& world, const Case& c, Rows rows) {
  test_support::RandomDatasetOptions options;
  options.num_vertices = 20;
  options.sparse_features = c.sparse_features;
  const datasets::Dataset dataset = test_support::random_dataset(options);
  ModelSpec spec;
  spec.type = c.type;
  spec.num_hidden = c.num_hidden;
  spec.num_layers = c.num_layers;
  spec.norm = c.norm;
  spec.activation = c.activation;
  spec.dropout = 0.3F;
  spec.input_dropout = c.input_dropout;
  if (rows == Rows::pruned_summed_first) {
    spec.sums_in_training.assign(static_cast<std::size_t>(c.num_layers), true);
    spec.sums_in_training.front() = !c.sparse_features;
  }
  const AggregationOptions aggregation = c.type == ConvolutionType::gcn
                                             ? AggregationOptions{Normalization::symmetric, true}
                                             : AggregationOptions{Normalization::mean, false};
  return {world, dataset, Owners::random, aggregation, spec, rows != Rows::all};
}

void check_gradient(const Case& c, Rows rows) {
  comm::Communicator world = comm::Communicator::world();
  ModelHarness harness = harness_of(world, c, rows);
  const double bound = sizeof(Real) == sizeof(double) ? 1e-6 : 5e-2;
  EXPECT_LT(gradient_error(harness), bound);
}

TEST_P(Gradient, EqualsFiniteDifferences) {
  check_gradient(GetParam(), Rows::all);
}

TEST_P(Gradient, EqualsFiniteDifferencesWhereRowsArePruned) {
  check_gradient(GetParam(), Rows::pruned);
}

TEST_P(Gradient, EqualsFiniteDifferencesWherePrunedRowsAreSummedFirst) {
  check_gradient(GetParam(), Rows::pruned_summed_first);
}

TEST_P(Gradient, IsFinalWhereItsLayerIsToldToBeDone) {
  comm::Communicator world = comm::Communicator::world();
  ModelHarness harness = harness_of(world, GetParam(), Rows::all);
  ParameterStore& store = harness.model().parameters();
  std::vector<int> layers;
  std::vector<Real> told(static_cast<std::size_t>(store.size()));
  harness.set_gradients_done([&](int layer) {
    layers.push_back(layer);
    for (const Parameter& p : store.parameters()) {
      if (p.layer != layer) continue;
      std::copy_n(store.gradients().begin() + p.offset, p.size(), told.begin() + p.offset);
    }
  });
  harness.gradient();
  std::vector<int> from_last_to_first(static_cast<std::size_t>(GetParam().num_layers));
  std::iota(from_last_to_first.rbegin(), from_last_to_first.rend(), 0);
  EXPECT_EQ(layers, from_last_to_first);
  EXPECT_TRUE(std::ranges::equal(told, store.gradients()));
}

INSTANTIATE_TEST_SUITE_P(Layers, Gradient, ::testing::ValuesIn(cases), [](const auto& parameter) {
  return std::string(parameter.param.name);
});

}  // namespace
}  // namespace weft::layers
