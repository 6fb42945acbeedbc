// SPDX-License-Identifier: MIT
// Global degrees: what every part must know of a vertex, owned or halo, to normalize its arcs.
//
// Degrees are taken on the whole graph before partitioning: a part sees only some of a vertex's
// arcs, so degrees counted there are wrong at every boundary.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/csr_graph.hpp"

namespace weft::graph {

/// Degrees of every vertex of a graph.
struct Degrees {
  std::vector<double> weighted_in;     ///< [num_vertices] sum of the weights of in-arcs, loops too
  std::vector<std::uint8_t> has_loop;  ///< [num_vertices] 1 where the graph has the arc v -> v
};

/// Cost     O(num_vertices + num_edges) time, parallel over rows, fixed order inside a row
[[nodiscard]] Degrees compute_degrees(const CsrView& graph);

/// Coefficient of the arc u -> v under GCN's symmetric normalization,
/// weight / sqrt(d(u) d(v)), with d the weighted in-degrees, the loop counted; 0 where a degree is
/// not positive. Source: Kipf and Welling, ICLR 2017; directed and weighted form as in PyG.
[[nodiscard]] double symmetric_coefficient(double weight,
                                           double source_degree,
                                           double destination_degree);

}  // namespace weft::graph
