// SPDX-License-Identifier: MIT
// Loss, gradient and accuracy worked out by hand: four vertices on the first rank and one on the
// second, so that a mean of the ranks' means is not the mean over vertices.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "tests/trainer/engine_harness.hpp"

namespace weft::trainer {
namespace {

constexpr std::size_t num_vertices = 5;

using Logits = std::array<std::array<double, 2>, num_vertices>;

/// No arcs, one-hot features, all vertices of class 0 and for training.
datasets::Dataset lone_vertices() {
  datasets::Dataset dataset;
  dataset.name = "lone";
  dataset.num_vertices = num_vertices;
  dataset.task = datasets::Task::single_label;
  dataset.num_classes = 2;
  dataset.graph.row_ptr = keep(dataset, std::vector<EdgeOffset>(num_vertices + 1, 0));
  std::vector<float> one_hot(num_vertices * num_vertices, 0);
  for (std::size_t v = 0; v < num_vertices; ++v)
    one_hot[v * num_vertices + v] = 1;
  dataset.features.num_rows = dataset.features.num_columns = num_vertices;
  dataset.features.dense = keep(dataset, std::move(one_hot));
  dataset.labels = keep(dataset, std::vector<std::int32_t>(num_vertices, 0));
  dataset.splits = keep(dataset, std::vector<std::int8_t>(num_vertices, 0));
  dataset.split_names = {"all"};
  return dataset;
}

/// Four vertices for rank 0, the last for rank 1 where there is one, nothing for the others.
partition::Part four_and_one(const comm::Communicator& world) {
  const std::vector<std::int32_t> owners{0, 0, 0, 0, std::min(1, world.size() - 1)};
  return test_support::make_part(lone_vertices(), owners, world.size(), world.rank());
}

RunConfig plain_config() {
  RunConfig config = test_support::small_config(ModelType::gcn);
  config.model.layers = 1;
  config.model.bias = false;
  config.model.dropout = 0;
  config.optimizer.name = OptimizerName::sgd;
  config.optimizer.weight_decay = {0.0};
  return config;
}

/// A model whose weights are its logits: each vertex reads nothing but its own one-hot row.
class HandValues : public ::testing::Test {
 protected:
  HandValues()
      : world_(comm::Communicator::world()),
        engine_(
            world_, prepare_engine(world_, four_and_one(world_), plain_config()), plain_config()) {}

  void set_logits(const Logits& logits) {
    const kernels::MatrixView weight = engine_.model().parameters().value(0);
    for (std::size_t v = 0; v < num_vertices; ++v) {
      for (std::size_t c = 0; c < 2; ++c) {
        weight.at(static_cast<std::int64_t>(v), static_cast<std::int64_t>(c)) =
            static_cast<Real>(logits[v][c]);
      }
    }
  }

  comm::Communicator world_;
  Engine engine_;
};

TEST_F(HandValues, LossAndGradientAreMeansOverVerticesNotOverRanks) {
  // Logits (0, x) cost log(1 + e^x): 1 for four vertices, 6 for the fifth. The mean of the ranks'
  // means would be 3.5.
  const double costs_1 = std::log(std::exp(1.0) - 1);
  const double costs_6 = std::log(std::exp(6.0) - 1);
  set_logits({{{0, costs_1}, {0, costs_1}, {0, costs_1}, {0, costs_1}, {0, costs_6}}});
  EXPECT_NEAR(engine_.train_epoch(1), 2.0, 1e-6);
  const kernels::ConstMatrixView gradient = engine_.model().parameters().gradient(0);
  for (std::int64_t v = 0; v < gradient.num_rows; ++v) {
    const double expected = v < 4 ? 0.126424 : 0.199504;  // (1 - e^-loss) / 5
    EXPECT_NEAR(static_cast<double>(gradient.at(v, 0)), -expected, 1e-5) << "vertex " << v;
    EXPECT_NEAR(static_cast<double>(gradient.at(v, 1)), expected, 1e-5) << "vertex " << v;
  }
}

TEST_F(HandValues, AccuracyIsTheShareOfAllVertices) {
  // Three of four and none of one are right; the mean of the ranks' shares would be 0.375.
  set_logits({{{1, 0}, {1, 0}, {1, 0}, {0, 1}, {0, 1}}});
  EXPECT_EQ(engine_.evaluate().accuracy[0], 0.6);
}

}  // namespace
}  // namespace weft::trainer
