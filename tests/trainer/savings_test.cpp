// SPDX-License-Identifier: MIT
// What an epoch leaves out changes no number: rows that the loss cannot reach, rows that partial
// sums replace, halves of stored numbers (within their rounding).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "tests/trainer/engine_harness.hpp"

namespace weft::trainer {
namespace {

using test_support::Owners;

/// Sparse, and every 13th vertex trains: two steps from the loss most vertices are out of reach.
datasets::Dataset few_labels() {
  test_support::RandomDatasetOptions options;
  options.num_vertices = 400;
  options.arcs_per_vertex = 1;
  datasets::Dataset dataset = test_support::random_dataset(options);
  std::vector<std::int8_t> split(400, 2);
  for (std::size_t v = 0; v < split.size(); v += 13)
    split[v] = 0;
  dataset.splits = datasets::keep(dataset, std::move(split));
  return dataset;
}

struct Outcome {
  std::vector<double> losses;
  std::vector<double> accuracies;
  std::vector<Real> weights;
  Savings savings;
  std::int64_t bytes = 0;  ///< of one training epoch, all ranks
};

Outcome train(const datasets::Dataset& dataset, const RunConfig& config) {
  comm::Communicator world = comm::Communicator::world();
  partition::Part part = test_support::my_part(world, dataset, Owners::random);
  Engine engine(world, prepare_engine(world, std::move(part), config), config);
  Outcome outcome;
  for (int epoch = 1; epoch <= 8; ++epoch) {
    engine.reset_traffic();
    outcome.losses.push_back(engine.train_epoch(epoch));
    outcome.bytes = engine.traffic().bytes_sent + engine.traffic().bytes_in_place;
    outcome.accuracies.push_back(engine.evaluate().accuracy[2]);
  }
  world.all_reduce_sum(std::span<std::int64_t>(&outcome.bytes, 1));
  const std::span<const Real> weights = engine.model().parameters().values();
  outcome.weights.assign(weights.begin(), weights.end());
  outcome.savings = engine.savings();
  return outcome;
}

double distance(const std::vector<Real>& a, const std::vector<Real>& b) {
  double square = 0;
  double size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    square += difference * difference;
    size += static_cast<double>(b[i]) * static_cast<double>(b[i]);
  }
  return std::sqrt(square / size);
}

void expect_equal(const Outcome& found, const Outcome& expected, double bound) {
  for (std::size_t epoch = 0; epoch < found.losses.size(); ++epoch) {
    EXPECT_NEAR(found.losses[epoch] / expected.losses[epoch], 1, bound) << "epoch " << epoch + 1;
    EXPECT_NEAR(found.accuracies[epoch], expected.accuracies[epoch], bound < 1e-4 ? 1e-12 : 0.1);
  }
  EXPECT_LT(distance(found.weights, expected.weights), 10 * bound);
}

using Parameters = std::tuple<ModelType, Norm, double>;

class SavingsOf : public ::testing::TestWithParam<Parameters> {
 protected:
  [[nodiscard]] static RunConfig config() {
    const auto [type, norm, dropout] = GetParam();
    RunConfig config = test_support::small_config(type);
    config.model.layers = 3;
    config.model.norm = norm;
    config.model.dropout = dropout;
    config.optimizer.name = OptimizerName::sgd;
    config.optimizer.lr = 0.1;
    config.optimizer.weight_decay = {5e-4};
    return config;
  }
};

TEST_P(SavingsOf, PrunedEpochsEqualFullOnes) {
  const datasets::Dataset dataset = few_labels();
  RunConfig full = config();
  full.train.prune = false;
  full.comm.partial_sums = false;
  RunConfig pruned = full;
  pruned.train.prune = true;
  const Outcome expected = train(dataset, full);
  const Outcome found = train(dataset, pruned);
  expect_equal(found, expected, 1e-6);
  EXPECT_EQ(expected.savings.computed_share, 1);
  EXPECT_LT(found.savings.computed_share, 0.7);
  EXPECT_TRUE(expected.bytes == 0 || found.bytes < expected.bytes * 3 / 4);
}

TEST_P(SavingsOf, PartialSumsEqualRows) {
  const datasets::Dataset dataset = few_labels();
  RunConfig sums = config();
  sums.comm.shared_memory = false;
  RunConfig rows = sums;
  rows.comm.partial_sums = false;
  const Outcome expected = train(dataset, rows);
  const Outcome found = train(dataset, sums);
  expect_equal(found, expected, 1e-6);
  EXPECT_EQ(expected.savings.halo_slots, expected.savings.halo_rows);
  EXPECT_EQ(found.savings.halo_rows, expected.savings.halo_rows);
  EXPECT_LE(found.savings.halo_slots, expected.savings.halo_slots);
}

TEST_P(SavingsOf, HalfTheBitsGiveTheSameTrainingToRounding) {
  const datasets::Dataset dataset = few_labels();
  RunConfig halves = config();
  halves.train.precision = Precision::bf16;
  const Outcome expected = train(dataset, config());
  const Outcome found = train(dataset, halves);
  expect_equal(found, expected, 3e-2);
  EXPECT_NE(found.losses.back(), expected.losses.back());
  EXPECT_EQ(found.bytes * static_cast<std::int64_t>(sizeof(Real)), expected.bytes * 2);
}

INSTANTIATE_TEST_SUITE_P(Models,
                         SavingsOf,
                         ::testing::Combine(::testing::Values(ModelType::gcn, ModelType::sage),
                                            ::testing::Values(Norm::none, Norm::layer),
                                            ::testing::Values(0.0, 0.5)));

TEST(Reach, EveryVertexCountsWhereAllTrain) {
  comm::Communicator world = comm::Communicator::world();
  datasets::Dataset dataset = test_support::random_dataset();
  std::vector<std::int8_t> split(static_cast<std::size_t>(dataset.num_vertices), 0);
  dataset.splits = datasets::keep(dataset, std::move(split));
  const Outcome found = train(dataset, test_support::small_config(ModelType::sage));
  EXPECT_EQ(found.savings.computed_share, 1);
}

}  // namespace
}  // namespace weft::trainer
