// SPDX-License-Identifier: MIT
#include "graph/transforms.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "graph/csr_build.hpp"
#include "graph/generators.hpp"
#include "tests/support/graph_zoo.hpp"

namespace weft::graph {
namespace {

using Pair = std::pair<std::int32_t, std::int32_t>;

/// (source, destination) -> weight
std::map<Pair, float> arcs_of(const CsrView& graph) {
  std::map<Pair, float> arcs;
  for (std::int32_t v = 0; v < graph.num_vertices(); ++v) {
    for (auto e = graph.row_ptr[static_cast<std::size_t>(v)];
         e < graph.row_ptr[static_cast<std::size_t>(v) + 1]; ++e) {
      arcs[{graph.col_idx[static_cast<std::size_t>(e)], v}] = graph.weight(e);
    }
  }
  return arcs;
}

std::vector<test_support::NamedGraph> graphs() {
  auto all = test_support::graph_zoo();
  all.push_back({"large", build_csr(test_support::random_edges(4000, 30000, true, 1))});
  all.push_back({"dense", build_csr(test_support::random_edges(40, 1500, false, 2))});
  return all;
}

TEST(Transpose, TurnsEveryArcRound) {
  for (const auto& named : graphs()) {
    std::map<Pair, float> expected;
    for (const auto& [pair, weight] : arcs_of(named.graph.view())) {
      expected[{pair.second, pair.first}] = weight;
    }
    const CsrGraph turned = transpose(named.graph.view());
    EXPECT_EQ(turned.view().num_vertices(), named.graph.view().num_vertices()) << named.name;
    EXPECT_EQ(arcs_of(turned.view()), expected) << named.name;
    const CsrGraph again = transpose(turned.view());
    EXPECT_EQ(again.row_ptr, named.graph.row_ptr) << named.name;
    EXPECT_EQ(again.col_idx, named.graph.col_idx) << named.name;
    EXPECT_EQ(again.edge_weight, named.graph.edge_weight) << named.name;
  }
}

TEST(IsSymmetric, AgreesWithTheTransposedGraph) {
  for (const auto& named : graphs()) {
    const CsrGraph turned = transpose(named.graph.view());
    const bool expected = turned.row_ptr == named.graph.row_ptr &&
                          turned.col_idx == named.graph.col_idx &&
                          turned.edge_weight == named.graph.edge_weight;
    EXPECT_EQ(is_symmetric(named.graph.view()), expected) << named.name;
  }
}

TEST(IsSymmetric, SeesOneArcTooFewAndOneWeightThatDiffers) {
  BuildOptions options;
  options.add_reverse_arcs = true;
  const EdgeList edges = test_support::random_edges(500, 4000, true, 3);
  CsrGraph graph = build_csr(EdgeList(edges), options);
  EXPECT_TRUE(is_symmetric(graph.view()));
  graph.edge_weight[graph.edge_weight.size() / 2] += 0.125F;
  EXPECT_FALSE(is_symmetric(graph.view()));
  EXPECT_FALSE(is_symmetric(build_csr({3, {{0, 1}, {1, 0}, {0, 2}}, {}}).view()));
  EXPECT_FALSE(is_symmetric(build_csr({3, {{0, 1}, {1, 0}, {2, 0}}, {}}).view()));
  EXPECT_FALSE(is_symmetric(build_csr({4, {{0, 1}, {3, 2}}, {}}).view()));
}

TEST(SymmetrizedWithoutLoops, IsTheUnionOfBothDirections) {
  for (const auto& named : graphs()) {
    std::set<Pair> expected;
    for (const auto& [pair, weight] : arcs_of(named.graph.view())) {
      if (pair.first == pair.second) continue;
      expected.insert(pair);
      expected.insert({pair.second, pair.first});
    }
    const CsrGraph made = symmetrized_without_loops(named.graph.view());
    std::set<Pair> found;
    for (const auto& [pair, weight] : arcs_of(made.view()))
      found.insert(pair);
    EXPECT_EQ(found, expected) << named.name;
    EXPECT_EQ(static_cast<std::size_t>(made.view().num_edges()), expected.size()) << named.name;
    EXPECT_FALSE(made.view().is_weighted()) << named.name;
    EXPECT_TRUE(is_symmetric(made.view())) << named.name;
  }
}

}  // namespace
}  // namespace weft::graph
