// SPDX-License-Identifier: MIT
#include "partition/own_methods.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/partition/small_datasets.hpp"

namespace weft::partition {
namespace {

using Ids = std::vector<std::int32_t>;

std::vector<double> equal_shares(int num_parts) {
  return std::vector<double>(static_cast<std::size_t>(num_parts), 1.0 / num_parts);
}

std::vector<std::int64_t> sizes_of(const Ids& owner, int num_parts) {
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(num_parts), 0);
  for (const std::int32_t part : owner)
    ++sizes.at(static_cast<std::size_t>(part));
  return sizes;
}

TEST(BlockOwners, AreContiguousAndEven) {
  EXPECT_EQ(block_owners(7, equal_shares(3)), (Ids{0, 0, 1, 1, 1, 2, 2}));
}

TEST(BlockOwners, FollowShares) {
  const std::vector<double> shares{0.25, 0.25, 0.5};
  EXPECT_EQ(sizes_of(block_owners(8, shares), 3), (std::vector<std::int64_t>{2, 2, 4}));
}

TEST(BlockOwners, LeaveNoPartEmptyWhereVerticesSuffice) {
  const std::vector<double> shares{0.97, 0.01, 0.01, 0.01};
  EXPECT_EQ(block_owners(4, shares), (Ids{0, 1, 2, 3}));
  for (int num_parts = 1; num_parts <= 30; ++num_parts) {
    const auto sizes = sizes_of(block_owners(30, equal_shares(num_parts)), num_parts);
    const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
    EXPECT_LE(*most - *least, 1) << num_parts;
    EXPECT_GE(*least, 1) << num_parts;
  }
}

TEST(RandomOwners, AreEvenAndFollowTheSeed) {
  const auto owner = random_owners(1000, equal_shares(4), 1);
  EXPECT_EQ(sizes_of(owner, 4), (std::vector<std::int64_t>{250, 250, 250, 250}));
  EXPECT_EQ(owner, random_owners(1000, equal_shares(4), 1));
  EXPECT_NE(owner, random_owners(1000, equal_shares(4), 2));
  // Neighbors in the order are strangers: a quarter of the pairs is together by chance.
  std::int64_t together = 0;
  for (std::size_t i = 1; i < owner.size(); ++i)
    together += owner[i] == owner[i - 1] ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(together), 250, 60);
}

TEST(BreadthFirstOwners, CutAPathIntoPiecesInARow) {
  // The path's ends are not vertices 0 and 5, so the order must start at an end by itself.
  const auto graph = test_support::graph_of(
      6, test_support::both_directions({{3, 0}, {0, 4}, {4, 1}, {1, 5}, {5, 2}}));  // 3-0-4-1-5-2
  const auto owner = breadth_first_owners(graph.view(), equal_shares(3));
  EXPECT_EQ(sizes_of(owner, 3), (std::vector<std::int64_t>{2, 2, 2}));
  EXPECT_EQ(owner[3], owner[0]);
  EXPECT_EQ(owner[4], owner[1]);
  EXPECT_EQ(owner[5], owner[2]);
}

TEST(BreadthFirstOwners, KeepComponentsTogether) {
  const auto graph =
      test_support::graph_of(6, test_support::both_directions({{0, 2}, {2, 4}, {1, 3}, {3, 5}}));
  const auto owner = breadth_first_owners(graph.view(), equal_shares(2));
  EXPECT_EQ(owner, (Ids{0, 1, 0, 1, 0, 1}));
}

TEST(DealtOwners, SpreadTrainingVerticesAndOthers) {
  std::vector<std::int8_t> roles(40, 1);
  std::fill_n(roles.begin(), 8, std::int8_t{0});
  const auto owner = dealt_owners(40, roles, equal_shares(4));
  EXPECT_EQ(sizes_of(owner, 4), (std::vector<std::int64_t>{10, 10, 10, 10}));
  const Ids training(owner.begin(), owner.begin() + 8);
  EXPECT_EQ(sizes_of(training, 4), (std::vector<std::int64_t>{2, 2, 2, 2}));
}

TEST(FillEmptyParts, SplitsTheLargestInPieces) {
  const auto graph = test_support::graph_of(8, test_support::path_arcs(8));
  Ids owner(8, 1);
  EXPECT_EQ(fill_empty_parts(graph.view(), 3, owner), 2);
  const auto sizes = sizes_of(owner, 3);
  EXPECT_EQ(*std::min_element(sizes.begin(), sizes.end()), 2);
  std::int64_t cut = 0;
  for (std::size_t i = 1; i < owner.size(); ++i)
    cut += owner[i] != owner[i - 1] ? 1 : 0;
  EXPECT_EQ(cut, 2);
}

TEST(FillEmptyParts, LeavesFullPartsAlone) {
  const auto graph = test_support::graph_of(4, test_support::path_arcs(4));
  Ids owner{0, 1, 1, 0};
  EXPECT_EQ(fill_empty_parts(graph.view(), 2, owner), 0);
  EXPECT_EQ(owner, (Ids{0, 1, 1, 0}));
}

}  // namespace
}  // namespace weft::partition
