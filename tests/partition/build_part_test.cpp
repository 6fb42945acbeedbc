// SPDX-License-Identifier: MIT
#include "partition/build_part.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "graph/support/error.hpp"
#include "partition/own_methods.hpp"
#include "partition/partition_graph.hpp"
#include "tests/partition/part_checks.hpp"
#include "tests/partition/small_datasets.hpp"
#include "tests/support/graph_zoo.hpp"

namespace weft::partition {
namespace {

using Ids = std::vector<std::int32_t>;

Part build_alone(const datasets::Dataset& dataset, const Ids& owner, int num_parts, int part) {
  const graph::Degrees degrees = graph::compute_degrees(dataset.graph);
  return build_part(dataset, degrees, owner, test_support::info_of(dataset, num_parts), part);
}

// The example at the top of part.hpp.
TEST(BuildPart, PathOfFourInTwoHalves) {
  const auto dataset =
      test_support::dataset_of(test_support::graph_of(4, test_support::path_arcs(4)));
  const Ids owner{0, 0, 1, 1};
  const Part part = build_alone(dataset, owner, 2, 0);
  EXPECT_EQ(part.num_interior, 1);
  EXPECT_EQ(part.num_boundary, 1);
  EXPECT_EQ(part.global_ids, (std::vector<GlobalId>{0, 1, 2}));
  EXPECT_EQ(part.graph.row_ptr, (std::vector<EdgeOffset>{0, 1, 3}));
  EXPECT_EQ(part.graph.col_idx, (std::vector<LocalId>{1, 0, 2}));
  EXPECT_EQ(part.plan.send_rows, (std::vector<LocalId>{1}));
  ASSERT_EQ(part.plan.peers.size(), 1U);
  EXPECT_EQ(part.plan.peers[0].part, 1);
  EXPECT_EQ(part.plan.peers[0].halo_end, 1);
  EXPECT_EQ(part.plan.peers[0].send_end, 1);
}

// Bug report 28 (a): degrees are global, for owned and halo vertices alike.
TEST(BuildPart, DegreesAreGlobal) {
  const auto dataset =
      test_support::dataset_of(test_support::graph_of(4, {{0, 1}, {1, 2}, {2, 3}, {0, 3}}));
  const Ids owner{0, 0, 1, 1};
  const std::vector<double> in_degrees{0, 1, 1, 2};
  for (const Part& part : test_support::build_parts(dataset, owner, 2)) {
    for (std::size_t i = 0; i < part.global_ids.size(); ++i) {
      EXPECT_EQ(part.in_degree[i], in_degrees[static_cast<std::size_t>(part.global_ids[i])]);
    }
  }
}

// A peer may only send: 0 -> 1 with 0 and 1 on different parts.
TEST(BuildPart, DirectedArcsNeedOneDirectionOnly) {
  const auto dataset = test_support::dataset_of(test_support::graph_of(2, {{0, 1}}));
  const Ids owner{0, 1};
  const auto parts = test_support::build_parts(dataset, owner, 2);
  EXPECT_EQ(parts[0].num_halo(), 0);
  EXPECT_EQ(parts[0].plan.send_rows.size(), 1U);
  EXPECT_EQ(parts[1].num_halo(), 1);
  EXPECT_TRUE(parts[1].plan.send_rows.empty());
  test_support::expect_valid_parts(parts, dataset, owner);
}

TEST(BuildPart, AloneEqualsBuilder) {
  auto dataset =
      test_support::dataset_of(test_support::graph_of(60, test_support::random_out_arcs(60, 4, 1)));
  test_support::add_rows(dataset, false);
  const auto owner = random_owners(60, std::vector<double>(5, 0.2), 3);
  const auto parts = test_support::build_parts(dataset, owner, 5);
  for (int p = 0; p < 5; ++p) {
    test_support::expect_equal_parts(build_alone(dataset, owner, 5, p),
                                     parts[static_cast<std::size_t>(p)]);
  }
}

TEST(BuildPart, RowsAreGatheredDenseAndSparse) {
  for (const bool sparse : {false, true}) {
    auto dataset = test_support::dataset_of(
        test_support::graph_of(40, test_support::random_out_arcs(40, 3, 2)));
    test_support::add_rows(dataset, sparse);
    const auto owner = random_owners(40, std::vector<double>(3, 1.0 / 3), 1);
    test_support::expect_valid_parts(test_support::build_parts(dataset, owner, 3), dataset, owner);
  }
}

TEST(BuildPart, EmptyPartsTakePart) {
  auto dataset = test_support::dataset_of(test_support::graph_of(6, test_support::ring_arcs(6)));
  for (const bool sparse : {false, true}) {
    test_support::add_rows(dataset, sparse);
    const Ids owner{0, 0, 2, 2, 2, 0};
    const auto parts = test_support::build_parts(dataset, owner, 4);
    EXPECT_EQ(parts[1].num_local(), 0);
    EXPECT_TRUE(parts[1].plan.peers.empty());
    test_support::expect_valid_parts(parts, dataset, owner);
  }
}

TEST(BuildPart, WrongOwnersAreRefused) {
  const auto dataset =
      test_support::dataset_of(test_support::graph_of(3, test_support::path_arcs(3)));
  EXPECT_THROW((void)build_alone(dataset, {0, 1}, 2, 0), InputError);
  EXPECT_THROW((void)build_alone(dataset, {0, 1, 2}, 2, 0), InputError);
  EXPECT_THROW((void)build_alone(dataset, {0, 1, -1}, 2, 0), InputError);
  EXPECT_THROW((void)build_alone(dataset, {0, 1, 1}, 2, 2), InputError);
  EXPECT_THROW((void)build_alone(dataset, {0, 1, 1}, 0, 0), InputError);
}

// The zoo x 1, 2, 3, 7 parts x all methods.
class ZooParts : public testing::TestWithParam<std::tuple<Method, int>> {};

TEST_P(ZooParts, HoldEveryInvariant) {
  const auto [method, num_parts] = GetParam();
  for (test_support::NamedGraph& named : test_support::graph_zoo()) {
    SCOPED_TRACE(named.name);
    auto dataset = test_support::dataset_of(std::move(named.graph));
    test_support::add_rows(dataset, num_parts % 2 == 0);
    PartitionOptions options;
    options.method = method;
    options.num_parts = num_parts;
    if (num_parts > dataset.num_vertices) {
      EXPECT_THROW((void)partition_graph(dataset, options), InputError);
      continue;
    }
    const auto owner = partition_graph(dataset, options);
    const auto parts = test_support::build_parts(dataset, owner, num_parts);
    test_support::expect_valid_parts(parts, dataset, owner);
    for (const Part& part : parts)
      EXPECT_GT(part.num_owned(), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(
    AllMethods,
    ZooParts,
    testing::Combine(
        testing::Values(Method::metis_kway, Method::metis_recursive, Method::block, Method::random),
        testing::Values(1, 2, 3, 7)),
    [](const auto& instance) {
      std::string name = method_name(std::get<0>(instance.param));
      std::replace(name.begin(), name.end(), '-', '_');
      return name.append("_").append(std::to_string(std::get<1>(instance.param)));
    });

// More parts than vertices, by the user's own owners: documented empty parts.
TEST(ZooWithOwnOwners, MorePartsThanVertices) {
  for (test_support::NamedGraph& named : test_support::graph_zoo()) {
    SCOPED_TRACE(named.name);
    const auto dataset = test_support::dataset_of(std::move(named.graph));
    const int num_parts = static_cast<int>(dataset.num_vertices) + 2;
    Ids owner(static_cast<std::size_t>(dataset.num_vertices));
    for (std::size_t v = 0; v < owner.size(); ++v)
      owner[v] = static_cast<std::int32_t>(v + 1);
    test_support::expect_valid_parts(test_support::build_parts(dataset, owner, num_parts), dataset,
                                     owner);
  }
}

}  // namespace
}  // namespace weft::partition
