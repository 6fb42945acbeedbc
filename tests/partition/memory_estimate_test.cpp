// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "partition/partition_dataset.hpp"
#include "tests/partition/small_datasets.hpp"

namespace weft::partition {
namespace {

PartitionOptions options_of(int num_parts, Method method) {
  PartitionOptions options;
  options.num_parts = num_parts;
  options.method = method;
  return options;
}

std::int64_t estimate(const datasets::Dataset& dataset, int num_parts, Method method) {
  return estimated_peak_bytes(dataset, options_of(num_parts, method));
}

TEST(EstimatedPeakBytes, GrowsByMetisScratchForEachArc) {
  const auto ring = [](std::int32_t num_vertices, bool directed) {
    return test_support::dataset_of(
        test_support::graph_of(num_vertices, test_support::ring_arcs(num_vertices)), directed);
  };
  const auto small = ring(1000, false);
  const auto large = ring(2000, false);
  const std::int64_t more =
      estimate(large, 4, Method::metis_kway) - estimate(small, 4, Method::metis_kway);
  EXPECT_GT(more, 50 * 2000);
  EXPECT_LT(more, 400 * 2000);
  // A directed graph is copied with its reverses.
  EXPECT_GT(estimate(ring(1000, true), 4, Method::metis_kway),
            estimate(small, 4, Method::metis_kway));
}

TEST(EstimatedPeakBytes, OwnMethodsAndOnePartNeedNoMetis) {
  const auto dataset =
      test_support::dataset_of(test_support::graph_of(1000, test_support::ring_arcs(1000)), false);
  const std::int64_t with_metis = estimate(dataset, 4, Method::metis_kway);
  EXPECT_LT(estimate(dataset, 4, Method::block), with_metis);
  EXPECT_LT(estimate(dataset, 4, Method::random), with_metis);
  EXPECT_LT(estimate(dataset, 1, Method::metis_kway), with_metis);
}

TEST(EstimatedPeakBytes, CoversTheMappedRows) {
  auto dataset =
      test_support::dataset_of(test_support::graph_of(1000, test_support::ring_arcs(1000)), false);
  const std::int64_t bare = estimate(dataset, 4, Method::metis_kway);
  test_support::add_rows(dataset, false);
  EXPECT_GE(estimate(dataset, 4, Method::metis_kway), bare + 1000 * (2 * 4 + 4 + 1));
}

}  // namespace
}  // namespace weft::partition
