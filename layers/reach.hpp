// SPDX-License-Identifier: MIT
// Which rows of each layer the loss can reach, found once, from the loss backwards.
//
// The loss reads the outputs of labelled training vertices (distance 0). A row at distance d reads
// rows at distance d + 1 at most, so layer l of L computes the rows up to distance L - 1 - l and
// reads those up to L - l; nothing else of a training epoch can change the loss or a gradient.
// Once owned rows are ordered by distance, each such set is a prefix of the rows.
//
// Distances are those of the whole graph: every number of ranks computes the same rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "partition/part.hpp"

namespace weft::layers {

/// Distances of owned vertices from the loss. Without pruning, `distance` is empty and every layer
/// computes every row.
struct Reach {
  int num_layers = 0;
  std::vector<std::int32_t> distance;     ///< [num_owned] in 0..num_layers, num_layers + 1 = beyond
  std::vector<std::int64_t> global_rows;  ///< [num_layers + 1] rows within distance d, all ranks

  [[nodiscard]] bool is_pruned() const { return !distance.empty(); }
  /// Largest distance of a row that layer `layer` reads; its outputs lie one nearer.
  [[nodiscard]] std::int32_t input_distance(int layer) const { return num_layers - layer; }
};

/// Walks `num_layers` steps against the arcs, over all ranks.
///
/// Shapes   training_rows: owned rows that the loss reads
/// Cost     O(arcs) time; an exchange of one column a layer
/// Collective
[[nodiscard]] Reach find_reach(comm::Communicator& communicator,
                               const partition::Part& part,
                               std::span<const LocalId> training_rows,
                               int num_layers);

/// Share of the rows, over all layers' outputs, that a training epoch has to compute; 1 where
/// nothing can be left out.
[[nodiscard]] double computed_share(const Reach& reach, std::int64_t num_vertices);

/// Owned rows by rising distance; rows of one distance keep their order.
///
/// Shapes   returns [num_owned]: the row that comes at each place
[[nodiscard]] std::vector<LocalId> order_by_distance(const Reach& reach);

/// Rows whose distance is at most `distance`, of rows in rising order of distance.
[[nodiscard]] LocalId count_within(std::span<const std::int32_t> rising, std::int32_t distance);

}  // namespace weft::layers
