// SPDX-License-Identifier: MIT
// The engine's promises: same bits for the same run, any number of threads and any message limit
// (T15), equal weights on all ranks from the start and after every epoch (T8), global accuracy
// (T14).
#include "trainer/engine.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "graph/support/error.hpp"
#include "kernels/gemm.hpp"
#include "tests/trainer/engine_harness.hpp"

namespace weft::trainer {
namespace {

using test_support::Owners;

struct Trace {
  std::vector<double> losses;
  std::vector<double> accuracies;
  std::uint64_t weight_hash = 0;
  std::int64_t messages_sent = 0;  ///< by this rank

  bool operator==(const Trace&) const = default;
};

RunConfig config_of(ModelType type, int threads) {
  RunConfig config = test_support::small_config(type);
  config.train.threads = threads;
  config.model.norm = Norm::layer;
  return config;
}

/// A number of vertices for which each rank adds its gradients up from several chunks of rows.
std::int64_t many_vertices() {
  return 3 * kernels::weight_gradient_chunk * comm::Communicator::world().size();
}

Trace train(const RunConfig& config, int epochs, std::int64_t num_vertices = 300) {
  comm::Communicator world = comm::Communicator::world();
  test_support::RandomDatasetOptions options;
  options.num_vertices = num_vertices;
  partition::Part part =
      test_support::my_part(world, test_support::random_dataset(options), Owners::random);
  Engine engine(world, prepare_engine(world, std::move(part), config), config);
  EXPECT_TRUE(engine.weights_agree()) << "before epoch 1";
  Trace trace;
  for (int epoch = 1; epoch <= epochs; ++epoch) {
    trace.losses.push_back(engine.train_epoch(epoch));
    EXPECT_TRUE(engine.weights_agree()) << "epoch " << epoch;
    trace.accuracies.push_back(engine.evaluate().accuracy[0]);
  }
  trace.weight_hash = engine.weight_hash();
  trace.messages_sent = engine.traffic().messages_sent;
  return trace;
}

class EngineOf : public ::testing::TestWithParam<ModelType> {};

TEST_P(EngineOf, RepeatsItselfBitForBitWithAnyNumberOfThreads) {
  const Trace first = train(config_of(GetParam(), 1), 3, many_vertices());
  for (const int threads : {1, 2, 3, 8}) {
    EXPECT_EQ(train(config_of(GetParam(), threads), 3, many_vertices()), first)
        << threads << " threads";
  }
}

TEST_P(EngineOf, TrainsTheSameBitsWhereMessagesAreSplit) {
  RunConfig config = config_of(GetParam(), 1);
  config.model.layers = 3;
  config.model.hidden = 128;  // the middle layer exchanges rows of this width
  config.optimizer.weight_decay = {5e-4};
  config.comm.shared_memory = false;
  const Trace whole = train(config, 5);
  config.comm.message_limit_bytes = 4000;
  Trace split = train(config, 5);
  if (comm::Communicator::world().size() > 1) {
    EXPECT_GT(split.messages_sent, whole.messages_sent);
  }
  split.messages_sent = whole.messages_sent;
  EXPECT_EQ(split, whole);
}

TEST_P(EngineOf, TrainsTheSameBitsWhereRowsAreReadInPlace) {
  RunConfig config = config_of(GetParam(), 2);
  config.model.layers = 3;
  config.optimizer.weight_decay = {5e-4};
  config.comm.partial_sums = false;  // rows in place are summed one by one
  for (const Precision precision : {Precision::fp32, Precision::bf16}) {
    config.train.precision = precision;
    config.comm.shared_memory = true;
    Trace in_place = train(config, 5, many_vertices());
    config.comm.shared_memory = false;
    const Trace by_messages = train(config, 5, many_vertices());
    if (comm::Communicator::world().size() > 1) {
      EXPECT_LT(in_place.messages_sent, by_messages.messages_sent);
    }
    in_place.messages_sent = by_messages.messages_sent;
    EXPECT_EQ(in_place, by_messages);
  }
}

TEST_P(EngineOf, LearnsItsTrainingVertices) {
  RunConfig config = config_of(GetParam(), 1);
  config.model.dropout = 0;
  const Trace trace = train(config, 120);
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
