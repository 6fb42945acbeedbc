// SPDX-License-Identifier: MIT
// Sums over neighbors with hand values, whatever ranks own the vertices.
#include "layers/neighbor_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "graph/csr_build.hpp"
#include "tests/support/random_dataset.hpp"

namespace weft::layers {
namespace {

datasets::Dataset dataset_of(graph::CsrGraph&& graph) {
  datasets::Dataset dataset;
  dataset.num_vertices = graph.view().num_vertices();
  dataset.graph.row_ptr = keep(dataset, std::move(graph.row_ptr));
  dataset.graph.col_idx = keep(dataset, std::move(graph.col_idx));
  dataset.graph.edge_weight = keep(dataset, std::move(graph.edge_weight));
  return dataset;
}

/// A tiny graph given by its rows (in-neighbors).
datasets::Dataset tiny(const std::vector<std::vector<std::int32_t>>& rows) {
  graph::CsrGraph graph;
  for (const auto& row : rows) {
    graph.col_idx.insert(graph.col_idx.end(), row.begin(), row.end());
    graph.row_ptr.push_back(static_cast<EdgeOffset>(graph.col_idx.size()));
  }
  return dataset_of(std::move(graph));
}

struct Sums {
  std::vector<double> forward;   ///< [num_vertices] y = A x
  std::vector<double> backward;  ///< [num_vertices] A^T 1
};

/// Deals vertices to the ranks in blocks and returns both directions by global id, on every rank.
Sums sums_over_ranks(const datasets::Dataset& dataset,
                     const std::vector<double>& x,
                     const AggregationOptions& options) {
  comm::Communicator world = comm::Communicator::world();
  const auto n = static_cast<std::size_t>(dataset.num_vertices);
  std::vector<std::int32_t> owners;
  for (std::size_t v = 0; v < n; ++v) {
    owners.push_back(static_cast<std::int32_t>(v * static_cast<std::size_t>(world.size()) / n));
  }
  const partition::Part part = test_support::make_part(dataset, owners, world.size(), world.rank());
  const Aggregation aggregation = build_aggregation(part, options);
  const Border border = build_border(world, part, aggregation, {});
  NeighborSum neighbors(world, aggregation, border, {});
  kernels::Context ctx(2);
  kernels::Matrix input(part.num_owned(), 1);
  kernels::Matrix ones(part.num_owned(), 1);
  kernels::Matrix output(part.num_owned(), 1);
  kernels::Matrix gradient(part.num_owned(), 1);
  ones.fill(1);
  for (LocalId v = 0; v < part.num_owned(); ++v) {
    input.at(v, 0) = static_cast<Real>(
        x[static_cast<std::size_t>(part.global_ids[static_cast<std::size_t>(v)])]);
  }
  neighbors.forward(ctx, neighbors.whole(), input.view(), output.view());
  neighbors.backward(ctx, neighbors.whole(), ones.view(), gradient.view());
  Sums sums{std::vector<double>(n, 0.0), std::vector<double>(n, 0.0)};
  for (LocalId v = 0; v < part.num_owned(); ++v) {
    const auto id = static_cast<std::size_t>(part.global_ids[static_cast<std::size_t>(v)]);
    sums.forward[id] = static_cast<double>(output.at(v, 0));
    sums.backward[id] = static_cast<double>(gradient.at(v, 0));
  }
  world.all_reduce_sum(std::span<double>(sums.forward));
  world.all_reduce_sum(std::span<double>(sums.backward));
  return sums;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], 1e-6) << i;
}

// Degrees are global: 2.299660 at vertex 1 would betray a degree counted inside a part.
TEST(NeighborSum, UsesGlobalDegreesOnAPath) {
  const datasets::Dataset path = tiny({{1}, {0, 2}, {1, 3}, {2}});
  const Sums sums = sums_over_ranks(path, {1, 2, 3, 4}, {Normalization::symmetric, true});
  expect_near(sums.forward, {1.316497, 2.074915, 3.299660, 3.224745});
}

// A vertex that has a loop gets no second one; [1.8914, 1.9082] would mean that it did.
TEST(NeighborSum, AddsALoopOnlyWhereNoneExists) {
  const datasets::Dataset pair = tiny({{0, 1}, {0}});
  const Sums sums = sums_over_ranks(pair, {1, 3}, {Normalization::symmetric, true});
  expect_near(sums.forward, {2, 2});
}

// An edge written twice weighs 2, so degrees are 3; [2, 2] would mean that the repeat was lost.
TEST(NeighborSum, WeighsARepeatedEdgeTwice) {
  graph::EdgeList written{2, {{0, 1}, {1, 0}, {1, 0}, {0, 1}}, {}};
  const datasets::Dataset pair = dataset_of(graph::build_csr(std::move(written)));
  const Sums sums = sums_over_ranks(pair, {1, 3}, {Normalization::symmetric, true});
  expect_near(sums.forward, {7.0 / 3, 5.0 / 3});
  expect_near(sums.backward, {1, 1});
}

// One arc 0 -> 1: the value flows with the arrow, the gradient against it.
TEST(NeighborSum, FollowsTheDirectionOfArcs) {
  const datasets::Dataset arc = tiny({{}, {0}});
  const Sums sums = sums_over_ranks(arc, {10, 1}, {Normalization::sum, false});
  expect_near(sums.forward, {0, 10});
  expect_near(sums.backward, {1, 0});
}

// Vertex 0 is read by all: its gradient gathers one contribution from each, in whatever part.
TEST(NeighborSum, AddsGradientsFromEveryPart) {
  const datasets::Dataset star = tiny({{}, {0}, {0}, {0}, {0}, {0}, {0}, {0}});
  const Sums sums = sums_over_ranks(star, {1, 0, 0, 0, 0, 0, 0, 0}, {Normalization::mean, false});
  expect_near(sums.forward, {0, 1, 1, 1, 1, 1, 1, 1});
  expect_near(sums.backward, {7, 0, 0, 0, 0, 0, 0, 0});
}

// Rows this wide leave in several messages to each rank; every rank reads all rows of the others.
TEST(NeighborSum, AsksForEachInputRowOnceWhileItSendsPieces) {
  constexpr std::int64_t dim = 300000 / std::int64_t{sizeof(Real)};
  constexpr std::int32_t n = 24;
  std::vector<std::vector<std::int32_t>> rows(n);
  for (std::int32_t v = 0; v < n; ++v) {
    for (std::int32_t u = 0; u < n; ++u) {
      if (u != v) rows[static_cast<std::size_t>(v)].push_back(u);
    }
  }
  comm::Communicator world = comm::Communicator::world();
  const datasets::Dataset dataset = tiny(rows);
  const auto owners = test_support::deal_owners(dataset, world.size(), test_support::Owners::block);
  const partition::Part part = test_support::make_part(dataset, owners, world.size(), world.rank());
  const Aggregation aggregation = build_aggregation(part, {Normalization::sum, false});
  const Border border = build_border(world, part, aggregation, {});
  NeighborSum neighbors(world, aggregation, border, {});
  kernels::Context ctx(1);
  kernels::Matrix x(part.num_owned(), dim);
  kernels::Matrix y(part.num_owned(), dim);
  std::vector<int> times_made(static_cast<std::size_t>(part.num_owned()), 0);
  const auto make = [&](const kernels::RowSet& set) {
    for (std::int64_t i = 0; i < set.size(); ++i) {
      ++times_made[static_cast<std::size_t>(set[i])];
      std::fill_n(x.view().row(set[i]), dim,
                  static_cast<Real>(part.global_ids[static_cast<std::size_t>(set[i])] + 1));
    }
  };
  for (int round = 1; round <= 2; ++round) {
    x.fill(0);
    neighbors.forward(ctx, neighbors.whole(), x.view(), y.view(), {.make_input = make});
    EXPECT_EQ(times_made, std::vector<int>(times_made.size(), round));
    for (LocalId v = 0; v < part.num_owned(); ++v) {
      const GlobalId id = part.global_ids[static_cast<std::size_t>(v)];
      EXPECT_EQ(y.at(v, 0), static_cast<Real>(n * (n + 1) / 2 - id - 1));
      EXPECT_EQ(y.at(v, dim - 1), y.at(v, 0));
    }
  }
  if (world.size() > 1) {
    EXPECT_GT(neighbors.traffic().messages_sent, 2 * (world.size() - 1));
  }
}

}  // namespace
}  // namespace weft::layers
