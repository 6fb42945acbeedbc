// SPDX-License-Identifier: MIT
// What tests ask of the owners that partition_graph chooses, counted by the plainest code.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "partition/partition_graph.hpp"
#include "partition/quality.hpp"

namespace weft::test_support {

inline partition::PartitionOptions options_of(
    int num_parts, partition::Method method = partition::Method::metis_kway) {
  partition::PartitionOptions options;
  options.num_parts = num_parts;
  options.method = method;
  return options;
}

/// Vertices of each part.
inline std::vector<std::int64_t> sizes_of(const std::vector<std::int32_t>& owner, int num_parts) {
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(num_parts), 0);
  for (const std::int32_t part : owner)
    ++sizes.at(static_cast<std::size_t>(part));
  return sizes;
}

/// Pairs of vertices in different parts, joined in either direction: a recount by definition.
inline std::int64_t recount_cut(const graph::CsrView& graph,
                                const std::vector<std::int32_t>& owner) {
  std::set<std::pair<std::int32_t, std::int32_t>> cut;
  for (std::int32_t v = 0; v < static_cast<std::int32_t>(graph.num_vertices()); ++v) {
    for (const std::int32_t u : graph.neighbors(v)) {
      if (owner[static_cast<std::size_t>(u)] == owner[static_cast<std::size_t>(v)]) continue;
      cut.emplace(std::min(u, v), std::max(u, v));
    }
  }
  return static_cast<std::int64_t>(cut.size());
}

/// The cut that users are told.
inline std::int64_t reported_cut(const datasets::Dataset& dataset,
                                 const std::vector<std::int32_t>& owner,
                                 int num_parts) {
  const std::vector<double> shares(static_cast<std::size_t>(num_parts), 1.0 / num_parts);
  return partition::measure_quality(dataset, owner, shares, {}).cut_edges;
}

/// The two methods of METIS, and their names in those of parametrized tests.
inline auto both_metis_methods() {
  return testing::Values(partition::Method::metis_kway, partition::Method::metis_recursive);
}
inline std::string metis_method_word(const testing::TestParamInfo<partition::Method>& instance) {
  return instance.param == partition::Method::metis_kway ? "kway" : "recursive";
}

}  // namespace weft::test_support
