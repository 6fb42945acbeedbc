// SPDX-License-Identifier: MIT
// Keeps halo rows current: owned rows travel to the ranks that read them, gradients travel back.
//
//   halo.begin(ctx, x);                       // boundary rows leave first
//   ... work that needs nobody ...            // MPI progresses by ctx.poll()
//   ConstMatrixView rows = halo.finish(ctx);  // row h = current values of halo vertex h
//
// The reverse of a gather is a scatter-add at the owner: a vertex that is a halo on three ranks
// receives three contributions, added in order of the peers' ranks (fixed order, same bits). How
// rows travel is slot_exchange.hpp's.
#pragma once

#include <cstdint>

#include "comm/communicator.hpp"
#include "comm/slot_exchange.hpp"
#include "kernels/context.hpp"
#include "kernels/matrix.hpp"
#include "partition/part.hpp"

namespace weft::comm {

class HaloExchange {
 public:
  /// The plan is copied. `num_owned` bounds its send rows.
  /// Collective; errors: InputError if the plans of two ranks do not match.
  HaloExchange(Communicator& communicator,
               const partition::HaloPlan& plan,
               LocalId num_owned,
               HaloOptions options = {});

  [[nodiscard]] LocalId num_halo() const { return slots_.num_halo(); }

  /// Starts sending the rows of x [num_owned x dim] that others read.
  /// x may be changed once this returns. One exchange is in flight at a time.
  void begin(kernels::Context& ctx, kernels::ConstMatrixView x);
  /// Waits; returns [num_halo x dim], valid until the next begin.
  [[nodiscard]] kernels::ConstMatrixView finish(kernels::Context& ctx);

  /// Where the gradients of the halo rows are to be written, [num_halo x dim]; valid until
  /// finish_reverse.
  [[nodiscard]] kernels::MatrixView reverse_buffer(std::int64_t dim);
  /// Starts sending the rows of reverse_buffer to their owners.
  void begin_reverse(kernels::Context& ctx);
  /// Waits; adds what arrived to grad [num_owned x dim], peers in rising order.
  void finish_reverse(kernels::Context& ctx, kernels::MatrixView grad);

  [[nodiscard]] HaloTraffic traffic() const { return slots_.traffic(); }
  void reset_traffic() { slots_.reset_traffic(); }

 private:
  partition::HaloPlan plan_;
  [[maybe_unused]] LocalId num_owned_;  ///< rows that matrices must have: for assertions
  SlotExchange slots_;
};

}  // namespace weft::comm
