// SPDX-License-Identifier: MIT
// Ranks that drift apart: every rank sleeps at random before each exchange, borders are as unequal
// as they get, one rank has no neighbors; the losses are those of ranks in step, bit for bit.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "graph/support/random.hpp"
#include "tests/trainer/engine_harness.hpp"

namespace weft::trainer {
namespace {

constexpr std::int64_t part_size = 500;

/// Rank 0 reads 500 vertices of rank 1, which reads one of rank 0; every other rank has only
/// loops. Vertex v lives on rank v / 500.
graph::CsrGraph unequal_borders(int num_ranks) {
  graph::CsrGraph graph;
  graph.row_ptr = {0};
  for (std::int64_t v = 0; v < part_size * num_ranks; ++v) {
    graph.col_idx.push_back(static_cast<std::int32_t>(v));
    if (num_ranks > 1 && v < part_size) {
      graph.col_idx.push_back(static_cast<std::int32_t>(v + part_size));
    }
    if (v == part_size) graph.col_idx.insert(graph.col_idx.end() - 1, 0);
    graph.row_ptr.push_back(static_cast<std::int64_t>(graph.col_idx.size()));
  }
  return graph;
}

datasets::Dataset unequal_dataset(int num_ranks) {
  test_support::RandomDatasetOptions options;
  options.num_vertices = part_size * num_ranks;
  options.weighted = false;
  datasets::Dataset dataset = test_support::random_dataset(options);
  graph::CsrGraph graph = unequal_borders(num_ranks);
  dataset.graph = {};
  dataset.graph.row_ptr = keep(dataset, std::move(graph.row_ptr));
  dataset.graph.col_idx = keep(dataset, std::move(graph.col_idx));
  return dataset;
}

void sleep_at_random(int rank, int epoch, std::uint32_t draw, std::uint32_t longest_ms) {
  if (longest_ms == 0) return;
  const std::uint32_t word = random_word(random_key(6, RandomPurpose::test),
                                         static_cast<std::uint64_t>(rank * 1000 + epoch), draw);
  std::this_thread::sleep_for(std::chrono::milliseconds(word % longest_ms));
}

std::vector<double> train(comm::Communicator& world,
                          const datasets::Dataset& dataset,
                          std::uint32_t longest_ms) {
  RunConfig config = test_support::small_config(ModelType::gcn);
  config.model.layers = 3;
  config.optimizer.weight_decay = {0.0};
  config.optimizer.lr = 1e-3;
  Engine engine(
      world,
      prepare_engine(world, test_support::my_part(world, dataset, test_support::Owners::block),
                     config),
      config);
  std::vector<double> losses;
  for (int epoch = 1; epoch <= 50; ++epoch) {
    // Tensors are observed between layers: after one exchange and before the next.
    std::uint32_t draw = 0;
    engine.set_observer([&](const std::string&, kernels::ConstMatrixView) {
      sleep_at_random(world.rank(), epoch, draw++, longest_ms);
    });
    losses.push_back(engine.train_epoch(epoch));
  }
  return losses;
}

TEST(DriftingRanks, TrainLikeRanksInStep) {
  comm::Communicator world = comm::Communicator::world();
  const datasets::Dataset dataset = unequal_dataset(world.size());
  const partition::Part part = test_support::my_part(world, dataset, test_support::Owners::block);
  if (world.size() > 1 && world.rank() < 2) {
    EXPECT_EQ(part.num_halo(), world.rank() == 0 ? 500 : 1);
  } else {
    EXPECT_EQ(part.num_halo(), 0);
  }
  EXPECT_EQ(train(world, dataset, 50), train(world, dataset, 0));
}

}  // namespace
}  // namespace weft::trainer
