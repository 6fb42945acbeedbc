// SPDX-License-Identifier: MIT
#include "partition/halo_sets.hpp"

#include <gtest/gtest.h>

#include "tests/partition/small_datasets.hpp"

namespace weft::partition {
namespace {

using Ids = std::vector<std::int32_t>;

Ids copy_of(std::span<const std::int32_t> ids) {
  return {ids.begin(), ids.end()};
}

TEST(OwnedVertices, AreGroupedByOwnerAndRise) {
  const Ids owner{2, 0, 2, 0, 2};
  const OwnedVertices owned(owner, 4);
  EXPECT_EQ(owned.num_parts(), 4);
  EXPECT_EQ(copy_of(owned.of(0)), (Ids{1, 3}));
  EXPECT_TRUE(owned.of(1).empty());
  EXPECT_EQ(copy_of(owned.of(2)), (Ids{0, 2, 4}));
  EXPECT_TRUE(owned.of(3).empty());
}

TEST(VertexMarks, TakeListsMembersOnceAndEmpties) {
  VertexMarks marks(200);
  for (const std::int32_t vertex : {199, 0, 64, 63, 64, 0})
    marks.add(vertex);
  EXPECT_EQ(marks.take(), (Ids{0, 63, 64, 199}));
  EXPECT_TRUE(marks.take().empty());
}

// Arcs 4 -> 0, 1 -> 0, 3 -> 0, 0 -> 2; owners 0 1 2 1 2.
class FindHaloSet : public testing::Test {
 protected:
  graph::CsrGraph graph_ = test_support::graph_of(5, {{4, 0}, {1, 0}, {3, 0}, {0, 2}});
  Ids owner_{0, 1, 2, 1, 2};
  OwnedVertices owned_{owner_, 3};
  VertexMarks marks_{5};
};

TEST_F(FindHaloSet, IsSortedByOwnerThenGlobalId) {
  const HaloSet halo = find_halo_set(graph_.view(), owner_, owned_, 0, marks_);
  EXPECT_EQ(halo.vertices, (Ids{1, 3, 4}));
  ASSERT_EQ(halo.runs.size(), 2U);
  EXPECT_EQ(copy_of(halo.of(1)), (Ids{1, 3}));
  EXPECT_EQ(copy_of(halo.of(2)), (Ids{4}));
  EXPECT_TRUE(halo.of(0).empty());
}

TEST_F(FindHaloSet, OneOwnerOnly) {
  const HaloSet halo = find_halo_set(graph_.view(), owner_, owned_, 0, marks_, 2);
  EXPECT_EQ(halo.vertices, (Ids{4}));
}

TEST_F(FindHaloSet, AllPartsFollowArcDirections) {
  const auto halos = find_halo_sets(graph_.view(), owner_, owned_);
  ASSERT_EQ(halos.size(), 3U);
  EXPECT_EQ(halos[0].vertices, (Ids{1, 3, 4}));
  EXPECT_TRUE(halos[1].vertices.empty());
  EXPECT_EQ(halos[2].vertices, (Ids{0}));
}

}  // namespace
}  // namespace weft::partition
