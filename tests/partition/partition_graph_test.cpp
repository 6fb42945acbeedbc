// SPDX-License-Identifier: MIT
#include "partition/partition_graph.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "datasets/npy.hpp"
#include "graph/support/error.hpp"
#include "partition/quality.hpp"
#include "tests/partition/owner_checks.hpp"
#include "tests/partition/small_datasets.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::partition {
namespace {

using test_support::dataset_of;
using test_support::graph_of;
using test_support::options_of;
using test_support::reported_cut;
using test_support::sizes_of;
using Ids = std::vector<std::int32_t>;
using Sizes = std::vector<std::int64_t>;

class BothMetisMethods : public testing::TestWithParam<Method> {};

// Bug report 10: one part is a valid request.
TEST_P(BothMetisMethods, OnePartOfARing) {
  const auto dataset = dataset_of(graph_of(6, test_support::ring_arcs(6)));
  const auto owner = partition_graph(dataset, options_of(1, GetParam()));
  EXPECT_EQ(owner, Ids(6, 0));
  EXPECT_EQ(reported_cut(dataset, owner, 1), 0);
}

// Bug report 11: tiny graphs are split sensibly or refused in words.
TEST_P(BothMetisMethods, TinyGraphsAreSplitOrRefused) {
  const auto edge = dataset_of(graph_of(2, test_support::path_arcs(2)));
  EXPECT_EQ(sizes_of(partition_graph(edge, options_of(2, GetParam())), 2), (Sizes{1, 1}));
  const auto path = dataset_of(graph_of(3, test_support::path_arcs(3)));
  auto sizes = sizes_of(partition_graph(path, options_of(2, GetParam())), 2);
  std::sort(sizes.begin(), sizes.end());
  EXPECT_EQ(sizes, (Sizes{1, 2}));
  try {
    (void)partition_graph(path, options_of(5, GetParam()));
    FAIL() << "accepted";
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("5 parts asked for, but the graph has 3 vertices"), std::string::npos)
        << message;
    EXPECT_NE(message.find("--parts 3"), std::string::npos) << message;
  }
}

// Every size of a path and every number of parts: all parts are used, evenly.
TEST_P(BothMetisMethods, NoPartIsEverEmpty) {
  for (std::int32_t n = 1; n <= 40; ++n) {
    const auto dataset = dataset_of(graph_of(n, test_support::path_arcs(n)));
    for (int num_parts = 1; num_parts <= n; ++num_parts) {
      const auto owner = partition_graph(dataset, options_of(num_parts, GetParam()));
      const auto sizes = sizes_of(owner, num_parts);
      const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
      ASSERT_GE(*least, 1) << n << " vertices, " << num_parts << " parts";
      ASSERT_LE(*most, 2 + (n + num_parts - 1) / num_parts)
          << n << " vertices, " << num_parts << " parts";
    }
  }
}

// Bug report 19, second half: training vertices of one clique are spread on request.
TEST_P(BothMetisMethods, TrainingVerticesAreSpread) {
  auto dataset = dataset_of(graph_of(200, test_support::clique_ring_arcs(10, 20)), false);
  test_support::add_training(dataset, 20);
  const auto owner = partition_graph(dataset, options_of(4, GetParam()));
  for (const std::int64_t training : sizes_of({owner.begin(), owner.begin() + 20}, 4)) {
    EXPECT_NEAR(static_cast<double>(training), 5, 2);
  }
}

// Bug report 19, third part: a star.
TEST_P(BothMetisMethods, StarIsCutEvenly) {
  const auto dataset = dataset_of(graph_of(1000, test_support::star_arcs(999)), false);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    PartitionOptions options = options_of(4, GetParam());
    options.seed = seed;
    for (const std::int64_t size : sizes_of(partition_graph(dataset, options), 4)) {
      EXPECT_NEAR(static_cast<double>(size), 250, 10);
    }
  }
}

TEST_P(BothMetisMethods, DisconnectedGraphAndIsolatedVertices) {
  test_support::Arcs arcs = test_support::ring_arcs(50);
  for (const auto& [source, destination] : test_support::path_arcs(30)) {
    arcs.emplace_back(60 + source, 60 + destination);
  }
  const auto dataset = dataset_of(graph_of(100, arcs), false);
  const auto owner = partition_graph(dataset, options_of(4, GetParam()));
  for (const std::int64_t size : sizes_of(owner, 4))
    EXPECT_NEAR(static_cast<double>(size), 25, 4);
}

TEST_P(BothMetisMethods, PartWeightsAreFollowed) {
  const auto dataset = dataset_of(graph_of(400, test_support::ring_arcs(400)), false);
  PartitionOptions options = options_of(3, GetParam());
  options.part_weights = {1, 1, 2};
  const auto sizes = sizes_of(partition_graph(dataset, options), 3);
  EXPECT_NEAR(static_cast<double>(sizes[0]), 100, 10);
  EXPECT_NEAR(static_cast<double>(sizes[2]), 200, 12);
}

TEST_P(BothMetisMethods, SameSeedSameOwners) {
  const auto dataset = dataset_of(graph_of(500, test_support::random_out_arcs(500, 4, 3)));
  const auto owner = partition_graph(dataset, options_of(4, GetParam()));
  EXPECT_EQ(partition_graph(dataset, options_of(4, GetParam())), owner);
}

INSTANTIATE_TEST_SUITE_P(Partition,
                         BothMetisMethods,
                         test_support::both_metis_methods(),
                         test_support::metis_method_word);

// Bug report 17: the stack of METIS is its own, whatever the caller's is.
TEST(PartitionGraph, PathOfAMillionOnASmallStack) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_STACK, &before), 0);
  rlimit small = before;
  small.rlim_cur = std::min<rlim_t>(rlim_t{1} << 20, before.rlim_max);
  ASSERT_EQ(setrlimit(RLIMIT_STACK, &small), 0);
  constexpr std::int32_t n = 1'000'000;
  graph::CsrGraph path;
  for (std::int32_t v = 0; v < n; ++v) {
    if (v > 0) path.col_idx.push_back(v - 1);
    if (v + 1 < n) path.col_idx.push_back(v + 1);
    path.row_ptr.push_back(static_cast<std::int64_t>(path.col_idx.size()));
  }
  const auto dataset = dataset_of(std::move(path), false);
  const auto owner = partition_graph(dataset, options_of(4));
  ASSERT_EQ(setrlimit(RLIMIT_STACK, &before), 0);
  EXPECT_EQ(reported_cut(dataset, owner, 4), 3);
  for (const std::int64_t size : sizes_of(owner, 4)) {
    EXPECT_NEAR(static_cast<double>(size) / n, 0.25, 0.03);
  }
}

TEST(PartitionGraph, WithoutEdgesTrainingVerticesAreDealt) {
  auto dataset = dataset_of(graph_of(40, {{3, 3}}));
  test_support::add_training(dataset, 8);
  const auto owner = partition_graph(dataset, options_of(4));
  EXPECT_EQ(sizes_of(owner, 4), (Sizes{10, 10, 10, 10}));
  EXPECT_EQ(sizes_of({owner.begin(), owner.begin() + 8}, 4), (Sizes{2, 2, 2, 2}));
}

TEST(PartitionGraph, VolumeIsNeverWorseThanCutInHaloRows) {
  const auto dataset = dataset_of(graph_of(600, test_support::random_out_arcs(600, 3, 5)));
  const std::vector<double> shares(6, 1.0 / 6);
  PartitionOptions options = options_of(6);
  const auto cut = partition_graph(dataset, options);
  options.objective = Objective::volume;
  const auto volume = partition_graph(dataset, options);
  EXPECT_LE(measure_quality(dataset, volume, shares, {}).halo_rows,
            measure_quality(dataset, cut, shares, {}).halo_rows);
  options.method = Method::metis_recursive;
  EXPECT_THROW((void)partition_graph(dataset, options), InputError);
}

TEST(PartitionGraph, TimesAreMeasured) {
  const auto dataset = dataset_of(graph_of(500, test_support::ring_arcs(500)), false);
  PartitionTimes times;
  (void)partition_graph(dataset, options_of(4), &times);
  EXPECT_GT(times.metis_seconds, 0);
  EXPECT_GE(times.total_seconds, times.metis_seconds);
}

TEST(PartitionGraph, OwnerFilesAreReadAndMayLeavePartsEmpty) {
  const test_support::TemporaryFolder folder;
  const auto dataset = dataset_of(graph_of(3, test_support::path_arcs(3)));
  PartitionOptions options = options_of(5, Method::file);
  options.owner_file = folder.write("owners.txt", "4\n0\n4\n");
  EXPECT_EQ(partition_graph(dataset, options), (Ids{4, 0, 4}));
  options.num_parts = 0;
  EXPECT_THROW((void)partition_graph(dataset, options), InputError);
}

TEST(PartitionGraph, WrongOptionsAreRefused) {
  auto dataset = dataset_of(graph_of(30, test_support::ring_arcs(30)), false);
  PartitionOptions options = options_of(2);
  options.part_weights = {1, 1, 1};
  EXPECT_THROW((void)partition_graph(dataset, options), InputError);
  options.part_weights = {1, 0};
  EXPECT_THROW((void)partition_graph(dataset, options), InputError);
  options.part_weights = {1, std::nan("")};
  EXPECT_THROW((void)partition_graph(dataset, options), InputError);
  EXPECT_THROW((void)partition_graph(dataset, options_of(0)), InputError);
  EXPECT_THROW((void)partition_graph(dataset, options_of(-1, Method::block)), InputError);
  test_support::add_training(dataset, 10);
  options = options_of(2);
  options.split = "unknown";
  EXPECT_THROW((void)partition_graph(dataset, options), InputError);
}

TEST(PartitionNames, AreReadBack) {
  for (const Method method :
       {Method::metis_kway, Method::metis_recursive, Method::block, Method::random, Method::file}) {
    EXPECT_EQ(parse_method(method_name(method)), method);
  }
  for (const Objective objective : {Objective::cut, Objective::volume}) {
    EXPECT_EQ(parse_objective(objective_name(objective)), objective);
  }
  try {
    (void)parse_method("mettis");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("metis, metis-recursive, block, random, file"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace weft::partition
