// SPDX-License-Identifier: MIT
// What travels between parts in a sum over neighbors: a slot is a row of a message.
//
// An arc u -> v from another part is served in one of two ways: the row of u travels, and the
// reader multiplies (a source slot), or the owner of u adds up what v gets from its vertices, and
// the sum travels (a partial-sum slot). For each pair of parts the fewest slots that serve every
// arc are a minimum vertex cover (after SuperGCN); it is used where it saves at least a tenth of
// the rows. The sums are those of the plain halo, in another order. Slots of both kinds travel in
// the storage of the rows that are summed: a partial sum in bf16 is rounded once, like every stored
// sum. Between parts whose rows are read in place nothing travels, and nothing is summed.
//
//   forward    packed = send x             y[v] += halo[v] received
//   backward   packed = halo^T grad_y      grad_x[u] += send^T[u] received
//
// Example: vertices 0 and 1 of part p, each read by vertices 7 .. 9 of part q: two source slots
// serve all arcs. Vertices 0 .. 5 of p all read by vertex 7 alone: one partial-sum slot does.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "kernels/sparse.hpp"
#include "layers/aggregation.hpp"
#include "layers/reach.hpp"
#include "partition/part.hpp"

namespace weft::layers {

/// Shapes   halo [num_owned x halo slots], send [send slots x num_owned], and their transposes;
///          slots of a peer are one range, its nearest to the loss first
struct Border {
  std::vector<partition::HaloPeer> peers;  ///< ranges of slots instead of rows
  kernels::SparseMatrix halo;
  kernels::SparseMatrix halo_transposed;
  kernels::SparseMatrix send;
  kernels::SparseMatrix send_transposed;
  std::vector<std::int32_t> halo_distance;  ///< [halo slots] of what a slot serves, plus 1
  std::vector<std::int32_t> send_distance;  ///< [send slots]
  std::vector<LocalId> copied_rows;         ///< [send slots] the owned row that a slot copies, or
                                            ///< comm::no_copied_row
  std::int64_t num_halo_rows = 0;           ///< slots of the plain halo
};

struct BorderOptions {
  bool partial_sums = true;           ///< false where the sum is not linear in the rows
  std::span<const int> rows_of = {};  ///< parts, rising, that exchange rows only
};

/// Chooses the slots of what this part reads and tells the owners what to send.
///
/// Cost     O(border arcs * sqrt(border)) time; each border arc that a partial sum serves travels
///          once
/// Errors   InputError on all ranks where a part is asked for rows that it does not have
/// Collective
[[nodiscard]] Border build_border(comm::Communicator& communicator,
                                  const partition::Part& part,
                                  const Aggregation& aggregation,
                                  const Reach& reach,
                                  BorderOptions options = {});

}  // namespace weft::layers
