// SPDX-License-Identifier: MIT
#include "datasets/id_compaction.hpp"

#include <random>
#include <set>

#include "tests/datasets/file_makers.hpp"

namespace weft::datasets::tests {

namespace {

/// Arcs whose relabelled ends, looked up in the ids, are the arcs again; ids rise strictly.
void expect_inverse(const std::vector<graph::Arc>& relabelled,
                    const std::vector<std::int64_t>& ids,
                    const std::vector<WideArc>& original) {
  ASSERT_EQ(relabelled.size(), original.size());
  std::set<std::int64_t> distinct;
  for (std::size_t i = 0; i < original.size(); ++i) {
    EXPECT_EQ(ids[static_cast<std::size_t>(relabelled[i].source)], original[i].source);
    EXPECT_EQ(ids[static_cast<std::size_t>(relabelled[i].destination)], original[i].destination);
    distinct.insert(original[i].source);
    distinct.insert(original[i].destination);
  }
  EXPECT_EQ(ids, (std::vector<std::int64_t>(distinct.begin(), distinct.end())));
}

std::vector<WideArc> random_arcs(std::size_t count, std::int64_t below) {
  std::mt19937_64 random(7);
  std::uniform_int_distribution<std::int64_t> id(0, below - 1);
  std::vector<WideArc> arcs(count);
  for (WideArc& arc : arcs)
    arc = {id(random), id(random)};
  return arcs;
}

}  // namespace

TEST(IdCompaction, RelabelsByBitmapAndBySorting) {
  for (const std::int64_t below :
       {std::int64_t{50}, std::int64_t{1} << 20, (std::int64_t{1} << 31) - 1}) {
    const std::vector<WideArc> original = random_arcs(3000, below);
    std::vector<graph::Arc> arcs;
    for (const WideArc& arc : original) {
      arcs.push_back(
          {static_cast<std::int32_t>(arc.source), static_cast<std::int32_t>(arc.destination)});
    }
    const std::vector<std::int64_t> ids = compact_ids(arcs);
    expect_inverse(arcs, ids, original);
  }
}

TEST(IdCompaction, RelabelsWideIds) {
  const std::vector<WideArc> original = random_arcs(3000, INT64_MAX);
  std::vector<WideArc> moved = original;
  std::vector<graph::Arc> arcs;
  const std::vector<std::int64_t> ids = compact_ids(std::move(moved), arcs);
  expect_inverse(arcs, ids, original);
}

TEST(IdCompaction, LeavesIdsWithoutGaps) {
  std::vector<graph::Arc> arcs{{2, 0}, {1, 2}};
  const std::vector<std::int64_t> ids = compact_ids(arcs);
  EXPECT_TRUE(is_consecutive_from_zero(ids));
  EXPECT_EQ(arcs, (std::vector<graph::Arc>{{2, 0}, {1, 2}}));
  EXPECT_EQ(largest_id(arcs), 2);
  std::vector<graph::Arc> none;
  EXPECT_TRUE(compact_ids(none).empty());
  EXPECT_EQ(largest_id(none), -1);
  EXPECT_FALSE(is_consecutive_from_zero({1, 2}));
  EXPECT_FALSE(is_consecutive_from_zero({0, 2}));
}

}  // namespace weft::datasets::tests
