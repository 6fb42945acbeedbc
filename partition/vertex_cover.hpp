// SPDX-License-Identifier: MIT
// The fewest rows that must travel between two parts so that every arc between them is served.
//
// An arc u -> v from one part into another is served by the row of u (the receiver adds it itself)
// or by the sum for v (the sender adds it up beforehand). Choosing one end of every arc with the
// fewest ends in all is a minimum vertex cover; between two sides it has as many ends as a largest
// matching has arcs.
// Sources: Hopcroft, Karp, "An n^(5/2) Algorithm for Maximum Matchings in Bipartite Graphs", 1973,
// and Koenig, "Graphok es matrixok", 1931.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/support/types.hpp"

namespace weft::partition {

/// Borrows the arcs from one side's sources into the other side's destinations, grouped by
/// destination. Arcs may repeat; either side may have vertices without arcs.
///
/// Shapes   row_ptr [num_destinations + 1] from 0, or empty: no destination; col_idx [arcs], the
///          source of each arc, in 0..num_sources-1
struct BipartiteGraph {
  std::int32_t num_sources = 0;
  std::span<const EdgeOffset> row_ptr;
  std::span<const std::int32_t> col_idx;

  [[nodiscard]] std::int32_t num_destinations() const {
    return row_ptr.empty() ? 0 : static_cast<std::int32_t>(row_ptr.size() - 1);
  }
  [[nodiscard]] std::span<const std::int32_t> sources(std::int32_t destination) const {
    const auto row = static_cast<std::size_t>(destination);
    return col_idx.subspan(static_cast<std::size_t>(row_ptr[row]),
                           static_cast<std::size_t>(row_ptr[row + 1] - row_ptr[row]));
  }
};

/// Which vertices are chosen.
///
/// Shapes   has_source [num_sources], has_destination [num_destinations]: 1 in the cover, else 0
struct VertexCover {
  std::vector<std::uint8_t> has_source;
  std::vector<std::uint8_t> has_destination;

  /// Number of chosen vertices. Cost: O(vertices)
  [[nodiscard]] std::int64_t size() const;
};

/// A smallest set of vertices with at least one end of every arc; which of several is left open,
/// but the same graph always gets the same. Never more than the sources with arcs, nor than the
/// destinations with arcs.
///
/// Cost     O(arcs * sqrt(vertices)), serial. Scratch: 4 bytes a source, 20 bytes a destination; no
///          recursion
[[nodiscard]] VertexCover minimum_vertex_cover(const BipartiteGraph& graph);

}  // namespace weft::partition
