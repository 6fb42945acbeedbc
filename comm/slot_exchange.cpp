// SPDX-License-Identifier: MIT
// One message a peer and exchange: packed rows out, rows received in place. Peers are served from
// the next higher rank on, so that not all ranks send to rank 0 first.
#include "comm/slot_exchange.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "comm/transport.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"

namespace weft::comm {

using partition::HaloPeer;

namespace {

// Empty ranges may lie anywhere; here they begin at 0, within bounds.
std::vector<HaloPeer> with_plain_ranges(std::vector<HaloPeer> peers) {
  for (HaloPeer& peer : peers) {
    if (peer.halo_begin == peer.halo_end) peer.halo_begin = peer.halo_end = 0;
    if (peer.send_begin == peer.send_end) peer.send_begin = peer.send_end = 0;
  }
  return peers;
}

SlotCounts count_all(std::span<const HaloPeer> peers) {
  SlotCounts counts;
  for (const HaloPeer& peer : peers) {
    counts.halo.push_back(peer.halo_end - peer.halo_begin);
    counts.send.push_back(peer.send_end - peer.send_begin);
  }
  return counts;
}

// The bytes of rows begin .. end-1, which lie side by side.
std::span<std::byte> row_bytes(kernels::Matrix& matrix, std::int64_t begin, std::int64_t end) {
  const kernels::MatrixView view = matrix.view();
  if (begin == end) return {};
  return {view.row_begin(begin), static_cast<std::size_t>((end - begin) * view.row_bytes())};
}

}  // namespace

struct SlotExchange::State {
  State(Communicator& communicator, std::vector<HaloPeer> neighbors, HaloOptions wishes)
      : peers(with_plain_ranges(std::move(neighbors))),
        all(count_all(peers)),
        num_halo(std::accumulate(all.halo.begin(), all.halo.end(), LocalId{0})),
        num_send(std::accumulate(all.send.begin(), all.send.end(), std::int64_t{0})),
        options(wishes),
        requests(communicator) {}

  std::vector<HaloPeer> peers;
  SlotCounts all;
  LocalId num_halo;
  std::int64_t num_send;
  HaloOptions options;
  std::vector<std::size_t> send_order;  // of the peers
  RequestSet requests;
  kernels::Matrix halo;       // [num_halo x dim] rows of peers
  kernels::Matrix halo_back;  // [num_halo x dim] rows for peers, in reverse
  kernels::Matrix packed;     // [num_send x dim] rows for peers; in reverse, rows of peers
  bool in_flight = false;
  int parity = 0;
  HaloTraffic traffic;

  void receive(
      kernels::Matrix& matrix, std::int64_t begin, std::int64_t count, int source, int tag);
  void send(kernels::Matrix& matrix, std::int64_t begin, std::int64_t count, int to, int tag);
  int start(Tag direction);
  void finish();
};

void SlotExchange::State::receive(
    kernels::Matrix& matrix, std::int64_t begin, std::int64_t count, int source, int tag) {
  requests.receive(row_bytes(matrix, begin, begin + count), source, tag,
                   options.message_limit_bytes);
}

void SlotExchange::State::send(
    kernels::Matrix& matrix, std::int64_t begin, std::int64_t count, int to, int tag) {
  const std::span<const std::byte> bytes = row_bytes(matrix, begin, begin + count);
  traffic.messages_sent += requests.send(bytes, to, tag, options.message_limit_bytes);
  traffic.bytes_sent += std::ssize(bytes);
}

// Returns the tag. Everything of the exchange before is complete: requests were awaited.
int SlotExchange::State::start(Tag direction) {
  WEFT_ASSERT(!in_flight);
  in_flight = true;
  parity ^= 1;
  return static_cast<int>(direction) + parity;
}

void SlotExchange::State::finish() {
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

SlotExchange::SlotExchange(Communicator& communicator,
                           std::vector<HaloPeer> peers,
                           HaloOptions options)
    : state_(std::make_unique<State>(communicator, std::move(peers), options)) {
  if (options.message_limit_bytes < 1 || options.message_limit_bytes > max_message_bytes) {
    throw InputError(text("message limit: ", options.message_limit_bytes, " bytes, expected 1..",
                          max_message_bytes));
  }
  auto& order = state_->send_order;
  order.resize(state_->peers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto next = std::find_if(order.begin(), order.end(), [&](std::size_t i) {
    return state_->peers[i].part > communicator.rank();
  });
  std::rotate(order.begin(), next, order.end());
}

SlotExchange::~SlotExchange() = default;
SlotExchange::SlotExchange(SlotExchange&&) noexcept = default;
SlotExchange& SlotExchange::operator=(SlotExchange&&) noexcept = default;

std::span<const HaloPeer> SlotExchange::peers() const {
  return state_->peers;
}
LocalId SlotExchange::num_halo() const {
  return state_->num_halo;
}
std::int64_t SlotExchange::num_send() const {
  return state_->num_send;
}
const SlotCounts& SlotExchange::all_slots() const {
  return state_->all;
}
HaloTraffic SlotExchange::traffic() const {
  return state_->traffic;
}
void SlotExchange::reset_traffic() {
  state_->traffic = {};
}

void SlotExchange::begin(const RowFormat& format, const SlotCounts& counts, SlotFill fill) {
  State& state = *state_;
  WEFT_ASSERT(counts.halo.size() == state.peers.size() && counts.send.size() == state.peers.size());
  state.halo.resize(state.num_halo, format.dim, format.storage);
  state.packed.resize(state.num_send, format.dim, format.storage);
  const int tag = state.start(Tag::halo);
  for (std::size_t i = 0; i < state.peers.size(); ++i) {
    const HaloPeer& peer = state.peers[i];
    state.receive(state.halo, peer.halo_begin, counts.halo[i], peer.part, tag);
  }
  for (const std::size_t i : state.send_order) {
    const HaloPeer& peer = state.peers[i];
    const std::int64_t end = peer.send_begin + counts.send[i];
    if (end > peer.send_begin) fill(peer.send_begin, end, state.packed.view());
    state.send(state.packed, peer.send_begin, counts.send[i], peer.part, tag);
  }
}

kernels::ConstMatrixView SlotExchange::finish() {
  state_->finish();
  return std::as_const(state_->halo).view();
}

kernels::MatrixView SlotExchange::reverse_buffer(const RowFormat& format) {
  WEFT_ASSERT(!state_->in_flight);
  state_->halo_back.resize(state_->num_halo, format.dim, format.storage);
  return state_->halo_back.view();
}

void SlotExchange::begin_reverse(const SlotCounts& counts) {
  State& state = *state_;
  WEFT_ASSERT(counts.halo.size() == state.peers.size() && counts.send.size() == state.peers.size());
  state.packed.resize(state.num_send, state.halo_back.num_columns(), state.halo_back.storage());
  const int tag = state.start(Tag::halo_reverse);
  for (std::size_t i = 0; i < state.peers.size(); ++i) {
    const HaloPeer& peer = state.peers[i];
    state.receive(state.packed, peer.send_begin, counts.send[i], peer.part, tag);
  }
  for (const std::size_t i : state.send_order) {
    const HaloPeer& peer = state.peers[i];
    state.send(state.halo_back, peer.halo_begin, counts.halo[i], peer.part, tag);
  }
}

kernels::ConstMatrixView SlotExchange::finish_reverse() {
  state_->finish();
  return std::as_const(state_->packed).view();
}

}  // namespace weft::comm
