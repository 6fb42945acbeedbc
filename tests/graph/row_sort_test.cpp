// SPDX-License-Identifier: MIT
#include "graph/row_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "graph/csr_build.hpp"
#include "tests/support/graph_zoo.hpp"

namespace weft::graph {
namespace {

struct Entry {
  std::int32_t row;
  std::uint32_t key;
  float weight;

  friend bool operator==(const Entry&, const Entry&) = default;
};

/// All entries by row and key, equal ones in the order of their arcs.
std::vector<Entry> plain_entries(const EdgeList& edges, ExpandArc expand) {
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < edges.arcs.size(); ++i) {
    const float weight = edges.weights.empty() ? 1.0F : edges.weights[i];
    expand(edges.arcs[i], [&](std::int32_t row, std::uint32_t key) {
      entries.push_back({row, key, weight});
    });
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::make_pair(a.row, a.key) < std::make_pair(b.row, b.key);
  });
  return entries;
}

std::vector<Entry> entries_of(const SortedRows& rows) {
  std::vector<Entry> entries;
  for (std::size_t v = 0; v + 1 < rows.row_ptr.size(); ++v) {
    for (auto e = static_cast<std::size_t>(rows.row_ptr[v]);
         e < static_cast<std::size_t>(rows.row_ptr[v + 1]); ++e) {
      entries.push_back({static_cast<std::int32_t>(v), static_cast<std::uint32_t>(rows.keys[e]),
                         rows.weights.empty() ? 1.0F : rows.weights[e]});
    }
  }
  return entries;
}

TEST(SortRows, KeepsEveryEntryInOrder) {
  for (const bool weighted : {false, true}) {
    const EdgeList edges = test_support::random_edges(700, 150000, weighted, 2);
    for (const bool reverse : {false, true}) {
      for (const bool drop_loops : {false, true}) {
        const ExpandArc expand{reverse, drop_loops};
        const SortedRows rows = sort_rows(EdgeList(edges), expand);
        EXPECT_EQ(rows.row_ptr.back(), static_cast<EdgeOffset>(rows.keys.size()));
        EXPECT_TRUE(entries_of(rows) == plain_entries(edges, expand));
      }
    }
  }
}

TEST(SortRows, BucketsOfManyRowsAndOfOne) {
  const EdgeList sparse = test_support::random_edges(1500000, 1000, false, 4);
  EXPECT_TRUE(entries_of(sort_rows(EdgeList(sparse), {})) == plain_entries(sparse, {}));
  const EdgeList dense = test_support::random_edges(2, 300000, false, 5);
  EXPECT_TRUE(entries_of(sort_rows(EdgeList(dense), {true, false})) ==
              plain_entries(dense, {true, false}));
}

TEST(ExpandArc, KeysFitTheLargestVertex) {
  constexpr std::int32_t largest = 2147483646;
  std::vector<std::uint32_t> keys;
  ExpandArc{true, false}(Arc{largest, 0},
                         [&](std::int32_t, std::uint32_t key) { keys.push_back(key); });
  ExpandArc{true, false}(Arc{0, largest},
                         [&](std::int32_t, std::uint32_t key) { keys.push_back(key); });
  EXPECT_EQ(keys, (std::vector<std::uint32_t>{4294967292U, 1U, 0U, 4294967293U}));
}

TEST(SortTransposedRows, TurnsEveryArcRound) {
  for (const bool weighted : {false, true}) {
    const CsrGraph graph = build_csr(test_support::random_edges(3000, 100000, weighted, 9));
    EdgeList turned{3000, {}, {}};
    for (std::int32_t v = 0; v < 3000; ++v) {
      for (auto e = graph.row_ptr[static_cast<std::size_t>(v)];
           e < graph.row_ptr[static_cast<std::size_t>(v) + 1]; ++e) {
        turned.arcs.push_back({v, graph.col_idx[static_cast<std::size_t>(e)]});
        turned.weights.push_back(graph.view().weight(e));
      }
    }
    const SortedRows rows = sort_transposed_rows(graph.view());
    EXPECT_TRUE(entries_of(rows) == plain_entries(turned, {}));
  }
}

}  // namespace
}  // namespace weft::graph
