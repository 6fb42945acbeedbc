// SPDX-License-Identifier: MIT
#include "graph/csr_build.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

#include "graph/generators.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "tests/graph/threads.hpp"
#include "tests/support/graph_zoo.hpp"

namespace weft::graph {
namespace {

using Pair = std::pair<std::int32_t, std::int32_t>;  // (destination, source): the order of rows

/// Weights of each distinct arc in the order in which it was written.
std::map<Pair, std::vector<float>> written_arcs(const EdgeList& edges,
                                                const BuildOptions& options) {
  std::map<Pair, std::vector<float>> written;
  for (std::size_t i = 0; i < edges.arcs.size(); ++i) {
    const Arc arc = edges.arcs[i];
    if (arc.source == arc.destination && options.loops == Loops::drop) continue;
    written[{arc.destination, arc.source}].push_back(edges.weights.empty() ? 1.0F
                                                                           : edges.weights[i]);
  }
  return written;
}

/// The rules of csr_build.hpp, said with maps.
std::map<Pair, float> plain_build(const EdgeList& edges, const BuildOptions& options) {
  std::map<Pair, float> merged;
  for (const auto& [pair, weights] : written_arcs(edges, options)) {
    double sum = 0.0;
    for (const float weight : weights)
      sum += static_cast<double>(weight);
    merged[pair] = options.repeats == Repeats::sum ? static_cast<float>(sum) : weights.front();
  }
  if (!options.add_reverse_arcs) return merged;
  std::map<Pair, float> both = merged;
  for (const auto& [pair, weight] : merged) {
    const Pair reverse{pair.second, pair.first};
    const auto found = merged.find(reverse);
    both[pair] = found == merged.end() ? weight : std::max(weight, found->second);
    both[reverse] = both[pair];
  }
  return both;
}

BuildReport plain_report(const EdgeList& edges, const BuildOptions& options) {
  BuildReport report;
  const auto written = written_arcs(edges, options);
  const auto built = plain_build(edges, options);
  report.arcs_read = static_cast<std::int64_t>(edges.arcs.size());
  for (const Arc arc : edges.arcs)
    report.self_loops += arc.source == arc.destination ? 1 : 0;
  for (const auto& [pair, weights] : written) {
    report.repeated_arcs += static_cast<std::int64_t>(weights.size()) - 1;
    const bool one_way = pair.first != pair.second && !written.count({pair.second, pair.first});
    report.one_way_arcs += one_way ? 1 : 0;
  }
  std::set<std::int32_t> touched;
  for (const auto& [pair, weight] : built) {
    touched.insert({pair.first, pair.second});
    report.weighted = report.weighted || weight != 1.0F;
  }
  report.isolated_vertices = edges.num_vertices - static_cast<std::int64_t>(touched.size());
  report.num_edges = static_cast<std::int64_t>(built.size());
  return report;
}

void expect_reports_equal(const BuildReport& found, const BuildReport& expected) {
  EXPECT_EQ(found.arcs_read, expected.arcs_read);
  EXPECT_EQ(found.self_loops, expected.self_loops);
  EXPECT_EQ(found.repeated_arcs, expected.repeated_arcs);
  EXPECT_EQ(found.one_way_arcs, expected.one_way_arcs);
  EXPECT_EQ(found.isolated_vertices, expected.isolated_vertices);
  EXPECT_EQ(found.num_edges, expected.num_edges);
  EXPECT_EQ(found.weighted, expected.weighted);
}

void expect_graph(const CsrGraph& graph, const std::map<Pair, float>& expected) {
  std::map<Pair, float> found;
  bool all_one = true;
  for (std::int64_t v = 0; v < graph.view().num_vertices(); ++v) {
    const auto row = graph.view().neighbors(v);
    for (std::size_t place = 0; place < row.size(); ++place) {
      EXPECT_TRUE(place == 0 || row[place - 1] < row[place]) << "row " << v;
      const EdgeOffset edge =
          graph.row_ptr[static_cast<std::size_t>(v)] + static_cast<EdgeOffset>(place);
      found[{static_cast<std::int32_t>(v), row[place]}] = graph.view().weight(edge);
      all_one = all_one && graph.view().weight(edge) == 1.0F;
    }
  }
  EXPECT_EQ(found, expected);
  EXPECT_EQ(graph.view().is_weighted(), !all_one);
}

std::vector<BuildOptions> all_options() {
  std::vector<BuildOptions> all;
  for (const bool reverse : {false, true}) {
    for (const Repeats repeats : {Repeats::sum, Repeats::keep_one}) {
      for (const Loops loops : {Loops::keep, Loops::drop})
        all.push_back({reverse, repeats, loops});
    }
  }
  return all;
}

void expect_plain_result(const EdgeList& edges, const std::string& name) {
  for (const BuildOptions& options : all_options()) {
    SCOPED_TRACE(text(name, options.add_reverse_arcs ? ", reverses" : "",
                      options.repeats == Repeats::sum ? ", sum" : ", keep one",
                      options.loops == Loops::keep ? ", loops" : ", no loops"));
    BuildReport report;
    const CsrGraph graph = build_csr(EdgeList(edges), options, &report);
    EXPECT_EQ(graph.view().num_vertices(), edges.num_vertices);
    expect_graph(graph, plain_build(edges, options));
    expect_reports_equal(report, plain_report(edges, options));
  }
}

TEST(CsrBuild, FollowsTheRulesOnTheZoo) {
  for (const auto& named : test_support::edge_zoo())
    expect_plain_result(named.edges, named.name);
}

TEST(CsrBuild, FollowsTheRulesOnRandomGraphs) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const bool weighted = seed % 2 == 0;
    const std::int64_t num_vertices = seed <= 2 ? 5 : 300;
    expect_plain_result(test_support::random_edges(num_vertices, 2000, weighted, seed),
                        text("seed ", seed));
  }
}

TEST(CsrBuild, SortsRowsOfEveryLength) {
  EdgeList edges{9000, {}, {}};
  for (std::int32_t v = 1; v < 9000; ++v)
    edges.arcs.push_back({9000 - v, 0});
  for (std::int32_t v = 0; v < 3000; ++v)
    edges.arcs.push_back({(v * 7919) % 3000, 1 + v % 13});
  expect_plain_result(edges, "hubs");
}

TEST(CsrBuild, CountsDoNotDependOnThreads) {
  for (const int threads : {1, 2, 7, 16}) {
    BuildReport report;
    BuildOptions options;
    options.add_reverse_arcs = true;
    const CsrGraph graph = test_support::with_threads(
        threads, [&] { return build_csr(circulant(40, 4), options, &report); });
    EXPECT_EQ(graph.view().num_vertices(), 40);
    EXPECT_EQ(report.arcs_read, 160);
    EXPECT_EQ(report.num_edges, 320);
    EXPECT_EQ(report.repeated_arcs, 0);
    EXPECT_EQ(report.self_loops, 0);
    EXPECT_FALSE(report.weighted);
  }
}

TEST(CsrBuild, BitsDoNotDependOnThreads) {
  // Enough arcs for several chunks and buckets, and repeats whose sum depends on their order.
  const EdgeList edges = test_support::random_edges(2000, 400000, true, 3);
  for (const BuildOptions& options : all_options()) {
    const CsrGraph one =
        test_support::with_threads(1, [&] { return build_csr(EdgeList(edges), options); });
    for (const int threads : {2, 16}) {
      const CsrGraph many =
          test_support::with_threads(threads, [&] { return build_csr(EdgeList(edges), options); });
      EXPECT_EQ(one.row_ptr, many.row_ptr);
      EXPECT_EQ(one.col_idx, many.col_idx);
      EXPECT_EQ(one.edge_weight, many.edge_weight);
    }
  }
}

TEST(CsrBuild, ALoopIsOneArcWithItsOwnWeight) {
  for (const bool reverse : {false, true}) {
    BuildReport report;
    BuildOptions options;
    options.add_reverse_arcs = reverse;
    CsrGraph graph = build_csr({1, {{0, 0}}, {1.0F}}, options, &report);
    expect_graph(graph, {{{0, 0}, 1.0F}});
    EXPECT_EQ(report.self_loops, 1);
    EXPECT_EQ(report.isolated_vertices, 0);
    graph = build_csr({1, {{0, 0}}, {2.5F}}, options);
    expect_graph(graph, {{{0, 0}, 2.5F}});
  }
}

TEST(CsrBuild, RowsAreDestinations) {
  const CsrGraph graph = build_csr({2, {{0, 1}}, {}});
  EXPECT_EQ(graph.row_ptr, (std::vector<EdgeOffset>{0, 0, 1}));
  EXPECT_EQ(graph.col_idx, std::vector<std::int32_t>{0});
}

TEST(CsrBuild, ReverseArcsOfADirectedRing) {
  BuildOptions options;
  options.add_reverse_arcs = true;
  BuildReport report;
  const CsrGraph graph =
      build_csr({5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}, {}}, options, &report);
  EXPECT_EQ(graph.view().num_edges(), 10);
  EXPECT_EQ(report.one_way_arcs, 5);
}

TEST(CsrBuild, BothDirectionsGetTheLargerWeight) {
  BuildOptions options;
  options.add_reverse_arcs = true;
  const CsrGraph graph = build_csr({3, {{0, 1}, {1, 0}, {1, 2}}, {2.0F, 5.0F, 3.0F}}, options);
  expect_graph(graph, {{{0, 1}, 5.0F}, {{1, 0}, 5.0F}, {{1, 2}, 3.0F}, {{2, 1}, 3.0F}});
}

TEST(CsrBuild, BuildingItsOwnResultChangesNothing) {
  const EdgeList edges = test_support::random_edges(60, 900, true, 11);
  for (const BuildOptions& options : all_options()) {
    const CsrGraph once = build_csr(EdgeList(edges), options);
    EdgeList again{edges.num_vertices, {}, once.edge_weight};
    for (std::int32_t v = 0; v < edges.num_vertices; ++v) {
      for (const std::int32_t u : once.view().neighbors(v))
        again.arcs.push_back({u, v});
    }
    const CsrGraph twice = build_csr(std::move(again), options);
    EXPECT_EQ(once.row_ptr, twice.row_ptr);
    EXPECT_EQ(once.col_idx, twice.col_idx);
    EXPECT_EQ(once.edge_weight, twice.edge_weight);
  }
}

TEST(CsrBuild, FreesTheListAndReportsProgress) {
  EdgeList edges = ring(100);
  std::vector<std::string> steps;
  const auto progress = [&](std::string_view step, double fraction) {
    EXPECT_GE(fraction, 0.0);
    EXPECT_LE(fraction, 1.0);
    steps.emplace_back(step);
  };
  const CsrGraph graph = build_csr(std::move(edges), {}, nullptr, progress);
  EXPECT_EQ(graph.view().num_edges(), 100);
  EXPECT_EQ(edges.arcs.capacity(), 0U);  // NOLINT: the emptied list is what is tested
  EXPECT_FALSE(steps.empty());
}

void expect_refusal(EdgeList edges, const std::vector<std::string>& words) {
  try {
    (void)build_csr(std::move(edges));
    FAIL() << "accepted";
  } catch (const InputError& error) {
    for (const std::string& word : words) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  }
}

TEST(CsrBuild, RefusesWhatIsNoGraph) {
  expect_refusal({3, {{0, 1}, {1, 7}, {9, 0}}, {}}, {"arc 1", "7", "0 to 2"});
  expect_refusal({3, {{0, 1}, {-1, 2}}, {}}, {"arc 1", "-1"});
  expect_refusal({3, {{0, 1}}, {1.0F, 2.0F}}, {"2 edge weights", "1 arcs"});
  expect_refusal({-1, {}, {}}, {"-1 vertices"});
  expect_refusal({std::int64_t{1} << 31, {}, {}}, {"2147483648", "2,147,483,647"});
}

}  // namespace
}  // namespace weft::graph
