// SPDX-License-Identifier: MIT
// What METIS is given: a symmetric simple graph and the weights to be balanced.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "graph/csr_graph.hpp"
#include "partition/partition_graph.hpp"

namespace weft::partition {

/// True if every arc has its reverse and none is a loop. Compares the sums of a hash of (u, v) and
/// of (v, u) over all arcs, so an answer of true is wrong with probability 2^-64; weights are not
/// looked at.
///
/// Cost     O(num_edges), parallel; reads each arc once, in order
[[nodiscard]] bool is_symmetric_without_loops(const graph::CsrView& graph);

/// A symmetric simple graph: the dataset's own arrays where they are that already, else a copy
/// that each arc has been added to in both directions.
struct SymmetricGraph {
  graph::CsrGraph made;  ///< empty if the arrays are borrowed
  graph::CsrView view;
};
[[nodiscard]] SymmetricGraph symmetric_graph(const graph::CsrView& graph);

/// What is balanced between parts. The sum of a constraint over a part is to be the part's share.
struct BalanceWeights {
  std::vector<std::string> names;     ///< of the constraints: "vertices", "edges", "training"
  std::vector<std::int32_t> weights;  ///< [num_vertices x num_constraints]
  std::vector<std::int64_t> totals;   ///< [num_constraints]
};

/// Weights 1 (vertices), in-degree without loops + 1 (edges) and 1 for each training vertex. The
/// training constraint is left out where there are fewer training vertices than parts. An edge
/// weight is capped at a twentieth of the smallest part's share or eight times the mean, whichever
/// is more: a hub beyond that could only be balanced at the expense of the other constraints.
[[nodiscard]] BalanceWeights balance_weights(const datasets::Dataset& dataset,
                                             const PartitionOptions& options,
                                             std::span<const double> shares);

}  // namespace weft::partition
