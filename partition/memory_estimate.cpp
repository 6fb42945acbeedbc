// SPDX-License-Identifier: MIT
// How much memory partitioning takes, before it takes it.
#include <algorithm>

#include "partition/indexing.hpp"
#include "partition/partition_dataset.hpp"
#include "partition/vertex_order.hpp"

namespace weft::partition {
namespace {

// Measured with METIS 5.1.0 (32-bit ids) on stochastic block and R-MAT graphs of 2^18 vertices and
// 16 M arcs: its scratch, with all coarser graphs, an arc and a vertex.
constexpr std::int64_t metis_bytes_per_arc = 54;
constexpr std::int64_t metis_bytes_per_vertex = 100;
// The program with its libraries.
constexpr std::int64_t program_bytes = std::int64_t{12} << 20;
// Owner, owned vertices, local ids, degrees, balance weights and the halo marks.
constexpr std::int64_t own_bytes_per_vertex = 64;

template <typename T>
std::int64_t bytes_of(std::span<const T> values) {
  return count_of(values) * static_cast<std::int64_t>(sizeof(T));
}

std::int64_t graph_bytes(const graph::CsrView& graph) {
  return bytes_of(graph.row_ptr) + bytes_of(graph.col_idx) + bytes_of(graph.edge_weight);
}

std::int64_t row_bytes(const datasets::Dataset& dataset) {
  const datasets::FeatureView& features = dataset.features;
  return bytes_of(features.dense) + bytes_of(features.row_ptr) + bytes_of(features.col_idx) +
         bytes_of(features.values) + bytes_of(dataset.labels) + bytes_of(dataset.multi_labels) +
         bytes_of(dataset.targets) + bytes_of(dataset.splits);
}

}  // namespace

std::int64_t estimated_peak_bytes(const datasets::Dataset& dataset,
                                  const PartitionOptions& options) {
  const std::int64_t mapped = graph_bytes(dataset.graph) + row_bytes(dataset);
  const std::int64_t own = own_bytes_per_vertex * dataset.num_vertices;
  const std::int64_t part = mapped / std::max(1, options.num_parts);
  std::int64_t metis = 0;
  // METIS cuts the graph into parts, and the parts into pieces; small graphs are left as they are.
  const bool has_pieces = dataset.num_vertices >= 4 * piece_vertices;
  if (uses_metis(options.method) && (options.num_parts > 1 || has_pieces)) {
    // A directed graph is copied with each arc in both directions.
    const std::int64_t arcs = dataset.graph.num_edges() * (dataset.directed ? 2 : 1);
    metis = metis_bytes_per_arc * arcs + metis_bytes_per_vertex * dataset.num_vertices;
    // The pieces are cut in a copy without the arcs between parts.
    if (has_pieces && options.num_parts > 1) metis += std::int64_t{sizeof(std::int32_t)} * arcs;
  }
  // METIS's memory is returned before the parts are built.
  return program_bytes + mapped + own + std::max(metis, part);
}

}  // namespace weft::partition
