// SPDX-License-Identifier: MIT
// Renumbers the owned vertices of a part.
#pragma once

#include <span>

#include "partition/part.hpp"

namespace weft::partition {

/// Gives owned row order[i] the local id i. Rows of the graph, columns, ids, degrees, send rows,
/// labels, targets and splits move along; a row lists the same neighbors in the same order. Halo
/// rows stay. The counts of interior and boundary rows stay too, but the two are mixed from now on.
///
/// The features are the exception: they may be larger than memory has room for twice, so they keep
/// their rows, and whoever reads row i reads order[i].
///
/// Shapes   order [num_owned], a permutation
/// Cost     O(arcs + rows) time, a second copy of the arcs while it runs
void reorder_owned(Part& part, std::span<const LocalId> order);

}  // namespace weft::partition
