// SPDX-License-Identifier: MIT
// Arcs as they were read or generated: in any order, with repeats and loops.
#pragma once

#include <cstdint>
#include <vector>

namespace weft::graph {

/// One arc source -> destination.
struct Arc {
  std::int32_t source = 0;
  std::int32_t destination = 0;

  friend bool operator==(const Arc&, const Arc&) = default;
};

/// Arcs among vertices 0..num_vertices-1. An undirected graph lists each edge once, in either
/// direction; whoever builds a CSR of it asks for the reverse arcs.
///
/// Shapes   weights [arcs] or empty (then every arc weighs 1)
struct EdgeList {
  std::int64_t num_vertices = 0;
  std::vector<Arc> arcs;
  std::vector<float> weights;
};

}  // namespace weft::graph
