// SPDX-License-Identifier: MIT
// A slot for each row that a peer reads: gathered on the way out, added on the way back.
#include "comm/halo_exchange.hpp"

#include <span>
#include <utility>

#include "comm/plan_check.hpp"
#include "graph/support/error.hpp"
#include "kernels/rows.hpp"

namespace weft::comm {

using partition::HaloPeer;
using partition::HaloPlan;

namespace {

/// Owned rows behind the send slots begin .. end-1.
std::span<const LocalId> send_rows(const HaloPlan& plan, std::int64_t begin, std::int64_t end) {
  return std::span(plan.send_rows)
      .subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
}

/// The plan, once it is proved that all plans fit together.
const HaloPlan& checked(Communicator& communicator, const HaloPlan& plan, LocalId num_owned) {
  check_plans(communicator, plan, num_owned);
  return plan;
}

}  // namespace

HaloExchange::HaloExchange(Communicator& communicator,
                           const HaloPlan& plan,
                           LocalId num_owned,
                           HaloOptions options)
    : plan_(checked(communicator, plan, num_owned)),
      num_owned_(num_owned),
      slots_(communicator, plan.peers, options) {}

void HaloExchange::begin(kernels::Context& ctx, kernels::ConstMatrixView x) {
  WEFT_ASSERT(x.num_rows == num_owned_);
  slots_.begin({x.num_columns, x.storage}, slots_.all_slots(),
               [&](std::int64_t begin, std::int64_t end, kernels::MatrixView packed) {
                 kernels::gather_rows(ctx, x, send_rows(plan_, begin, end),
                                      packed.rows(begin, end));
               });
}

kernels::ConstMatrixView HaloExchange::finish(kernels::Context& /*ctx*/) {
  return slots_.finish();
}

kernels::MatrixView HaloExchange::reverse_buffer(std::int64_t dim) {
  return slots_.reverse_buffer({dim});
}

void HaloExchange::begin_reverse(kernels::Context& /*ctx*/) {
  slots_.begin_reverse(slots_.all_slots());
}

void HaloExchange::finish_reverse(kernels::Context& ctx, kernels::MatrixView grad) {
  WEFT_ASSERT(grad.num_rows == num_owned_);
  const kernels::ConstMatrixView arrived = slots_.finish_reverse();
  WEFT_ASSERT(grad.num_columns == arrived.num_columns);
  for (const HaloPeer& peer : slots_.peers()) {
    kernels::scatter_add_rows(ctx, arrived.rows(peer.send_begin, peer.send_end),
                              send_rows(plan_, peer.send_begin, peer.send_end), grad);
  }
}

}  // namespace weft::comm
