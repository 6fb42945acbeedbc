// SPDX-License-Identifier: MIT
// Cuts parts out of a dataset, given who owns which vertex.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "datasets/dataset.hpp"
#include "graph/normalization.hpp"
#include "partition/halo_sets.hpp"
#include "partition/part.hpp"

namespace weft::partition {

/// Builds part `part` with its halo plan and its rows. `info` is copied into it; `degrees` are
/// those of the whole graph. For all parts of a partition `PartBuilder` is cheaper.
///
/// Cost     O(num_edges + num_vertices) time, since what peers read is found in their rows;
///          about 9 bytes a vertex of scratch
/// Errors   InputError if the part does not fit 32-bit local ids, or if `owner` does not have
///          one part in 0..num_parts-1 for each vertex
[[nodiscard]] Part build_part(const datasets::Dataset& dataset,
                              const graph::Degrees& degrees,
                              std::span<const std::int32_t> owner,
                              const PartitionInfo& info,
                              int part);

/// Builds the parts of a partition one after another, so that only one is in memory at a time.
/// Borrows dataset, degrees, owner and place.
///
/// Shapes   place [num_vertices]: inside interior and inside boundary, vertices rise by it; empty =
///          by global id
/// Cost     construction O(num_edges), then O(edges of the part + peers) for each part;
///          8 bytes a vertex and 4 bytes a halo row of all parts while it lives
class PartBuilder {
 public:
  /// Errors   as `build_part`
  PartBuilder(const datasets::Dataset& dataset,
              const graph::Degrees& degrees,
              std::span<const std::int32_t> owner,
              PartitionInfo info,
              std::span<const std::int32_t> place = {});

  [[nodiscard]] Part build(int part);
  /// Spent in `build` so far.
  [[nodiscard]] double build_seconds() const { return build_seconds_; }

  [[nodiscard]] const PartitionInfo& info() const { return info_; }
  [[nodiscard]] std::span<const std::int32_t> owner() const { return owner_; }
  [[nodiscard]] const OwnedVertices& owned() const { return owned_; }
  [[nodiscard]] const std::vector<HaloSet>& halo_sets() const { return halos_; }

 private:
  const datasets::Dataset& dataset_;
  const graph::Degrees& degrees_;
  std::span<const std::int32_t> owner_;
  std::span<const std::int32_t> place_;
  PartitionInfo info_;
  OwnedVertices owned_;
  std::vector<HaloSet> halos_;
  double build_seconds_ = 0;
  std::vector<LocalId> local_of_;  // scratch: local ids of the part being built
};

/// Throws InputError unless `owner` has a part in 0..num_parts-1 for each of `num_vertices`.
void check_owner(std::span<const std::int32_t> owner, std::int64_t num_vertices, int num_parts);

}  // namespace weft::partition
