// SPDX-License-Identifier: MIT
// The plan counts what an epoch and an evaluation allocate: resident memory grows by as much.
#include "trainer/memory_plan.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include "graph/support/process.hpp"
#include "tests/trainer/engine_harness.hpp"

namespace weft::trainer {
namespace {

using test_support::Owners;

layers::ModelSpec small_model() {
  layers::ModelSpec model;
  model.num_inputs = 7;
  model.num_hidden = 16;
  model.num_outputs = 3;
  model.num_layers = 3;
  model.dropout = 0.5F;
  return model;
}

// 100 rows; layer 0 keeps the sum of its constant input, layers 1 and 2 transform first.
TEST(MemoryPlan, CountsEachBufferOnce) {
  const PlannedBuffers plan = plan_buffers(small_model(), BufferRows::unpruned(100, 10, 20, 3));
  const auto element = static_cast<std::int64_t>(sizeof(Real));
  EXPECT_EQ(plan.activations, 100 * (16 + 16 + 3) * element);
  EXPECT_EQ(plan.sums, 100 * 7 * element);
  EXPECT_EQ(plan.gradients, 100 * (16 + 16 + 3) * element);  // shared, between layers, logits
  EXPECT_EQ(plan.messages, (2 * 10 + 20) * 16 * element);
}

// 700 columns travel once, and where they were received stays.
TEST(MemoryPlan, CountsTheMessagesOfASumThatIsMadeOnce) {
  layers::ModelSpec model = small_model();
  model.num_inputs = 700;
  BufferRows rows = BufferRows::unpruned(100, 10, 20, 3);
  const auto element = static_cast<std::int64_t>(sizeof(Real));
  EXPECT_EQ(plan_buffers(model, rows).messages, (10 * 700 + 10 * 16 + 20 * 700) * element);
  rows.halo = rows.sent = 0;  // the others are read in place
  EXPECT_EQ(plan_buffers(model, rows).messages, (10 * 700 + 20 * 700) * element);
}

TEST(MemoryPlan, HalvesRowsInBf16) {
  layers::ModelSpec model = small_model();
  const BufferRows rows = BufferRows::unpruned(1000, 0, 0, 3);
  const PlannedBuffers full = plan_buffers(model, rows);
  model.storage = kernels::Storage::bf16;
  const PlannedBuffers half = plan_buffers(model, rows);
  EXPECT_EQ(half.sums * static_cast<std::int64_t>(sizeof(Real)), full.sums * 2);
  EXPECT_EQ(half.weights, full.weights);
  EXPECT_LT(half.total(), full.total() * 6 / 10);
}

class MemoryPlanOf : public ::testing::TestWithParam<ModelType> {};

TEST_P(MemoryPlanOf, IsWhatARunTakes) {
  comm::Communicator world = comm::Communicator::world();
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "resident memory has AddressSanitizer's own beside the engine's";
#endif
  if (rss_bytes() == 0) GTEST_SKIP() << "the system does not tell resident memory";
  // Matrices are mapped, and unmapped when they grow: what other tests gave back is not taken
  // again.
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  test_support::RandomDatasetOptions options;
  options.num_vertices = 20000;
  RunConfig config = test_support::small_config(GetParam());
  config.model.hidden = 256;
  config.model.layers = 3;
  config.optimizer.weight_decay = {0.0};
  Engine engine(
      world,
      prepare_engine(
          world, test_support::my_part(world, test_support::random_dataset(options), Owners::block),
          config),
      config);
  const std::int64_t before = rss_bytes();  // with the memory that it shares
  const auto planned = static_cast<double>(engine.planned_buffers().total());
  static_cast<void>(engine.train_epoch(1));
  static_cast<void>(engine.evaluate());
  const auto taken = static_cast<double>(rss_bytes() - before);
  // Scratch of threads and what MPI keeps come to a few megabytes a rank.
  EXPECT_LT(taken, 1.1 * planned + 8e6 + 4e6 * world.size());
  EXPECT_GT(taken, 0.85 * planned - 2e6);
}

INSTANTIATE_TEST_SUITE_P(Models, MemoryPlanOf, ::testing::Values(ModelType::gcn, ModelType::sage));

}  // namespace
}  // namespace weft::trainer
