// SPDX-License-Identifier: MIT
// Keeps halo rows current: owned rows travel to the ranks that read them, gradients travel back.
//
//   halo.begin(ctx, x);                       // boundary rows leave first
//   ... work that needs nobody ...            // MPI progresses by ctx.poll()
//   ConstMatrixView rows = halo.finish(ctx);  // row h = current values of halo vertex h
//
// The reverse of a gather is a scatter-add at the owner: a vertex that is a halo on three ranks
// receives three contributions, added in order of the peers' ranks (fixed order, same bits).
//
// Receives are posted before sends, sources and tags are exact, sizes follow from the plan; empty
// and unequal borders are ordinary. Messages above the limit (2^30 bytes by default) are split.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "kernels/context.hpp"
#include "kernels/matrix.hpp"
#include "partition/part.hpp"

namespace weft::comm {

/// One piece of a message, in bytes from its begin.
struct MessagePiece {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// Cuts `total_bytes` into pieces of at most `limit_bytes`, in order; none for 0 bytes.
[[nodiscard]] std::vector<MessagePiece> split_message(std::int64_t total_bytes,
                                                      std::int64_t limit_bytes);

struct HaloOptions {
  std::int64_t message_limit_bytes = std::int64_t{1} << 30;
};

/// Bytes and time since the last `reset_traffic`, of this rank.
struct HaloTraffic {
  std::int64_t bytes_sent = 0;
  std::int64_t messages_sent = 0;
  double wait_seconds = 0;  ///< spent in finish() with nothing else to do
};

class HaloExchange {
 public:
  /// The plan is copied. `num_owned` bounds its send rows.
  /// Collective; errors: InputError if the plans of two ranks do not match.
  HaloExchange(Communicator& communicator,
               const partition::HaloPlan& plan,
               LocalId num_owned,
               HaloOptions options = {});
  ~HaloExchange();
  HaloExchange(HaloExchange&&) noexcept;
  HaloExchange& operator=(HaloExchange&&) noexcept;

  [[nodiscard]] LocalId num_halo() const;

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

  [[nodiscard]] HaloTraffic traffic() const;
  void reset_traffic();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weft::comm
