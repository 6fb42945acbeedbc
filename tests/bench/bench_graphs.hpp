// SPDX-License-Identifier: MIT
// The graphs that benchmarks run on: two generators, cleaned as an import cleans.
#pragma once

#include <cstdint>
#include <string>

#include "datasets/dataset.hpp"
#include "graph/edge_list.hpp"

namespace weft::bench {

/// A dataset that holds the undirected graph of `edges` and nothing else: both directions, repeats
/// merged, no loops.
[[nodiscard]] datasets::Dataset undirected_dataset(const std::string& name,
                                                   graph::EdgeList&& edges);

/// "communities": 256 of them, 80 % of the edges inside, all degrees alike, ids shuffled.
/// "rmat": R-MAT with the usual .57 .19 .19.
///
/// Errors   InputError that lists the kinds
[[nodiscard]] datasets::Dataset generated_dataset(const std::string& kind,
                                                  std::int64_t num_vertices,
                                                  double mean_degree);

}  // namespace weft::bench
