// SPDX-License-Identifier: MIT
// Gradients that are summed while backward goes on: the same bits however they are cut, each layer
// on its way before the layers below it are done.
#include "trainer/gradient_sync.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "graph/support/random.hpp"
#include "tests/trainer/engine_harness.hpp"

namespace weft::trainer {
namespace {

using layers::ParameterStore;
using test_support::Owners;

constexpr std::int64_t unbounded = std::numeric_limits<std::int64_t>::max();
constexpr BucketBounds one_bucket{unbounded, unbounded};
constexpr BucketBounds tiny_buckets{1, 3000};

/// Layers of 600,000, 20,300 and 100 numbers, the middle one in two parameters.
struct Layers {
  Layers() {
    store.add("layer0.weight", 0, 600, 1000);
    store.add("layer1.weight", 1, 200, 100);
    store.add("layer1.bias", 1, 1, 300);
    store.add("layer2.weight", 2, 10, 10);
    store.allocate();
  }
  std::span<Real> of(int layer) {
    const std::vector<std::size_t> begins{0, 600000, 620300, 620400};
    const auto l = static_cast<std::size_t>(layer);
    return store.gradients().subspan(begins[l], begins[l + 1] - begins[l]);
  }

  ParameterStore store;
};

/// Numbers of very different sizes, so that another order of summing gives other bits.
void fill(std::span<Real> gradients, int rank) {
  const RandomKey key = random_key(9, RandomPurpose::test, static_cast<std::uint32_t>(rank));
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const auto exponent = static_cast<int>(random_word(key, i, 1) % 24);
    gradients[i] = static_cast<Real>(std::ldexp(random_uniform(key, i) - 0.5F, exponent));
  }
}

std::vector<Real> serial_sum(int num_ranks, std::size_t size) {
  std::vector<Real> sum(size);
  std::vector<Real> values(size);
  fill(sum, 0);
  for (int rank = 1; rank < num_ranks; ++rank) {
    fill(values, rank);
    for (std::size_t i = 0; i < size; ++i)
      sum[i] += values[i];
  }
  return sum;
}

TEST(GradientSync, SumsInTheOrderOfRanksHoweverGradientsAreCut) {
  comm::Communicator world = comm::Communicator::world();
  Layers layers;
  const std::vector<Real> expected = serial_sum(world.size(), layers.store.gradients().size());
  for (const BucketBounds& bounds : {BucketBounds{}, one_bucket, BucketBounds{1, 30000}}) {
    GradientSync sync(world, layers.store, {.message_limit_bytes = 9999, .bounds = bounds});
    for (int epoch = 0; epoch < 2; ++epoch) {
      fill(layers.store.gradients(), world.rank());
      sync.begin(0.25 + world.rank());
      for (const int layer : {2, 1, 0})
        sync.layer_done(layer);
      EXPECT_EQ(sync.finish(), world.size() * (world.size() - 0.5) / 2);
      EXPECT_TRUE(std::ranges::equal(layers.store.gradients(), expected));
    }
  }
}

// By default layer 2 is too small to go alone and layer 0 too large to go at once.
TEST(GradientSync, MergesSmallLayersAndCutsLargeOnes) {
  comm::Communicator world = comm::Communicator::world();
  Layers layers;
  GradientSync sync(world, layers.store);
  sync.begin(0);
  sync.layer_done(2);
  EXPECT_EQ(sync.num_buckets(), 0);
  sync.layer_done(1);
  EXPECT_EQ(sync.num_buckets(), 1);
  sync.layer_done(0);
  EXPECT_EQ(sync.num_buckets(), sizeof(Real) == sizeof(float) ? 4 : 6);
  sync.finish();
  GradientSync single(world, layers.store, {.bounds = one_bucket});
  single.begin(0);
  for (const int layer : {2, 1, 0})
    single.layer_done(layer);
  single.finish();
  EXPECT_EQ(single.num_buckets(), 1);
}

// Nobody is in `finish` here: layers whose sum began there would leave the loop endless.
TEST(GradientSync, SumsUpperLayersWhileLayersBelowWork) {
  comm::Communicator world = comm::Communicator::world();
  Layers layers;
  GradientSync sync(world, layers.store);
  std::ranges::fill(layers.store.gradients(), Real{1});
  sync.begin(1);
  sync.layer_done(2);
  sync.layer_done(1);
  const auto sum = static_cast<Real>(world.size());
  const auto is_sum = [&](Real value) { return value == sum; };
  while (!std::ranges::all_of(layers.of(1), is_sum) || !std::ranges::all_of(layers.of(2), is_sum))
    world.poll();
  EXPECT_EQ(layers.of(0)[0], Real{1});
  std::ranges::fill(layers.of(0), Real{2});
  sync.layer_done(0);
  EXPECT_EQ(sync.finish(), world.size());
  EXPECT_TRUE(std::ranges::all_of(layers.of(0), [&](Real value) { return value == 2 * sum; }));
}

struct Trace {
  std::vector<double> losses;
  std::vector<std::uint64_t> weight_hashes;

  bool operator==(const Trace&) const = default;
};

Trace train(const RunConfig& config, const BucketBounds& bounds) {
  comm::Communicator world = comm::Communicator::world();
  partition::Part part =
      test_support::my_part(world, test_support::random_dataset(), Owners::random);
  EngineParts parts = prepare_engine(world, std::move(part), config);
  parts.buckets = bounds;
  Engine engine(world, std::move(parts), config);
  Trace trace;
  for (int epoch = 1; epoch <= 6; ++epoch) {
    trace.losses.push_back(engine.train_epoch(epoch));
    trace.weight_hashes.push_back(engine.weight_hash());
    EXPECT_TRUE(engine.weights_agree()) << "epoch " << epoch;
  }
  return trace;
}

class BucketsOf : public ::testing::TestWithParam<ModelType> {};

TEST_P(BucketsOf, TrainTheBitsOfOneBucketAtTheEnd) {
  RunConfig config = test_support::small_config(GetParam());
  config.model.layers = 4;
  config.model.hidden = 128;  // 64 KiB a weight matrix: a layer, a bucket
  config.model.norm = Norm::layer;
  config.optimizer.weight_decay = {5e-4};
  config.train.threads = 2;
  for (const bool is_shared : {true, false}) {  // rows read in place, or messages beside buckets
    config.comm.shared_memory = is_shared;
    const Trace at_the_end = train(config, one_bucket);
    EXPECT_TRUE(train(config, BucketBounds{}) == at_the_end) << "shared " << is_shared;
    EXPECT_TRUE(train(config, tiny_buckets) == at_the_end) << "shared " << is_shared;
    EXPECT_TRUE(train(config, BucketBounds{1, 20000}) == at_the_end) << "shared " << is_shared;
  }
}

INSTANTIATE_TEST_SUITE_P(Models,
                         BucketsOf,
                         ::testing::Values(ModelType::gcn, ModelType::sage),
                         [](const auto& p) {
                           return std::string(p.param == ModelType::gcn ? "gcn" : "sage");
                         });

}  // namespace
}  // namespace weft::trainer
