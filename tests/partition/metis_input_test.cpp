// SPDX-License-Identifier: MIT
#include "partition/metis_input.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/partition/small_datasets.hpp"
#include "tests/support/graph_zoo.hpp"

namespace weft::partition {
namespace {

using Words = std::vector<std::string>;

// The plain definition: the reverse of each arc is there, and no arc is a loop.
bool is_symmetric_by_search(const graph::CsrView& graph) {
  for (std::int64_t v = 0; v < graph.num_vertices(); ++v) {
    for (const std::int32_t u : graph.neighbors(v)) {
      const auto reverse = graph.neighbors(u);
      if (u == v || std::find(reverse.begin(), reverse.end(), v) == reverse.end()) return false;
    }
  }
  return true;
}

std::vector<double> halves() {
  return {0.5, 0.5};
}

TEST(IsSymmetricWithoutLoops, AgreesWithASearchOnTheZoo) {
  for (const test_support::NamedGraph& named : test_support::graph_zoo()) {
    EXPECT_EQ(is_symmetric_without_loops(named.graph.view()),
              is_symmetric_by_search(named.graph.view()))
        << named.name;
  }
}

TEST(IsSymmetricWithoutLoops, NoticesOneMissingReverse) {
  test_support::Arcs arcs = test_support::ring_arcs(1000);
  EXPECT_TRUE(is_symmetric_without_loops(test_support::graph_of(1000, arcs).view()));
  arcs.pop_back();
  EXPECT_FALSE(is_symmetric_without_loops(test_support::graph_of(1000, arcs).view()));
  // Directed cycles have equal in- and out-degrees everywhere.
  EXPECT_FALSE(
      is_symmetric_without_loops(test_support::graph_of(3, {{0, 1}, {1, 2}, {2, 0}}).view()));
}

TEST(SymmetricGraph, BorrowsWhatIsSymmetric) {
  const auto ring = test_support::graph_of(9, test_support::ring_arcs(9));
  const SymmetricGraph same = symmetric_graph(ring.view());
  EXPECT_EQ(same.view.col_idx.data(), ring.col_idx.data());
}

TEST(SymmetricGraph, AddsReversesAndDropsLoops) {
  const auto directed = test_support::graph_of(3, {{0, 1}, {1, 1}, {2, 1}, {1, 2}});
  const SymmetricGraph made = symmetric_graph(directed.view());
  const auto expected = test_support::graph_of(3, test_support::path_arcs(3));
  EXPECT_EQ(made.made.row_ptr, expected.row_ptr);
  EXPECT_EQ(made.made.col_idx, expected.col_idx);
  EXPECT_EQ(made.view.num_edges(), 4);
}

TEST(BalanceWeights, CountVerticesEdgesAndTraining) {
  auto dataset = test_support::dataset_of(test_support::graph_of(3, {{0, 1}, {2, 1}}));
  test_support::add_training(dataset, 2);
  const BalanceWeights balance = balance_weights(dataset, PartitionOptions{}, halves());
  EXPECT_EQ(balance.names, (Words{"vertices", "edges", "training"}));
  EXPECT_EQ(balance.totals, (std::vector<std::int64_t>{3, 5, 2}));
  EXPECT_EQ(balance.weights, (std::vector<std::int32_t>{1, 1, 1, 1, 3, 1, 1, 1, 0}));
}

TEST(BalanceWeights, OnlyWhatIsAskedForAndPossible) {
  auto dataset = test_support::dataset_of(test_support::graph_of(3, {{0, 1}, {2, 1}}));
  PartitionOptions options;
  options.balance_vertices = false;
  options.balance_training = false;
  EXPECT_EQ(balance_weights(dataset, options, halves()).names, (Words{"edges"}));
  options.balance_edges = false;
  EXPECT_EQ(balance_weights(dataset, options, halves()).names, (Words{"vertices"}));
  // One training vertex cannot be spread over two parts.
  test_support::add_training(dataset, 1);
  EXPECT_EQ(balance_weights(dataset, PartitionOptions{}, halves()).names,
            (Words{"vertices", "edges"}));
}

TEST(BalanceWeights, HubsAreCapped) {
  auto dataset =
      test_support::dataset_of(test_support::graph_of(1001, test_support::star_arcs(1000)));
  const BalanceWeights balance = balance_weights(dataset, PartitionOptions{}, halves());
  // A twentieth of half of 3001 units.
  EXPECT_EQ(balance.weights[1], 75);
  EXPECT_EQ(balance.weights[3], 2);
  EXPECT_EQ(balance.totals[1], 75 + 2 * 1000);
}

}  // namespace
}  // namespace weft::partition
