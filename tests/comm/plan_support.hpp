// SPDX-License-Identifier: MIT
// Halo plans made by hand from "who owns what" and "who reads what", without a graph.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "graph/support/types.hpp"
#include "partition/part.hpp"

namespace weft::comm {

/// What one rank knows of a made-up partition.
struct HandPart {
  partition::HaloPlan plan;
  std::vector<GlobalId> owned;  ///< rising
  std::vector<GlobalId> halo;   ///< by (owner, global id)

  [[nodiscard]] LocalId num_owned() const { return static_cast<LocalId>(owned.size()); }
};

/// Shapes   owner [num_vertices]; reads[p] = vertices of other parts that part p reads
[[nodiscard]] HandPart make_hand_part(const std::vector<int>& owner,
                                      const std::vector<std::set<GlobalId>>& reads,
                                      int part);

}  // namespace weft::comm
