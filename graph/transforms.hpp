// SPDX-License-Identifier: MIT
// Graphs made from graphs, and what can be told of them.
#pragma once

#include "graph/csr_graph.hpp"

namespace weft::graph {

/// The graph with every arc turned round; weights stay with their arcs.
///
/// Cost     O(num_edges) time, parallel; 6 bytes an arc (10 weighted) while it runs, 4 (8) kept
[[nodiscard]] CsrGraph transpose(const CsrView& graph);

/// Whether every arc has its reverse with the same weight. Loops do not matter.
///
/// Cost     a binary search for every second arc, parallel; stops soon after the first miss
[[nodiscard]] bool is_symmetric(const CsrView& graph);

/// What an undirected partitioner is given: u and v are neighbors if there is an arc between them
/// in either direction; no loops, no weights.
///
/// Cost     O(num_edges) time, parallel; beside the result a transposed copy, unless the graph
///          is symmetric already
[[nodiscard]] CsrGraph symmetrized_without_loops(const CsrView& graph);

}  // namespace weft::graph
