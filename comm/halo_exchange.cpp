// SPDX-License-Identifier: MIT
// One message a peer and exchange: packed rows out, rows received in place. Peers are served from
// the next higher rank on, so that not all ranks send to rank 0 first.
#include "comm/halo_exchange.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "comm/plan_check.hpp"
#include "comm/transport.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "kernels/rows.hpp"

namespace weft::comm {

using partition::HaloPeer;
using partition::HaloPlan;

namespace {

// Empty ranges may lie anywhere in a plan; here they begin at 0, within bounds.
HaloPlan with_plain_ranges(HaloPlan plan) {
  for (HaloPeer& peer : plan.peers) {
    if (peer.halo_begin == peer.halo_end) peer.halo_begin = peer.halo_end = 0;
    if (peer.send_begin == peer.send_end) peer.send_begin = peer.send_end = 0;
  }
  return plan;
}

}  // namespace

struct HaloExchange::State {
  State(Communicator& communicator, const HaloPlan& halo_plan, LocalId owned, HaloOptions wishes)
      : plan(with_plain_ranges(halo_plan)),
        num_owned(owned),
        options(wishes),
        requests(communicator) {}

  HaloPlan plan;
  LocalId num_owned;
  HaloOptions options;
  std::vector<std::size_t> send_order;  // of the plan's peers
  RequestSet requests;
  kernels::Matrix halo;       // [num_halo x dim] rows of peers
  kernels::Matrix grad_halo;  // [num_halo x dim] gradients for peers
  kernels::Matrix packed;     // [send rows x dim] rows for peers; in reverse, gradients of peers
  bool in_flight = false;
  int parity = 0;
  HaloTraffic traffic;

  void receive(kernels::Matrix& matrix, std::int64_t begin, std::int64_t end, int source, int tag);
  void send(kernels::Matrix& matrix, std::int64_t begin, std::int64_t end, int to, int tag);
  int start(Tag direction);
  void finish();
};

namespace {

std::int64_t num_send_rows(const HaloPeer& peer) {
  return peer.send_end - peer.send_begin;
}

std::span<const LocalId> send_rows(const HaloPlan& plan, const HaloPeer& peer) {
  return std::span(plan.send_rows)
      .subspan(static_cast<std::size_t>(peer.send_begin),
               static_cast<std::size_t>(num_send_rows(peer)));
}

// The bytes of rows begin .. end-1, which lie side by side.
std::span<std::byte> row_bytes(kernels::Matrix& matrix, std::int64_t begin, std::int64_t end) {
  const std::int64_t dim = matrix.num_columns();
  return std::as_writable_bytes(matrix.values().subspan(
      static_cast<std::size_t>(begin * dim), static_cast<std::size_t>((end - begin) * dim)));
}

}  // namespace

void HaloExchange::State::receive(
    kernels::Matrix& matrix, std::int64_t begin, std::int64_t end, int source, int tag) {
  requests.receive(row_bytes(matrix, begin, end), source, tag, options.message_limit_bytes);
}

void HaloExchange::State::send(
    kernels::Matrix& matrix, std::int64_t begin, std::int64_t end, int to, int tag) {
  const std::span<const std::byte> bytes = row_bytes(matrix, begin, end);
  traffic.messages_sent += requests.send(bytes, to, tag, options.message_limit_bytes);
  traffic.bytes_sent += std::ssize(bytes);
}

// Returns the tag. Everything of the exchange before is complete: requests were awaited.
int HaloExchange::State::start(Tag direction) {
  WEFT_ASSERT(!in_flight);
  in_flight = true;
  parity ^= 1;
  return static_cast<int>(direction) + parity;
}

void HaloExchange::State::finish() {
  WEFT_ASSERT(in_flight);
  traffic.wait_seconds += requests.wait();
  in_flight = false;
}

std::vector<MessagePiece> split_message(std::int64_t total_bytes, std::int64_t limit_bytes) {
  std::vector<MessagePiece> pieces;
  for_each_piece(total_bytes, limit_bytes, [&](std::int64_t begin, std::int64_t end) {
    pieces.push_back({begin, end});
  });
  return pieces;
}

HaloExchange::HaloExchange(Communicator& communicator,
                           const HaloPlan& plan,
                           LocalId num_owned,
                           HaloOptions options)
    : state_(std::make_unique<State>(communicator, plan, num_owned, options)) {
  if (options.message_limit_bytes < 1 || options.message_limit_bytes > max_message_bytes) {
    throw InputError(text("message limit: ", options.message_limit_bytes, " bytes, expected 1..",
                          max_message_bytes));
  }
  check_plans(communicator, plan, num_owned);
  auto& order = state_->send_order;
  order.resize(plan.peers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto next = std::find_if(order.begin(), order.end(), [&](std::size_t i) {
    return plan.peers[i].part > communicator.rank();
  });
  std::rotate(order.begin(), next, order.end());
}

HaloExchange::~HaloExchange() = default;
HaloExchange::HaloExchange(HaloExchange&&) noexcept = default;
HaloExchange& HaloExchange::operator=(HaloExchange&&) noexcept = default;

LocalId HaloExchange::num_halo() const {
  return state_->plan.num_halo;
}
HaloTraffic HaloExchange::traffic() const {
  return state_->traffic;
}
void HaloExchange::reset_traffic() {
  state_->traffic = {};
}

void HaloExchange::begin(kernels::Context& ctx, kernels::ConstMatrixView x) {
  State& state = *state_;
  WEFT_ASSERT(x.num_rows == state.num_owned);
  const HaloPlan& plan = state.plan;
  state.halo.resize(plan.num_halo, x.num_columns);
  state.packed.resize(std::ssize(plan.send_rows), x.num_columns);
  const int tag = state.start(Tag::halo);
  for (const HaloPeer& peer : plan.peers) {
    state.receive(state.halo, peer.halo_begin, peer.halo_end, peer.part, tag);
  }
  for (const std::size_t i : state.send_order) {
    const HaloPeer& peer = plan.peers[i];
    kernels::gather_rows(ctx, x, send_rows(plan, peer),
                         state.packed.view().rows(peer.send_begin, peer.send_end));
    state.send(state.packed, peer.send_begin, peer.send_end, peer.part, tag);
  }
}

kernels::ConstMatrixView HaloExchange::finish(kernels::Context& /*ctx*/) {
  state_->finish();
  return std::as_const(state_->halo).view();
}

kernels::MatrixView HaloExchange::reverse_buffer(std::int64_t dim) {
  WEFT_ASSERT(!state_->in_flight);
  state_->grad_halo.resize(state_->plan.num_halo, dim);
  return state_->grad_halo.view();
}

void HaloExchange::begin_reverse(kernels::Context& /*ctx*/) {
  State& state = *state_;
  const HaloPlan& plan = state.plan;
  state.packed.resize(std::ssize(plan.send_rows), state.grad_halo.num_columns());
  const int tag = state.start(Tag::halo_reverse);
  for (const HaloPeer& peer : plan.peers) {
    state.receive(state.packed, peer.send_begin, peer.send_end, peer.part, tag);
  }
  for (const std::size_t i : state.send_order) {
    const HaloPeer& peer = plan.peers[i];
    state.send(state.grad_halo, peer.halo_begin, peer.halo_end, peer.part, tag);
  }
}

void HaloExchange::finish_reverse(kernels::Context& ctx, kernels::MatrixView grad) {
  State& state = *state_;
  WEFT_ASSERT(grad.num_rows == state.num_owned);
  WEFT_ASSERT(grad.num_columns == state.packed.num_columns());
  state.finish();
  for (const HaloPeer& peer : state.plan.peers) {
    kernels::scatter_add_rows(
        ctx, std::as_const(state.packed).view().rows(peer.send_begin, peer.send_end),
        send_rows(state.plan, peer), grad);
  }
}

}  // namespace weft::comm
