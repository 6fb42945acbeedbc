// SPDX-License-Identifier: MIT
#include "partition/quality.hpp"

#include <gtest/gtest.h>

#include <string>

#include "partition/own_methods.hpp"
#include "tests/partition/small_datasets.hpp"

namespace weft::partition {
namespace {

using test_support::dataset_of;
using test_support::graph_of;
using Ids = std::vector<std::int32_t>;

std::vector<double> equal_shares(int num_parts) {
  return std::vector<double>(static_cast<std::size_t>(num_parts), 1.0 / num_parts);
}

Quality quality_of(const datasets::Dataset& dataset, const Ids& owner, int num_parts) {
  const auto roles =
      dataset.split_names.empty() ? std::span<const std::int8_t>{} : dataset.split("");
  return measure_quality(dataset, owner, equal_shares(num_parts), roles);
}

bool mentions(const std::vector<std::string>& warnings, const std::string& words) {
  for (const std::string& warning : warnings) {
    if (warning.find(words) != std::string::npos) return true;
  }
  return false;
}

// Path 0-1-2-3-4, parts {0,1,2} and {3,4}; vertices 0 and 1 train.
TEST(Quality, FiguresOfAPath) {
  auto dataset = dataset_of(graph_of(5, test_support::path_arcs(5)), false);
  test_support::add_training(dataset, 2);
  const Quality quality = quality_of(dataset, {0, 0, 0, 1, 1}, 2);
  EXPECT_EQ(quality.num_arcs, 8);
  EXPECT_EQ(quality.cut_arcs, 2);
  EXPECT_EQ(quality.cut_edges, 1);
  EXPECT_DOUBLE_EQ(quality.cut_share(), 0.25);
  EXPECT_EQ(quality.halo_rows, 2);
  EXPECT_EQ(quality.max_halo_rows, 1);
  EXPECT_DOUBLE_EQ(quality.boundary_share(), 0.4);
  EXPECT_EQ(quality.num_training, 2);
  EXPECT_DOUBLE_EQ(quality.vertex_imbalance, 3 / 2.5);
  EXPECT_DOUBLE_EQ(quality.edge_imbalance, 5 / 4.0);
  EXPECT_DOUBLE_EQ(quality.training_imbalance, 2.0);
  const PartQuality& first = quality.parts[0];
  EXPECT_EQ(first.owned, 3);
  EXPECT_EQ(first.boundary, 1);
  EXPECT_EQ(first.halo, 1);
  EXPECT_EQ(first.sent, 1);
  EXPECT_EQ(first.edges, 5);
  EXPECT_EQ(first.cut_arcs, 1);
  EXPECT_EQ(first.training, 2);
  EXPECT_EQ(first.peers, 1);
}

// Arcs 0 -> 1, 1 -> 0, 0 -> 2, 2 -> 2 between parts {0} and {1, 2}: two pairs are cut.
TEST(Quality, DirectedPairsCountOnceAndLoopsNever) {
  const auto dataset = dataset_of(graph_of(3, {{0, 1}, {1, 0}, {0, 2}, {2, 2}}));
  const Quality quality = quality_of(dataset, {0, 1, 1}, 2);
  EXPECT_EQ(quality.num_arcs, 3);
  EXPECT_EQ(quality.cut_arcs, 3);
  EXPECT_EQ(quality.cut_edges, 2);
  EXPECT_EQ(quality.halo_rows, 2);  // part 0 reads 1; part 1 reads 0, once for both arcs
  EXPECT_EQ(quality.parts[0].sent, 1);
  EXPECT_EQ(quality.parts[1].sent, 1);
}

// What random partitions have on average is what is said to be expected.
TEST(Quality, ExpectationOfARandomPartition) {
  for (const bool directed : {false, true}) {
    const auto arcs = directed ? test_support::random_out_arcs(300, 3, 1)
                               : test_support::clique_ring_arcs(30, 10);
    const auto dataset = dataset_of(graph_of(300, arcs), directed);
    double sum = 0;
    constexpr int num_draws = 200;
    for (std::uint64_t seed = 1; seed <= num_draws; ++seed) {
      const auto owner = random_owners(300, equal_shares(4), seed);
      sum += static_cast<double>(quality_of(dataset, owner, 4).halo_rows);
    }
    const Quality any = quality_of(dataset, random_owners(300, equal_shares(4), 1), 4);
    EXPECT_NEAR(sum / num_draws / any.random_halo_rows, 1.0, 0.02) << directed;
    EXPECT_NEAR(any.against_random(), 1.0, 0.1);
  }
}

TEST(Quality, SharesAreWhatLoadsAreHeldAgainst) {
  const auto dataset = dataset_of(graph_of(4, test_support::path_arcs(4)), false);
  const std::vector<double> shares{0.25, 0.75};
  const Ids owner{0, 1, 1, 1};
  EXPECT_DOUBLE_EQ(measure_quality(dataset, owner, shares, {}).vertex_imbalance, 1.0);
}

TEST(Quality, OnePartHasNoTraffic) {
  const auto dataset = dataset_of(graph_of(6, test_support::ring_arcs(6)), false);
  const Quality quality = quality_of(dataset, Ids(6, 0), 1);
  EXPECT_EQ(quality.halo_rows, 0);
  EXPECT_EQ(quality.cut_arcs, 0);
  EXPECT_DOUBLE_EQ(quality.against_random(), 1.0);
  EXPECT_TRUE(quality_warnings(quality, PartitionOptions{}).empty());
}

TEST(Quality, BytesAnEpoch) {
  const auto item = static_cast<std::int64_t>(sizeof(Real));
  EXPECT_EQ(halo_bytes_per_epoch(10, 256, 2), 3 * 10 * 256 * item);
  EXPECT_EQ(halo_bytes_per_epoch(10, 256, 1), 10 * 256 * item);
  EXPECT_EQ(halo_bytes_per_epoch(10, 256, 0), 0);
}

// Bug report 19, first part: parts without training vertices are named.
TEST(QualityWarnings, PartsWithoutTrainingVertices) {
  auto dataset = dataset_of(graph_of(200, test_support::clique_ring_arcs(10, 20)), false);
  test_support::add_training(dataset, 20);
  PartitionOptions options;
  options.num_parts = 4;
  options.balance_training = false;
  const auto owner = partition_graph(dataset, options);
  const auto warnings = quality_warnings(quality_of(dataset, owner, 4), options);
  EXPECT_TRUE(mentions(warnings, "own no training vertex (there are 20)"));
  options.balance_training = true;
  const auto spread = partition_graph(dataset, options);
  EXPECT_FALSE(
      mentions(quality_warnings(quality_of(dataset, spread, 4), options), "no training vertex"));
}

TEST(QualityWarnings, ImbalanceOfWhatWasToBeBalanced) {
  const auto dataset = dataset_of(graph_of(10, test_support::ring_arcs(10)), false);
  const Quality quality = quality_of(dataset, {0, 0, 0, 0, 0, 0, 0, 1, 1, 1}, 2);
  PartitionOptions options;
  options.num_parts = 2;
  EXPECT_TRUE(mentions(quality_warnings(quality, options), "most vertices has 1.400 times"));
  EXPECT_TRUE(mentions(quality_warnings(quality, options), "most edges has 1.400 times"));
  options.balance_vertices = false;
  options.balance_edges = false;
  EXPECT_FALSE(mentions(quality_warnings(quality, options), "times its share"));
}

TEST(QualityWarnings, EmptyPartsAreNamed) {
  const auto dataset = dataset_of(graph_of(4, test_support::ring_arcs(4)), false);
  const auto warnings = quality_warnings(quality_of(dataset, {0, 0, 2, 2}, 3), PartitionOptions{});
  EXPECT_TRUE(mentions(warnings, "1 part (1) of 3 own no vertex"));
}

TEST(QualityWarnings, PartitionsThatBarelyHelp) {
  // A complete graph: each part reads every other vertex, as in any partition.
  const auto complete = dataset_of(graph_of(40, test_support::clique_ring_arcs(1, 40)), false);
  const auto owner = block_owners(40, equal_shares(4));
  PartitionOptions options;
  options.num_parts = 4;
  const auto warnings = quality_warnings(quality_of(complete, owner, 4), options);
  EXPECT_TRUE(mentions(warnings, "barely helps"));
  EXPECT_TRUE(mentions(warnings, "each vertex is fetched by 3.00 other parts"));
  const auto ring = dataset_of(graph_of(40, test_support::ring_arcs(40)), false);
  EXPECT_TRUE(quality_warnings(quality_of(ring, owner, 4), options).empty());
}

}  // namespace
}  // namespace weft::partition
