// SPDX-License-Identifier: MIT
// Estimates: bytes are what the engine counts, memory grows with what it is made of.
#include "trainer/estimate.hpp"

#include <gtest/gtest.h>

#include "tests/trainer/engine_harness.hpp"

namespace weft::trainer {
namespace {

using test_support::Owners;

PartShape shape_of(const partition::Part& part) {
  PartShape shape;
  shape.owned = part.num_owned();
  shape.halo = part.num_halo();
  shape.sent = static_cast<std::int64_t>(part.plan.send_rows.size());
  shape.arcs = static_cast<std::int64_t>(part.graph.col_idx.size());
  shape.feature_nonzeros = part.num_owned() * part.rows.features.num_columns;
  return shape;
}

/// Halo rows are sent forward, and received gradients are sent back: what a rank sends in one
/// epoch is exact once both directions are summed over ranks.
TEST(Estimate, HaloBytesAreWhatTheEngineSends) {
  comm::Communicator world = comm::Communicator::world();
  const datasets::Dataset dataset = test_support::random_dataset();
  for (const ModelType type : {ModelType::gcn, ModelType::sage}) {
    for (const std::int64_t hidden : {3, 16}) {
      RunConfig config = test_support::small_config(type);
      config.model.hidden = hidden;
      config.model.layers = 3;
      config.optimizer.weight_decay = {0.0};
      config.train.prune = false;
      config.comm.partial_sums = false;
      partition::Part part = test_support::my_part(world, dataset, Owners::random);
      const PartShape shape = shape_of(part);
      Engine engine(world, prepare_engine(world, std::move(part), config), config);
      engine.reset_traffic();
      engine.train_epoch(1);
      std::array<std::int64_t, 2> bytes{
          epoch_work(shape, engine.model().spec()).sent_bytes,
          engine.traffic().bytes_sent + engine.traffic().bytes_in_place};
      world.all_reduce_sum(std::span<std::int64_t>(bytes));
      EXPECT_EQ(bytes[0], bytes[1]);
      EXPECT_TRUE(world.size() == 1 || bytes[0] > 0);
    }
  }
}

TEST(Estimate, TimeFallsWithFasterRatesAndLinks) {
  EpochWork work{1e9, 1e9, 1e9, 1'000'000};
  const Rates slow{1e9, 1e9, 1e9};
  const Rates fast{2e9, 2e9, 2e9};
  EXPECT_NEAR(epoch_seconds(work, slow, 1e6), 4.0, 1e-9);
  EXPECT_NEAR(epoch_seconds(work, fast, 1e6), 2.5, 1e-9);
}

TEST(Estimate, RatesAreMeasured) {
  kernels::Context ctx(1);
  const Rates rates = measure_rates(ctx);
  EXPECT_GT(rates.gathered_bytes, 1e7);
  EXPECT_GT(rates.streamed_bytes, 1e7);
  EXPECT_GT(rates.flops, 1e7);
}

TEST(Estimate, MemoryGrowsWithWidthDepthAndHalo) {
  const PartShape small{1000, 100, 100, 5000, 7000};
  PartShape more_halo = small;
  more_halo.halo = 100000;
  layers::ModelSpec model;
  model.num_inputs = 7;
  model.num_outputs = 3;
  layers::ModelSpec wide = model;
  wide.num_hidden = 256;
  layers::ModelSpec deep = model;
  deep.num_layers = 6;
  EXPECT_GT(memory_bytes(small, wide), memory_bytes(small, model));
  EXPECT_GT(memory_bytes(small, deep), memory_bytes(small, model));
  EXPECT_GT(memory_bytes(more_halo, model), memory_bytes(small, model));
}

}  // namespace
}  // namespace weft::trainer
