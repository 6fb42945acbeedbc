// SPDX-License-Identifier: MIT
// The engine's promises: same bits for the same run and any number of threads (T15), equal weights
// on all ranks after every epoch (T8), global accuracy (T14).
#include "trainer/engine.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "graph/support/error.hpp"
#include "tests/trainer/engine_harness.hpp"

namespace weft::trainer {
namespace {

using test_support::Owners;

struct Trace {
  std::vector<double> losses;
  std::vector<double> accuracies;
  std::uint64_t weight_hash = 0;

  bool operator==(const Trace&) const = default;
};

Trace train(ModelType type, int threads, int epochs, double dropout = 0.5) {
  comm::Communicator world = comm::Communicator::world();
  test_support::RandomDatasetOptions options;
  options.num_vertices = 300;
  RunConfig config = test_support::small_config(type);
  config.train.threads = threads;
  config.model.norm = Norm::layer;
  config.model.dropout = dropout;
  partition::Part part =
      test_support::my_part(world, test_support::random_dataset(options), Owners::random);
  Engine engine(world, prepare_engine(world, std::move(part), config), config);
  Trace trace;
  for (int epoch = 1; epoch <= epochs; ++epoch) {
    trace.losses.push_back(engine.train_epoch(epoch));
    EXPECT_TRUE(engine.weights_agree()) << "epoch " << epoch;
    trace.accuracies.push_back(engine.evaluate().accuracy[0]);
  }
  trace.weight_hash = engine.weight_hash();
  return trace;
}

class EngineOf : public ::testing::TestWithParam<ModelType> {};

TEST_P(EngineOf, RepeatsItselfBitForBitWithAnyNumberOfThreads) {
  const Trace first = train(GetParam(), 1, 5);
  EXPECT_EQ(train(GetParam(), 1, 5), first);
  EXPECT_EQ(train(GetParam(), 2, 5), first);
  EXPECT_EQ(train(GetParam(), 3, 5), first);
}

TEST_P(EngineOf, LearnsItsTrainingVertices) {
  const Trace trace = train(GetParam(), 1, 120, 0.0);
  EXPECT_LT(trace.losses.back(), trace.losses.front());
  EXPECT_GT(trace.accuracies.back(), 0.4);  // labels are random: one class in five
}

INSTANTIATE_TEST_SUITE_P(Models,
                         EngineOf,
                         ::testing::Values(ModelType::gcn, ModelType::sage),
                         [](const auto& p) {
                           return std::string(p.param == ModelType::gcn ? "gcn" : "sage");
                         });

TEST(Engine, CountsCorrectVerticesOverAllRanks) {
  comm::Communicator world = comm::Communicator::world();
  const datasets::Dataset dataset = test_support::random_dataset();
  const RunConfig config = test_support::small_config(ModelType::gcn);
  Engine engine(world,
                prepare_engine(world, test_support::my_part(world, dataset, Owners::block), config),
                config);
  comm::Communicator self = comm::Communicator::self();
  Engine whole(self, prepare_engine(self, test_support::whole_part(dataset), config), config);
  const Evaluation found = engine.evaluate();
  const Evaluation expected = whole.evaluate();
  for (std::size_t role = 0; role < num_roles; ++role) {
    EXPECT_EQ(engine.labelled().global_counts[role], whole.labelled().global_counts[role]);
    EXPECT_DOUBLE_EQ(found.accuracy[role], expected.accuracy[role]);
    EXPECT_NEAR(found.loss[role], expected.loss[role], 1e-6);
  }
}

TEST(Engine, RefusesADatasetWithoutLabels) {
  comm::Communicator world = comm::Communicator::world();
  datasets::Dataset dataset = test_support::random_dataset();
  dataset.task = datasets::Task::none;
  const RunConfig config = test_support::small_config(ModelType::gcn);
  const auto prepare = [&] {
    static_cast<void>(
        prepare_engine(world, test_support::my_part(world, dataset, Owners::block), config));
  };
  EXPECT_THROW(prepare(), InputError);
}

}  // namespace
}  // namespace weft::trainer
