// SPDX-License-Identifier: MIT
// A directed graph in compressed sparse rows.
//
// Invariant (rows are destinations): row v lists the in-neighbors of v, so that y = A x aggregates
// along arcs source -> destination. Columns of a row rise strictly: repeats are merged. Nothing
// assumes that the graph is symmetric.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/support/types.hpp"

namespace weft::graph {

/// Borrows a graph's arrays, wherever they live (memory or a mapped file).
///
/// Shapes   row_ptr [num_vertices + 1], col_idx [num_edges], edge_weight [num_edges] or empty
///          (then every weight is 1)
struct CsrView {
  std::span<const EdgeOffset> row_ptr;
  std::span<const std::int32_t> col_idx;
  std::span<const float> edge_weight;

  [[nodiscard]] std::int64_t num_vertices() const {
    return row_ptr.empty() ? 0 : static_cast<std::int64_t>(row_ptr.size()) - 1;
  }
  [[nodiscard]] EdgeOffset num_edges() const { return static_cast<EdgeOffset>(col_idx.size()); }
  [[nodiscard]] bool is_weighted() const { return !edge_weight.empty(); }
  [[nodiscard]] float weight(EdgeOffset edge) const {
    return edge_weight.empty() ? 1.0F : edge_weight[static_cast<std::size_t>(edge)];
  }
  [[nodiscard]] EdgeOffset degree(std::int64_t vertex) const {
    return row_ptr[static_cast<std::size_t>(vertex) + 1] -
           row_ptr[static_cast<std::size_t>(vertex)];
  }
  [[nodiscard]] std::span<const std::int32_t> neighbors(std::int64_t vertex) const {
    return col_idx.subspan(static_cast<std::size_t>(row_ptr[static_cast<std::size_t>(vertex)]),
                           static_cast<std::size_t>(degree(vertex)));
  }
};

/// Owns a graph's arrays.
struct CsrGraph {
  std::vector<EdgeOffset> row_ptr{0};
  std::vector<std::int32_t> col_idx;
  std::vector<float> edge_weight;

  [[nodiscard]] CsrView view() const { return {row_ptr, col_idx, edge_weight}; }
};

}  // namespace weft::graph
