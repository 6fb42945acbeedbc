// SPDX-License-Identifier: MIT
#include "partition/vertex_cover.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <utility>

namespace weft::partition {
namespace {

// (source, destination).
using Arcs = std::vector<std::pair<std::int32_t, std::int32_t>>;

// Owns the arrays of a bipartite graph.
struct Sides {
  Sides(std::int32_t sources, std::int32_t destinations, const Arcs& arcs) : num_sources(sources) {
    for (std::int32_t destination = 0; destination < destinations; ++destination) {
      for (const auto& [source, end] : arcs) {
        if (end == destination) col_idx.push_back(source);
      }
      row_ptr.push_back(static_cast<EdgeOffset>(col_idx.size()));
    }
  }
  [[nodiscard]] BipartiteGraph graph() const { return {num_sources, row_ptr, col_idx}; }

  std::int32_t num_sources;
  std::vector<EdgeOffset> row_ptr{0};
  std::vector<std::int32_t> col_idx;
};

std::int64_t sources_with_arcs(const BipartiteGraph& graph) {
  std::vector<std::int32_t> sources(graph.col_idx.begin(), graph.col_idx.end());
  std::sort(sources.begin(), sources.end());
  return std::unique(sources.begin(), sources.end()) - sources.begin();
}

std::int64_t destinations_with_arcs(const BipartiteGraph& graph) {
  std::int64_t count = 0;
  for (std::int32_t destination = 0; destination < graph.num_destinations(); ++destination)
    count += graph.sources(destination).empty() ? 0 : 1;
  return count;
}

// What holds for every cover, minimum or not, and for every minimum one.
VertexCover checked_cover(const BipartiteGraph& graph) {
  const VertexCover cover = minimum_vertex_cover(graph);
  EXPECT_EQ(cover.has_source.size(), static_cast<std::size_t>(graph.num_sources));
  EXPECT_EQ(cover.has_destination.size(), static_cast<std::size_t>(graph.num_destinations()));
  std::int64_t bare_arcs = 0;
  for (std::int32_t destination = 0; destination < graph.num_destinations(); ++destination) {
    if (cover.has_destination[static_cast<std::size_t>(destination)] == 1) continue;
    for (const std::int32_t source : graph.sources(destination))
      bare_arcs += cover.has_source[static_cast<std::size_t>(source)] == 1 ? 0 : 1;
  }
  EXPECT_EQ(bare_arcs, 0);
  EXPECT_LE(cover.size(), std::min(sources_with_arcs(graph), destinations_with_arcs(graph)));
  return cover;
}

// Every set of sources with the destinations that it leaves over; at most 16 sources.
std::int64_t smallest_cover_by_trial(const BipartiteGraph& graph) {
  std::int64_t smallest = graph.num_sources;
  for (std::uint32_t chosen = 0; chosen < (1U << graph.num_sources); ++chosen) {
    std::int64_t size = std::popcount(chosen);
    for (std::int32_t destination = 0; destination < graph.num_destinations(); ++destination) {
      const auto sources = graph.sources(destination);
      size += std::any_of(sources.begin(), sources.end(),
                          [&](std::int32_t source) { return ((chosen >> source) & 1U) == 0; })
                  ? 1
                  : 0;
    }
    smallest = std::min(smallest, size);
  }
  return smallest;
}

// Kuhn's matching: one augmenting path at a time, each by a search of its own. No cover is smaller
// than any matching, so equal sizes prove both.
class PlainMatching {
 public:
  explicit PlainMatching(const BipartiteGraph& graph)
      : graph_(graph),
        taken_by_(static_cast<std::size_t>(graph.num_sources), -1),
        visited_(taken_by_.size(), -1) {}

  std::int64_t size() {
    std::int64_t matched = 0;
    for (std::int32_t destination = 0; destination < graph_.num_destinations(); ++destination)
      matched += finds_source(destination, destination) ? 1 : 0;
    return matched;
  }

 private:
  bool finds_source(std::int32_t destination, std::int32_t search) {
    for (const std::int32_t source : graph_.sources(destination)) {
      const auto s = static_cast<std::size_t>(source);
      if (visited_[s] == search) continue;
      visited_[s] = search;
      if (taken_by_[s] >= 0 && !finds_source(taken_by_[s], search)) continue;
      taken_by_[s] = destination;
      return true;
    }
    return false;
  }

  const BipartiteGraph& graph_;
  std::vector<std::int32_t> taken_by_;
  std::vector<std::int32_t> visited_;
};

Arcs random_arcs(std::int32_t num_sources,
                 std::int32_t num_destinations,
                 int count,
                 unsigned seed) {
  std::mt19937 random(seed);
  Arcs arcs;
  for (int i = 0; i < count; ++i) {
    const auto source = static_cast<std::int32_t>(random() % static_cast<unsigned>(num_sources));
    const auto end = static_cast<std::int32_t>(random() % static_cast<unsigned>(num_destinations));
    arcs.emplace_back(source, end);
  }
  return arcs;
}

TEST(VertexCover, IsSmallestOnAThousandRandomPairs) {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    std::mt19937 random(seed);
    const auto num_sources = static_cast<std::int32_t>(1 + random() % 8);
    const auto num_destinations = static_cast<std::int32_t>(1 + random() % 10);
    const int count = static_cast<int>(random() % 24);
    const Sides sides(num_sources, num_destinations,
                      random_arcs(num_sources, num_destinations, count, seed));
    ASSERT_EQ(checked_cover(sides.graph()).size(), smallest_cover_by_trial(sides.graph()))
        << "seed " << seed;
    ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
  }
}

TEST(VertexCover, OfAStarIsItsHub) {
  const Sides out(1, 4, {{0, 0}, {0, 1}, {0, 2}, {0, 3}});
  const VertexCover source_hub = checked_cover(out.graph());
  EXPECT_EQ(source_hub.has_source, (std::vector<std::uint8_t>{1}));
  EXPECT_EQ(source_hub.has_destination, (std::vector<std::uint8_t>{0, 0, 0, 0}));
  const Sides in(4, 1, {{0, 0}, {1, 0}, {2, 0}, {3, 0}});
  const VertexCover destination_hub = checked_cover(in.graph());
  EXPECT_EQ(destination_hub.has_source, (std::vector<std::uint8_t>{0, 0, 0, 0}));
  EXPECT_EQ(destination_hub.has_destination, (std::vector<std::uint8_t>{1}));
}

TEST(VertexCover, TakesHubsOfBothSides) {
  // Source 0 is read by destinations 0..3, destination 4 reads sources 1..4: two hubs, eight arcs.
  const Sides sides(5, 5, {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 4}, {2, 4}, {3, 4}, {4, 4}});
  const VertexCover cover = checked_cover(sides.graph());
  EXPECT_EQ(cover.has_source, (std::vector<std::uint8_t>{1, 0, 0, 0, 0}));
  EXPECT_EQ(cover.has_destination, (std::vector<std::uint8_t>{0, 0, 0, 0, 1}));
}

TEST(VertexCover, OfACompletePairIsItsSmallerSide) {
  for (const auto& [num_sources, num_destinations] : Arcs{{3, 5}, {5, 3}, {4, 4}}) {
    Arcs arcs;
    for (std::int32_t source = 0; source < num_sources; ++source) {
      for (std::int32_t end = 0; end < num_destinations; ++end)
        arcs.emplace_back(source, end);
    }
    const Sides sides(num_sources, num_destinations, arcs);
    EXPECT_EQ(checked_cover(sides.graph()).size(), std::min(num_sources, num_destinations));
  }
}

// Destination i reads sources i + 1 and i, the last one reads its own alone. The first source is
// the wrong choice for all of them: one augmenting path runs along the whole graph.
TEST(VertexCover, OfALongPathUndoesTheGreedyStart) {
  constexpr std::int32_t length = 100'000;
  std::vector<EdgeOffset> row_ptr{0};
  std::vector<std::int32_t> col_idx;
  for (std::int32_t destination = 0; destination < length; ++destination) {
    if (destination + 1 < length) col_idx.push_back(destination + 1);
    col_idx.push_back(destination);
    row_ptr.push_back(static_cast<EdgeOffset>(col_idx.size()));
  }
  EXPECT_EQ(checked_cover({length, row_ptr, col_idx}).size(), length);
}

TEST(VertexCover, OfEmptySidesIsEmpty) {
  EXPECT_EQ(checked_cover({}).size(), 0);
  EXPECT_EQ(checked_cover(Sides(3, 0, {}).graph()).size(), 0);
  EXPECT_EQ(checked_cover(Sides(0, 3, {}).graph()).size(), 0);
  EXPECT_EQ(checked_cover(Sides(4, 5, {}).graph()).size(), 0);
}

TEST(VertexCover, LeavesOutVerticesWithoutArcs) {
  const VertexCover cover = checked_cover(Sides(3, 3, {{1, 1}}).graph());
  EXPECT_EQ(cover.size(), 1);
  EXPECT_EQ(cover.has_source[1] + cover.has_destination[1], 1);
}

TEST(VertexCover, CountsParallelArcsOnce) {
  const VertexCover cover = checked_cover(Sides(2, 2, {{0, 0}, {0, 0}, {0, 1}, {0, 1}}).graph());
  EXPECT_EQ(cover.has_source, (std::vector<std::uint8_t>{1, 0}));
  EXPECT_EQ(cover.has_destination, (std::vector<std::uint8_t>{0, 0}));
}

// Sources and destinations drawn with a square, so that both sides have hubs.
TEST(VertexCover, OfALargeGraphHasTheSizeOfAMatching) {
  constexpr std::int32_t side = 20'000;
  for (const int arcs_per_destination : {1, 2, 3, 8}) {
    std::mt19937 random(static_cast<unsigned>(arcs_per_destination));
    const auto draw = [&] {
      const double uniform = static_cast<double>(random()) / 4294967296.0;
      return static_cast<std::int32_t>(uniform * uniform * side);
    };
    std::vector<EdgeOffset> row_ptr{0};
    std::vector<std::int32_t> col_idx;
    for (std::int32_t destination = 0; destination < side; ++destination) {
      const std::int32_t degree = 2 * arcs_per_destination * draw() / side;
      for (std::int32_t i = 0; i < degree; ++i)
        col_idx.push_back(draw());
      row_ptr.push_back(static_cast<EdgeOffset>(col_idx.size()));
    }
    const BipartiteGraph graph{side, row_ptr, col_idx};
    const VertexCover cover = checked_cover(graph);
    EXPECT_EQ(cover.size(), PlainMatching(graph).size());
    const VertexCover again = minimum_vertex_cover(graph);
    EXPECT_EQ(again.has_source, cover.has_source);
    EXPECT_EQ(again.has_destination, cover.has_destination);
  }
}

}  // namespace
}  // namespace weft::partition
