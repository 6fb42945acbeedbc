// SPDX-License-Identifier: MIT
// Relabels arcs whose ids have gaps: the k-th smallest id that occurs becomes vertex k.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/edge_list.hpp"

namespace weft::datasets {

/// An arc of ids that need more than 31 bits.
struct WideArc {
  std::int64_t source = 0;
  std::int64_t destination = 0;
};

/// Relabels `arcs` in place and returns the ids by vertex, rising; ids are not negative.
///
/// Cost     O(arcs); memory 12 bits for each id up to the largest where ids are dense enough for
///          it, else O(arcs log arcs) time and 16 bytes an arc
[[nodiscard]] std::vector<std::int64_t> compact_ids(std::vector<graph::Arc>& arcs);

/// The same for wide ids; frees `arcs`.
/// Errors   InputError if there are 2^31 different ids or more
[[nodiscard]] std::vector<std::int64_t> compact_ids(std::vector<WideArc>&& arcs,
                                                    std::vector<graph::Arc>& relabelled);

/// Largest id of `arcs`, -1 where there is none.
[[nodiscard]] std::int64_t largest_id(const std::vector<graph::Arc>& arcs);

/// True where `ids` are 0, 1, 2, ...
[[nodiscard]] bool is_consecutive_from_zero(const std::vector<std::int64_t>& ids);

}  // namespace weft::datasets
