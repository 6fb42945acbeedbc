// SPDX-License-Identifier: MIT
#include "partition/vertex_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "graph/csr_build.hpp"
#include "graph/generators.hpp"
#include "graph/normalization.hpp"
#include "graph/support/random.hpp"
#include "partition/build_part.hpp"
#include "partition/partition_graph.hpp"
#include "tests/partition/part_checks.hpp"
#include "tests/partition/small_datasets.hpp"

namespace weft::partition {
namespace {

using Owners = std::vector<std::int32_t>;

/// Communities of about 512 vertices, 61 neighbors each, ids without any meaning.
datasets::Dataset communities(std::int64_t num_vertices) {
  graph::CommunityOptions options;
  options.num_vertices = num_vertices;
  options.mean_degree = 30;
  options.inside = 0.9;
  options.num_communities = num_vertices / 512;
  graph::BuildOptions build;
  build.add_reverse_arcs = true;
  build.repeats = graph::Repeats::keep_one;
  build.loops = graph::Loops::drop;
  return test_support::dataset_of(
      graph::build_csr(graph::planted_communities(options).edges, build), false);
}

PartitionOptions options_of(Method method) {
  PartitionOptions options;
  options.method = method;
  return options;
}

TEST(FarShare, CountsFirstReadsAndReadsOfAPastLongGone) {
  // A path of 6: ten reads, of which the first of each vertex is far.
  const auto path = test_support::graph_of(6, test_support::path_arcs(6));
  EXPECT_DOUBLE_EQ(far_share(path.view(), Owners(6, 0), {}), 0.6);
  // Reads of other parts do not count: 0-1-2 and 3-4-5 have four reads of three vertices each.
  EXPECT_DOUBLE_EQ(far_share(path.view(), Owners{0, 0, 0, 1, 1, 1}, {}), 0.75);
}

TEST(FarShare, ARingInOrderIsNearAndOneInStridesIsFar) {
  constexpr std::int32_t size = 40000;
  const auto ring = test_support::graph_of(size, test_support::ring_arcs(size));
  const Owners owner(size, 0);
  EXPECT_NEAR(far_share(ring.view(), owner, {}), 0.5, 0.01);
  Owners place(size);
  for (std::int32_t v = 0; v < size; ++v)
    place[static_cast<std::size_t>(v)] = static_cast<std::int32_t>(std::int64_t{v} * 16411 % size);
  EXPECT_NEAR(far_share(ring.view(), owner, place), 1.0, 0.01);
}

// 6,000 vertices read 2,000 others each: many arcs in few stretches, of which one is still counted.
TEST(FarShare, CountsDenseGraphsToo) {
  constexpr std::int64_t size = 6000;
  constexpr std::int64_t degree = 2000;
  graph::CsrGraph dense;
  dense.row_ptr = {0};
  for (std::int64_t v = 0; v < size; ++v) {
    const std::int64_t first = v < size / 2 ? 0 : size / 2;
    for (std::int64_t k = 0; k < degree; ++k)
      dense.col_idx.push_back(static_cast<std::int32_t>(first + k));
    dense.row_ptr.push_back(static_cast<std::int64_t>(dense.col_idx.size()));
  }
  // A row reads what the row before it has read: all but the first reads are near.
  const double share = far_share(dense.view(), Owners(size, 0), {});
  EXPECT_GT(share, 0);
  EXPECT_LT(share, 0.01);
}

TEST(ChooseVertexOrder, FindsCommunities) {
  const datasets::Dataset dataset = communities(16384);
  const Owners owner(16384, 0);
  PartitionTimes times;
  const OrderChoice choice =
      choose_vertex_order(dataset.graph, owner, options_of(Method::metis_kway), &times);
  EXPECT_EQ(choice.order, VertexOrder::pieces);
  EXPECT_LT(choice.far_share, 0.5 * choice.far_share_by_id);
  EXPECT_DOUBLE_EQ(choice.far_share, far_share(dataset.graph, owner, choice.place));
  EXPECT_GT(times.metis_seconds, 0);
  Owners sorted = choice.place;
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < sorted.size(); ++i)
    ASSERT_EQ(sorted[i], static_cast<std::int32_t>(i));
}

TEST(ChooseVertexOrder, DoesNotCallMetisForMethodsThatDoNot) {
  // A grid whose ids are shuffled: breadth-first layers bring neighbors together.
  constexpr std::int32_t side = 128;
  constexpr std::int32_t size = side * side;
  const auto name = [](std::int32_t v) {
    return static_cast<std::int32_t>(std::int64_t{v} * 7919 % size);
  };
  graph::EdgeList edges{size, {}, {}};
  for (std::int32_t v = 0; v < size; ++v) {
    if (v % side + 1 < side) edges.arcs.push_back({name(v), name(v + 1)});
    if (v + side < size) edges.arcs.push_back({name(v), name(v + side)});
  }
  graph::BuildOptions build;
  build.add_reverse_arcs = true;
  const auto graph = graph::build_csr(std::move(edges), build);
  PartitionTimes times;
  const OrderChoice choice =
      choose_vertex_order(graph.view(), Owners(size, 0), options_of(Method::random), &times);
  EXPECT_EQ(choice.order, VertexOrder::cuthill_mckee);
  EXPECT_LT(choice.far_share, 0.6 * choice.far_share_by_id);
  EXPECT_EQ(times.metis_seconds, 0);
}

TEST(ChooseVertexOrder, LeavesSmallAndOrderedGraphsAlone) {
  const auto small = test_support::graph_of(1000, test_support::ring_arcs(1000));
  const auto large = test_support::graph_of(20000, test_support::ring_arcs(20000));
  for (const auto* graph : {&small, &large}) {
    const OrderChoice choice = choose_vertex_order(
        graph->view(), Owners(static_cast<std::size_t>(graph->view().num_vertices()), 0),
        options_of(Method::metis_kway));
    EXPECT_EQ(choice.order, VertexOrder::by_id);
    EXPECT_TRUE(choice.place.empty());
  }
}

/// The sources of each owned vertex with their weights, in the order in which they are summed.
std::map<GlobalId, std::vector<std::pair<GlobalId, float>>> rows_by_id(const Part& part) {
  std::map<GlobalId, std::vector<std::pair<GlobalId, float>>> rows;
  for (LocalId v = 0; v < part.num_owned(); ++v) {
    const auto row = static_cast<std::size_t>(v);
    auto& sources = rows[part.global_ids[row]];
    for (EdgeOffset e = part.graph.row_ptr[row]; e < part.graph.row_ptr[row + 1]; ++e) {
      const auto edge = static_cast<std::size_t>(e);
      const auto column = static_cast<std::size_t>(part.graph.col_idx[edge]);
      sources.emplace_back(part.global_ids[column],
                           part.graph.edge_weight.empty() ? 1.0F : part.graph.edge_weight[edge]);
    }
  }
  return rows;
}

TEST(VertexOrderOfParts, NumbersByPlaceAndChangesNothingElse) {
  const datasets::Dataset dataset = communities(8192);
  PartitionOptions options;
  options.num_parts = 3;
  const Owners owner = partition_graph(dataset, options);
  const OrderChoice choice = choose_vertex_order(dataset.graph, owner, options);
  ASSERT_NE(choice.order, VertexOrder::by_id);
  const graph::Degrees degrees = graph::compute_degrees(dataset.graph);
  const PartitionInfo info = test_support::info_of(dataset, 3);
  PartBuilder by_id(dataset, degrees, owner, info);
  PartBuilder ordered(dataset, degrees, owner, info, choice.place);
  for (int p = 0; p < 3; ++p) {
    const Part a = by_id.build(p);
    const Part b = ordered.build(p);
    EXPECT_EQ(a.num_interior, b.num_interior);
    EXPECT_EQ(rows_by_id(a), rows_by_id(b));
    for (LocalId v = 1; v < b.num_owned(); ++v) {
      if (v == b.num_interior) continue;
      const auto place_of = [&](LocalId u) {
        return choice.place[static_cast<std::size_t>(b.global_ids[static_cast<std::size_t>(u)])];
      };
      ASSERT_LT(place_of(v - 1), place_of(v));
    }
    const auto halo_of = [](const Part& part) {
      return std::vector<GlobalId>(part.global_ids.begin() + part.num_owned(),
                                   part.global_ids.end());
    };
    EXPECT_EQ(halo_of(a), halo_of(b));
  }
}

}  // namespace
}  // namespace weft::partition
