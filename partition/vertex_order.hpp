// SPDX-License-Identifier: MIT
// In which order the vertices of a part are numbered, so that rows that are read together lie
// together: an aggregation reads the rows of neighbors, and a cache holds about a thousand of them.
//
// The order is chosen once, when a partition is made; the numbering of the parts is where it is
// kept. A row sums its neighbors by global id, wherever they lie; only sums over the rows of a part
// (gradients of weights, the loss) follow the order, so it changes results by rounding alone.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "graph/csr_graph.hpp"
#include "graph/support/timing.hpp"
#include "partition/partition_graph.hpp"

namespace weft::partition {

/// Vertices of a piece: its rows of 128 floats fill half a MiB of cache.
inline constexpr std::int64_t piece_vertices = 1024;

enum class VertexOrder {
  by_id,           ///< rising by global id
  pieces,          ///< by METIS's parts of `piece_vertices` vertices inside each part
  cuthill_mckee,   ///< reverse Cuthill-McKee: a search in breadth from an outer vertex, reversed
  falling_degree,  ///< the vertices that most rows read come first
};

/// "by id", "pieces", "reverse Cuthill-McKee", "falling degree".
[[nodiscard]] const char* vertex_order_name(VertexOrder order);

/// An order with its figure.
struct OrderChoice {
  VertexOrder order = VertexOrder::by_id;
  std::vector<std::int32_t> place;  ///< [num_vertices] vertices of a part rise by it; empty = by id
  double far_share = 0;             ///< of the reads that find a row out of cache, in this order
  double far_share_by_id = 0;       ///< the same in the order of the ids
};

/// Share of the reads of owned neighbors that come more than `near_reads` reads after the last of
/// the same row, when the rows of each part are gone through in the given order: what a cache of
/// the size of a piece would miss. A count, so the same on every machine; of large graphs a sample
/// of stretches of rows is counted.
///
/// Shapes   owner, place [num_vertices]; place may be empty
/// Cost     O(arcs counted), serial
inline constexpr std::int64_t near_reads = 8192;
[[nodiscard]] double far_share(const graph::CsrView& graph,
                               std::span<const std::int32_t> owner,
                               std::span<const std::int32_t> place);

/// The order with the smallest far share, by id where no other is a twentieth better. Small graphs
/// (below four pieces) are left as they are. METIS's pieces are tried where the method calls METIS
/// anyway and the graph fits its ids.
///
/// Cost     METIS: one call; the others O(num_edges), serial
[[nodiscard]] OrderChoice choose_vertex_order(const graph::CsrView& graph,
                                              std::span<const std::int32_t> owner,
                                              const PartitionOptions& options,
                                              PartitionTimes* times = nullptr,
                                              const ProgressCallback& progress = {});

}  // namespace weft::partition
