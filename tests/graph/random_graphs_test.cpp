// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "graph/csr_build.hpp"
#include "graph/generators.hpp"
#include "graph/support/error.hpp"
#include "tests/graph/threads.hpp"

namespace weft::graph {
namespace {

RmatOptions rmat_options() {
  RmatOptions options;
  options.num_vertices = 3000;  // no power of two: some draws are refused
  options.num_edges = 60000;
  return options;
}

TEST(Rmat, IsTheSameForAnyNumberOfThreads) {
  const EdgeList one = test_support::with_threads(1, [] { return rmat(rmat_options()); });
  const EdgeList many = test_support::with_threads(7, [] { return rmat(rmat_options()); });
  EXPECT_EQ(one.arcs, many.arcs);
  RmatOptions other = rmat_options();
  other.seed = 2;
  EXPECT_NE(rmat(other).arcs, one.arcs);
}

TEST(Rmat, StaysInRangeAndIsSkewed) {
  const EdgeList edges = rmat(rmat_options());
  EXPECT_EQ(edges.arcs.size(), 60000U);
  std::vector<int> degree(3000);
  for (const Arc arc : edges.arcs) {
    ASSERT_GE(std::min(arc.source, arc.destination), 0);
    ASSERT_LT(std::max(arc.source, arc.destination), 3000);
    ++degree[static_cast<std::size_t>(arc.source)];
  }
  std::sort(degree.rbegin(), degree.rend());
  int top_percent = 0;
  for (std::size_t i = 0; i < 30; ++i)
    top_percent += degree[i];
  EXPECT_GT(top_percent, 60000 / 10);  // an even spread would give a hundredth
}

// With a power of two nothing is refused: the first bits show the quadrants' probabilities.
TEST(Rmat, QuadrantsHaveTheirShares) {
  RmatOptions options = rmat_options();
  options.num_vertices = 1024;
  options.num_edges = 100000;
  std::array<double, 4> shares{};
  for (const Arc arc : rmat(options).arcs) {
    const auto quadrant = static_cast<std::size_t>(arc.source / 512 * 2 + arc.destination / 512);
    shares[quadrant] += 1e-5;
  }
  EXPECT_NEAR(shares[0], 0.57, 0.01);
  EXPECT_NEAR(shares[1], 0.19, 0.01);
  EXPECT_NEAR(shares[2], 0.19, 0.01);
  EXPECT_NEAR(shares[3], 0.05, 0.01);
}

TEST(Rmat, EndsForEveryProbability) {
  RmatOptions options = rmat_options();
  options.num_edges = 500;
  options.a = options.b = options.c = 0.0;  // always the last vertex, which is out of range
  EXPECT_EQ(rmat(options).arcs.size(), 500U);
  options.num_vertices = 1;
  EXPECT_EQ(rmat(options).arcs.front(), (Arc{0, 0}));
  options.num_vertices = 0;
  EXPECT_THROW((void)rmat(options), InputError);
  options = rmat_options();
  options.a = 0.9;
  EXPECT_THROW((void)rmat(options), InputError);
}

CommunityOptions community_options() {
  CommunityOptions options;
  options.num_vertices = 5003;
  options.mean_degree = 12.0;
  options.num_communities = 7;
  options.inside = 0.75;
  return options;
}

TEST(PlantedCommunities, HaveExactCounts) {
  const CommunityGraph graph = planted_communities(community_options());
  EXPECT_EQ(graph.edges.arcs.size(), 30018U);
  std::set<std::pair<std::int32_t, std::int32_t>> distinct;
  std::int64_t inside = 0;
  for (const Arc arc : graph.edges.arcs) {
    ASSERT_NE(arc.source, arc.destination);
    distinct.insert(std::minmax(arc.source, arc.destination));
    inside += graph.community[static_cast<std::size_t>(arc.source)] ==
              graph.community[static_cast<std::size_t>(arc.destination)];
  }
  EXPECT_EQ(distinct.size(), 30018U);
  EXPECT_EQ(inside, 22514);  // three quarters, rounded up
  std::vector<int> sizes(7);
  for (const std::int32_t community : graph.community) {
    ++sizes[static_cast<std::size_t>(community)];
  }
  EXPECT_EQ(*std::min_element(sizes.begin(), sizes.end()), 714);
  EXPECT_EQ(*std::max_element(sizes.begin(), sizes.end()), 715);
}

TEST(PlantedCommunities, AreTheSameForAnyNumberOfThreads) {
  const auto make = [] { return planted_communities(community_options()); };
  const CommunityGraph one = test_support::with_threads(1, make);
  const CommunityGraph many = test_support::with_threads(7, make);
  EXPECT_EQ(one.edges.arcs, many.edges.arcs);
  EXPECT_EQ(one.community, many.community);
}

std::vector<EdgeOffset> sorted_degrees(const CommunityOptions& options) {
  BuildOptions build;
  build.add_reverse_arcs = true;
  const CsrGraph graph = build_csr(planted_communities(options).edges, build);
  std::vector<EdgeOffset> degrees;
  for (std::int64_t v = 0; v < options.num_vertices; ++v) {
    degrees.push_back(graph.view().degree(v));
  }
  std::sort(degrees.rbegin(), degrees.rend());
  return degrees;
}

TEST(PlantedCommunities, DegreesFollowThePowerLawUpToTheCut) {
  CommunityOptions options = community_options();
  options.num_vertices = 50000;
  const auto degrees = sorted_degrees(options);
  const double cut = std::sqrt(50000.0 * options.mean_degree);
  EXPECT_LT(static_cast<double>(degrees[0]), 1.3 * cut);
  EXPECT_GT(static_cast<double>(degrees[0]), 0.5 * cut);
  // Rank 1,000 to rank 10,000: the degree falls by about 10^(1 / (exponent - 1)) = 4.6.
  const double ratio = static_cast<double>(degrees[1000]) / static_cast<double>(degrees[10000]);
  EXPECT_NEAR(ratio, 4.0, 0.8);
  options.exponent = 0.0;
  EXPECT_LT(sorted_degrees(options)[0], 40);  // all alike: Poisson with mean 12
}

TEST(PlantedCommunities, RefuseWhatMakesNoGraph) {
  const auto expect_refusal = [](auto change) {
    CommunityOptions options = community_options();
    change(options);
    EXPECT_THROW((void)planted_communities(options), InputError);
  };
  expect_refusal([](CommunityOptions& o) { o.num_vertices = 1; });
  expect_refusal([](CommunityOptions& o) { o.num_communities = 0; });
  expect_refusal([](CommunityOptions& o) { o.num_communities = 3000; });
  expect_refusal([](CommunityOptions& o) { o.inside = 1.5; });
  expect_refusal([](CommunityOptions& o) { o.num_communities = 1; });  // nothing outside
  expect_refusal([](CommunityOptions& o) { o.exponent = 1.5; });
  expect_refusal([](CommunityOptions& o) { o.mean_degree = 600.0; });
  expect_refusal([](CommunityOptions& o) { o.mean_degree = -1.0; });
}

TEST(PlantedCommunities, TakeSmallAndDenseCases) {
  CommunityOptions options;
  options.num_vertices = 4;
  options.num_communities = 2;
  options.mean_degree = 1.0;
  options.inside = 0.5;
  EXPECT_EQ(planted_communities(options).edges.arcs.size(), 2U);
  options.num_vertices = 40;
  options.num_communities = 1;
  options.inside = 1.0;
  options.mean_degree = 19.0;
  EXPECT_EQ(planted_communities(options).edges.arcs.size(), 380U);
}

}  // namespace
}  // namespace weft::graph
