// SPDX-License-Identifier: MIT
// Owners without METIS: blocks, random, breadth-first blocks, and the repair of empty parts.
//
// Shares are the wanted parts of the whole, [num_parts], sum 1; every method takes them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/csr_graph.hpp"

namespace weft::partition {

/// Contiguous ranges of global ids. With as many vertices as parts or more, none is empty.
[[nodiscard]] std::vector<std::int32_t> block_owners(std::int64_t num_vertices,
                                                     std::span<const double> shares);

/// The vertices in random order, cut into ranges: sizes are as even as those of blocks.
[[nodiscard]] std::vector<std::int32_t> random_owners(std::int64_t num_vertices,
                                                      std::span<const double> shares,
                                                      std::uint64_t seed);

/// Ranges of a breadth-first order that starts at a far end of each component: what tiny graphs
/// get. A path is cut into pieces in a row.
///
/// Needs    a symmetric graph
/// Cost     O(num_vertices + num_edges)
[[nodiscard]] std::vector<std::int32_t> breadth_first_owners(const graph::CsrView& graph,
                                                             std::span<const double> shares);

/// Evenly deals `is_training` vertices and the others: what a graph without edges gets, where
/// every cut is 0. `roles` as in Dataset::splits, or empty.
[[nodiscard]] std::vector<std::int32_t> dealt_owners(std::int64_t num_vertices,
                                                     std::span<const std::int8_t> roles,
                                                     std::span<const double> shares);

/// Splits the largest part in breadth-first order until no part is empty. Returns how many parts
/// were empty.
///
/// Needs    a symmetric graph; as many vertices as parts or more
int fill_empty_parts(const graph::CsrView& graph, int num_parts, std::span<std::int32_t> owner);

}  // namespace weft::partition
