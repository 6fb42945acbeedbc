// SPDX-License-Identifier: MIT
// Lists of any length from every rank to every other: what ranks tell each other once, at the
// start of a run.
#pragma once

#include <cstddef>
#include <vector>

#include "comm/communicator.hpp"

namespace weft::comm {

/// Sends to_each[p] to rank p; returns what each rank sent here. Nothing travels for an empty list
/// but its length. What is for this rank itself is returned as it is.
///
/// Shapes   to_each [size], returns [size]
/// Cost     one message for each pair with something to tell, of any size
/// Collective
[[nodiscard]] std::vector<std::vector<std::byte>> exchange_lists(
    Communicator& communicator, const std::vector<std::vector<std::byte>>& to_each);

}  // namespace weft::comm
