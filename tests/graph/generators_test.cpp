// SPDX-License-Identifier: MIT
#include "graph/generators.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "graph/csr_build.hpp"
#include "graph/support/error.hpp"

namespace weft::graph {
namespace {

CsrGraph undirected(EdgeList edges) {
  BuildOptions options;
  options.add_reverse_arcs = true;
  return build_csr(std::move(edges), options);
}

void expect_simple(const EdgeList& edges) {
  std::set<std::pair<std::int32_t, std::int32_t>> seen;
  for (const Arc arc : edges.arcs) {
    EXPECT_NE(arc.source, arc.destination);
    EXPECT_TRUE(seen.insert(std::minmax(arc.source, arc.destination)).second);
  }
}

TEST(Generators, HaveTheCountsOfTheirShapes) {
  const auto counts = [](const EdgeList& edges) {
    expect_simple(edges);
    return std::make_pair(edges.num_vertices, static_cast<std::int64_t>(edges.arcs.size()));
  };
  using Counts = std::pair<std::int64_t, std::int64_t>;
  EXPECT_EQ(counts(ring(10)), Counts(10, 10));
  EXPECT_EQ(counts(ring(2)), Counts(2, 1));
  EXPECT_EQ(counts(ring(1)), Counts(1, 0));
  EXPECT_EQ(counts(path(10)), Counts(10, 9));
  EXPECT_EQ(counts(path(0)), Counts(0, 0));
  EXPECT_EQ(counts(star(10)), Counts(10, 9));
  EXPECT_EQ(counts(grid(4, 5)), Counts(20, 31));
  EXPECT_EQ(counts(grid(1, 5)), Counts(5, 4));
  EXPECT_EQ(counts(grid(0, 5)), Counts(0, 0));
  EXPECT_EQ(counts(two_cliques(5)), Counts(10, 21));
  EXPECT_EQ(counts(circulant(40, 4)), Counts(40, 160));
}

TEST(Generators, HaveTheNeighborsOfTheirShapes) {
  const CsrGraph mesh = undirected(grid(3, 4));
  const auto middle = mesh.view().neighbors(5);
  EXPECT_EQ(std::vector<std::int32_t>(middle.begin(), middle.end()),
            (std::vector<std::int32_t>{1, 4, 6, 9}));
  const CsrGraph circle = undirected(ring(6));
  for (std::int64_t v = 0; v < 6; ++v)
    EXPECT_EQ(circle.view().degree(v), 2);
  const CsrGraph hub = undirected(star(6));
  EXPECT_EQ(hub.view().degree(0), 5);
  EXPECT_EQ(hub.view().degree(3), 1);
}

TEST(KarateClub, HasItsPublishedFacts) {
  const EdgeList edges = karate_club();
  expect_simple(edges);
  EXPECT_EQ(edges.num_vertices, 34);
  EXPECT_EQ(edges.arcs.size(), 78U);
  const CsrGraph graph = undirected(edges);
  EXPECT_EQ(graph.view().degree(33), 17);
  EXPECT_EQ(graph.view().degree(0), 16);
  EXPECT_EQ(graph.view().degree(11), 1);
}

TEST(KarateClub, SplitsIntoEqualFactions) {
  const auto factions = karate_club_factions();
  ASSERT_EQ(factions.size(), 34U);
  EXPECT_EQ(std::count(factions.begin(), factions.end(), 0), 17);
  EXPECT_EQ(std::count(factions.begin(), factions.end(), 1), 17);
  EXPECT_EQ(factions[0], 0);
  EXPECT_EQ(factions[33], 1);
  EXPECT_EQ(factions[8], 0);  // stayed with the instructor against his ties
  int across = 0;
  for (const Arc arc : karate_club().arcs) {
    across += factions[static_cast<std::size_t>(arc.source)] !=
              factions[static_cast<std::size_t>(arc.destination)];
  }
  EXPECT_EQ(across, 11);
}

TEST(Generators, RefuseWhatIsNoShape) {
  EXPECT_THROW((void)ring(-1), InputError);
  EXPECT_THROW((void)grid(-1, 3), InputError);
  EXPECT_THROW((void)grid(100000, 100000), InputError);
  EXPECT_THROW((void)circulant(8, 4), InputError);
}

}  // namespace
}  // namespace weft::graph
