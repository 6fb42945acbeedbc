// SPDX-License-Identifier: MIT
// Proves at the start of a run that the ranks hold parts of one partition.
#pragma once

#include <span>

#include "comm/communicator.hpp"
#include "graph/support/types.hpp"
#include "partition/part.hpp"

namespace weft::comm {

/// Checks that a plan's rows are where its peers say, within bounds, and that each rank sends as
/// many rows as its peer expects.
///
/// Errors   InputError on all ranks
/// Collective
void check_plans(Communicator& communicator, const partition::HaloPlan& plan, LocalId num_owned);

/// Checks the symmetry of the plans (after `check_plans`): what part p sends to part q is, in
/// order, what q expects of p. Each pair compares checksums of the global ids on its border, so
/// that parts of different partitions are noticed even where their counts agree.
///
/// Shapes   global_ids [num_owned + num_halo]: owned vertices, then the plan's halo vertices
/// Cost     O(borders) time, 8 bytes to each rank
/// Errors   InputError on all ranks that names the two parts
/// Collective
void check_borders(Communicator& communicator,
                   const partition::HaloPlan& plan,
                   std::span<const GlobalId> global_ids);

}  // namespace weft::comm
