// SPDX-License-Identifier: MIT
#include "graph/normalization.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "graph/csr_build.hpp"
#include "graph/generators.hpp"
#include "graph/transforms.hpp"
#include "tests/support/graph_zoo.hpp"

namespace weft::graph {
namespace {

std::vector<double> in_degrees(EdgeList edges, bool undirected) {
  BuildOptions options;
  options.add_reverse_arcs = undirected;
  return compute_degrees(build_csr(std::move(edges), options).view()).weighted_in;
}

/// One step of GCN on numbers: sum over arcs u -> v of coefficient * x[u], with a loop added where
/// there is none.
std::vector<double> gcn_step(const CsrGraph& graph, const std::vector<double>& x) {
  const CsrView view = graph.view();
  const Degrees degrees = compute_degrees(view);
  const auto degree = [&](std::size_t v) {
    return degrees.weighted_in[v] + (degrees.has_loop[v] != 0 ? 0.0 : 1.0);
  };
  std::vector<double> y(x.size());
  for (std::size_t v = 0; v < x.size(); ++v) {
    for (auto e = view.row_ptr[v]; e < view.row_ptr[v + 1]; ++e) {
      const auto u = static_cast<std::size_t>(view.col_idx[static_cast<std::size_t>(e)]);
      y[v] +=
          symmetric_coefficient(static_cast<double>(view.weight(e)), degree(u), degree(v)) * x[u];
    }
    if (degrees.has_loop[v] == 0) y[v] += symmetric_coefficient(1.0, degree(v), degree(v)) * x[v];
  }
  return y;
}

TEST(ComputeDegrees, AreInDegreesOfTheWholeGraph) {
  const EdgeList edges{4, {{0, 1}, {1, 2}, {2, 3}, {0, 3}}, {}};
  EXPECT_EQ(in_degrees(edges, false), (std::vector<double>{0, 1, 1, 2}));
  const CsrGraph graph = build_csr(EdgeList(edges));
  EXPECT_EQ(compute_degrees(transpose(graph.view()).view()).weighted_in,
            (std::vector<double>{2, 1, 1, 0}));
}

TEST(ComputeDegrees, SumWeightsAndFindLoops) {
  const CsrGraph graph = build_csr({3, {{0, 0}, {1, 0}, {1, 2}}, {0.5F, 2.0F, 4.0F}});
  const Degrees degrees = compute_degrees(graph.view());
  EXPECT_EQ(degrees.weighted_in, (std::vector<double>{2.5, 0, 4}));
  EXPECT_EQ(degrees.has_loop, (std::vector<std::uint8_t>{1, 0, 0}));
}

TEST(ComputeDegrees, AgreeWithAPlainSumOnTheZoo) {
  for (const auto& named : test_support::graph_zoo()) {
    const CsrView view = named.graph.view();
    const Degrees degrees = compute_degrees(view);
    ASSERT_EQ(static_cast<std::int64_t>(degrees.weighted_in.size()), view.num_vertices());
    for (std::size_t v = 0; v < degrees.weighted_in.size(); ++v) {
      double sum = 0.0;
      bool loop = false;
      for (auto e = view.row_ptr[v]; e < view.row_ptr[v + 1]; ++e) {
        sum += static_cast<double>(view.weight(e));
        loop = loop || view.col_idx[static_cast<std::size_t>(e)] == static_cast<std::int32_t>(v);
      }
      EXPECT_EQ(degrees.weighted_in[v], sum) << named.name;
      EXPECT_EQ(degrees.has_loop[v] != 0, loop) << named.name;
    }
  }
}

TEST(SymmetricCoefficient, IsZeroWhereADegreeIsNotPositive) {
  EXPECT_DOUBLE_EQ(symmetric_coefficient(3.0, 4.0, 9.0), 0.5);
  EXPECT_EQ(symmetric_coefficient(1.0, 0.0, 2.0), 0.0);
  EXPECT_EQ(symmetric_coefficient(1.0, 2.0, -1.0), 0.0);
  EXPECT_EQ(symmetric_coefficient(1.0, std::nan(""), 2.0), 0.0);
}

// A loop in the input must not be counted twice.
TEST(Normalization, ALoopThatIsThereIsNotAddedAgain) {
  BuildOptions options;
  options.add_reverse_arcs = true;
  const CsrGraph graph = build_csr({2, {{0, 1}, {0, 0}}, {}}, options);
  const auto y = gcn_step(graph, {1.0, 3.0});
  EXPECT_NEAR(y[0], 2.0, 1e-12);
  EXPECT_NEAR(y[1], 2.0, 1e-12);
}

TEST(Normalization, PathOfFour) {
  BuildOptions options;
  options.add_reverse_arcs = true;
  const auto y = gcn_step(build_csr(path(4), options), {1, 2, 3, 4});
  const std::vector<double> expected{1.316497, 2.074915, 3.299660, 3.224745};
  for (std::size_t v = 0; v < 4; ++v)
    EXPECT_NEAR(y[v], expected[v], 1e-6);
}

// One arc 0 -> 1: messages go along the arrow, never against it.
TEST(Normalization, MessagesFollowTheArc) {
  const CsrGraph graph = build_csr({2, {{0, 1}}, {}});
  EXPECT_TRUE(graph.view().neighbors(0).empty());
  ASSERT_EQ(graph.view().neighbors(1).size(), 1U);
  EXPECT_EQ(graph.view().neighbors(1)[0], 0);
}

}  // namespace
}  // namespace weft::graph
