// SPDX-License-Identifier: MIT
// One message a peer and exchange: packed rows out, rows received in place. Peers are served from
// the next higher rank on, so that not all ranks send to rank 0 first.
#include "comm/slot_exchange.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <optional>
#include <utility>

#include "comm/shared_slots.hpp"
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
std::span<std::byte> row_bytes(const kernels::MatrixView& view,
                               std::int64_t begin,
                               std::int64_t end) {
  if (begin == end) return {};
  return {view.row_begin(begin), static_cast<std::size_t>((end - begin) * view.row_bytes())};
}

/// The peers of this host, with their slots in one direction.
std::vector<SharedRange> shared_ranges(std::span<const HaloPeer> peers,
                                       const SharedMemory& memory,
                                       Tag direction) {
  std::vector<SharedRange> ranges;
  for (const HaloPeer& peer : peers) {
    if (!memory.is_shared_with(peer.part)) continue;
    ranges.push_back(direction == Tag::halo ? SharedRange{peer.part, peer.send_begin, peer.send_end,
                                                          peer.halo_begin, peer.halo_end}
                                            : SharedRange{peer.part, peer.halo_begin, peer.halo_end,
                                                          peer.send_begin, peer.send_end});
  }
  return ranges;
}

/// Rows of about this many bytes are packed and sent at once.
constexpr std::int64_t piece_bytes = std::int64_t{1} << 20;

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
  std::optional<SharedSlots> there;  // halo slots of peers of this host
  std::optional<SharedSlots> back;   // the same in reverse
  kernels::Matrix halo;              // [num_halo x dim] rows of peers
  kernels::Matrix halo_back;         // [num_halo x dim] rows for peers, in reverse
  kernels::Matrix packed;            // [num_send x dim] rows for peers; in reverse, rows of peers
  kernels::MatrixView outgoing;      // what this rank writes: one of these, or shared memory
  std::vector<const Real*> pointers;
  bool is_in_place = false;  // the exchange under way
  bool are_rows = false;     // what peers of this host read is not packed
  bool in_flight = false;
  int parity = 0;
  HaloTraffic traffic;
  Timeline::Time begun;  // the exchange under way
  Tag direction = Tag::halo;
  double shared_wait_before = 0;  // seconds that traffic does not count

  void share(Communicator& communicator);
  [[nodiscard]] bool is_shared_with(std::size_t peer) const {
    return there && options.shared->is_shared_with(peers[peer].part);
  }
  [[nodiscard]] bool gets_messages(std::size_t peer) const {
    return !is_in_place || !is_shared_with(peer);
  }
  [[nodiscard]] bool are_packed_for(std::size_t peer) const {
    return !are_rows || !is_shared_with(peer);
  }
  [[nodiscard]] double shared_wait_seconds() const {
    return there ? there->wait_seconds() + back->wait_seconds() : 0;
  }
  kernels::MatrixView open(const RowFormat& format,
                           std::optional<SharedSlots>& shared,
                           kernels::Matrix& own,
                           std::int64_t num_rows);
  [[nodiscard]] std::int64_t max_row_bytes(const std::optional<SharedSlots>& shared) const {
    return &shared == &there ? options.row_bytes.forward : options.row_bytes.reverse;
  }
  void begin(const RowFormat& format, const SlotCounts& counts, SlotFill fill);
  [[nodiscard]] std::int64_t message_bytes(std::int64_t row_bytes) const;
  [[nodiscard]] bool lends_rows() const {
    return there && options.shared->is_on() && there->are_copies();
  }
  struct Slots {
    std::int64_t begin;
    std::int64_t count;
  };
  void pack_and_send(std::size_t peer, const Slots& slots, SlotFill fill, int tag);
  void receive(
      const kernels::MatrixView& rows, std::int64_t begin, std::int64_t count, int source, int tag);
  void send(std::int64_t begin, std::int64_t count, std::size_t peer, int tag);
  int start(Tag begun_direction);
  void record(Timeline::Time asked, Timeline::Time complete);
  template <typename Wait>
  void await_readers(const Wait& wait);
  void finish();
  SlotRows arrived(std::optional<SharedSlots>& shared, kernels::Matrix& received);
  kernels::ConstMatrixView copied(const SlotRows& rows, kernels::Matrix& received);
  void release();
};

// Ranks whose host shares nothing take part, too: it is collective.
void SlotExchange::State::share(Communicator& communicator) {
  if (options.shared == nullptr) return;
  const SharedMemory& memory = *options.shared;
  there.emplace(communicator, *options.shared, shared_ranges(peers, memory, Tag::halo), num_send,
                options.row_bytes.forward, options.copied_rows);
  back.emplace(communicator, *options.shared, shared_ranges(peers, memory, Tag::halo_reverse),
               num_halo, options.row_bytes.reverse);
}

// Where the rows of an exchange that begins are to be written.
kernels::MatrixView SlotExchange::State::open(const RowFormat& format,
                                              std::optional<SharedSlots>& shared,
                                              kernels::Matrix& own,
                                              std::int64_t num_rows) {
  WEFT_ASSERT(!in_flight);
  release();
  is_in_place = shared && options.shared->is_on() &&
                format.dim * kernels::element_bytes(format.storage) <= max_row_bytes(shared);
  are_rows = false;
  kernels::MatrixView packed_in_place;
  if (is_in_place) {
    await_readers([&] { packed_in_place = shared->next(format.dim, format.storage); });
    return packed_in_place;
  }
  own.resize(num_rows, format.dim, format.storage);
  return own.view();
}

void SlotExchange::State::receive(
    const kernels::MatrixView& rows, std::int64_t begin, std::int64_t count, int source, int tag) {
  requests.receive(row_bytes(rows, begin, begin + count), source, tag,
                   message_bytes(rows.row_bytes()));
}

// Of whole rows, where the limit leaves room for pieces of that size; equal on both sides.
std::int64_t SlotExchange::State::message_bytes(std::int64_t row_bytes) const {
  if (options.message_limit_bytes < piece_bytes || row_bytes == 0) {
    return options.message_limit_bytes;
  }
  return std::min(options.message_limit_bytes,
                  std::max<std::int64_t>(1, piece_bytes / row_bytes) * row_bytes);
}

// The first pieces travel while the others are packed.
void SlotExchange::State::pack_and_send(std::size_t peer,
                                        const Slots& slots,
                                        SlotFill fill,
                                        int tag) {
  const std::int64_t row_bytes = outgoing.row_bytes();
  const std::int64_t limit = message_bytes(row_bytes);
  const bool has_whole_rows = row_bytes > 0 && limit % row_bytes == 0;
  const std::int64_t piece = has_whole_rows ? limit / row_bytes : slots.count;
  const std::int64_t end = slots.begin + slots.count;
  for (std::int64_t begin = slots.begin; begin < end; begin += piece) {
    const std::int64_t piece_end = std::min(end, begin + piece);
    if (are_packed_for(peer)) fill(begin, piece_end, outgoing);
    send(begin, piece_end - begin, peer, tag);
  }
}

// What a peer reads in place is only counted.
void SlotExchange::State::send(std::int64_t begin, std::int64_t count, std::size_t peer, int tag) {
  const std::span<const std::byte> bytes = row_bytes(outgoing, begin, begin + count);
  if (!gets_messages(peer)) {
    traffic.bytes_in_place += std::ssize(bytes);
    return;
  }
  traffic.messages_sent +=
      requests.send(bytes, peers[peer].part, tag, message_bytes(outgoing.row_bytes()));
  traffic.bytes_sent += std::ssize(bytes);
  if (options.timeline == nullptr || !options.timeline->is_on()) return;
  const Timeline::Time now = Timeline::now();
  options.timeline->add(
      {TimelineRow::sends, "send", now, now, std::ssize(bytes), peers[peer].part});
}

// Returns the tag. Everything of the exchange before is complete: requests were awaited.
int SlotExchange::State::start(Tag begun_direction) {
  WEFT_ASSERT(!in_flight);
  in_flight = true;
  begun = Timeline::now();
  direction = begun_direction;
  parity ^= 1;
  return static_cast<int>(direction) + parity;
}

void SlotExchange::State::finish() {
  WEFT_ASSERT(in_flight);
  traffic.wait_seconds += requests.wait();
  in_flight = false;
}

// Pointers to all slots: of messages in the matrix, the others where their owners have them.
SlotRows SlotExchange::State::arrived(std::optional<SharedSlots>& shared,
                                      kernels::Matrix& received) {
  const Timeline::Time asked = Timeline::now();
  finish();
  const Timeline::Time complete = std::max(begun, requests.completed_at());
  const kernels::ConstMatrixView rows = std::as_const(received).view();
  if (!is_in_place) {
    record(asked, complete);
    return {rows, {}, false};
  }
  pointers.resize(static_cast<std::size_t>(rows.num_rows));
  for (std::int64_t slot = 0; slot < rows.num_rows; ++slot)
    pointers[static_cast<std::size_t>(slot)] = reinterpret_cast<const Real*>(rows.row_begin(slot));
  const double waited_before = shared->wait_seconds();
  shared->read(pointers);
  record(asked, shared->wait_seconds() > waited_before ? Timeline::now() : complete);
  return {rows, {pointers, rows.num_columns, rows.storage}, true};
}

// What was complete before it was asked for was hidden.
void SlotExchange::State::record(Timeline::Time asked, Timeline::Time complete) {
  const bool was_exposed = complete > asked;
  traffic.exchange_seconds += std::chrono::duration<double>(complete - begun).count();
  if (was_exposed) {
    traffic.exposed_seconds += std::chrono::duration<double>(complete - asked).count();
  }
  if (options.timeline == nullptr) return;
  const char* name = direction == Tag::halo ? "rows" : "gradients";
  options.timeline->add({TimelineRow::exchange, name, begun, complete});
  if (was_exposed) options.timeline->add({TimelineRow::wait, name, asked, complete});
}

// Nothing hides the wait for those who still read what is to be written.
template <typename Wait>
void SlotExchange::State::await_readers(const Wait& wait) {
  const double waited_before = shared_wait_seconds();
  const Timeline::Time begin = Timeline::now();
  wait();
  if (shared_wait_seconds() == waited_before) return;
  const Timeline::Time end = Timeline::now();
  const double seconds = std::chrono::duration<double>(end - begin).count();
  traffic.exchange_seconds += seconds;
  traffic.exposed_seconds += seconds;
  if (options.timeline == nullptr) return;
  options.timeline->add({TimelineRow::exchange, "readers", begin, end});
  options.timeline->add({TimelineRow::wait, "readers", begin, end});
}

// Rows that lie elsewhere join those that were received.
kernels::ConstMatrixView SlotExchange::State::copied(const SlotRows& rows,
                                                     kernels::Matrix& received) {
  const kernels::MatrixView copy = received.view();
  for (std::int64_t slot = 0; rows.are_pointers && slot < copy.num_rows; ++slot) {
    const auto* from =
        reinterpret_cast<const std::byte*>(rows.pointers.rows[static_cast<std::size_t>(slot)]);
    if (from != copy.row_begin(slot)) std::copy_n(from, copy.row_bytes(), copy.row_begin(slot));
  }
  release();
  return copy;
}

void SlotExchange::State::release() {
  if (!there) return;
  there->release();
  back->release();
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
  state_->share(communicator);
  // Messages take longest.
  std::ranges::stable_partition(order, [&](std::size_t i) { return !state_->is_shared_with(i); });
}

std::int64_t SlotExchange::shared_room(std::span<const HaloPeer> peers,
                                       const SharedRowBytes& row_bytes,
                                       int num_local_ranks) {
  std::int64_t num_halo = 0;
  std::int64_t num_send = 0;
  for (const HaloPeer& peer : peers) {
    num_halo += peer.halo_end - peer.halo_begin;
    num_send += peer.send_end - peer.send_begin;
  }
  return SharedSlots::room(num_send, row_bytes.forward, num_local_ranks) +
         SharedSlots::room(num_halo, row_bytes.reverse, num_local_ranks);
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
  HaloTraffic traffic = state_->traffic;
  traffic.wait_seconds += state_->shared_wait_seconds() - state_->shared_wait_before;
  return traffic;
}
void SlotExchange::reset_traffic() {
  state_->traffic = {};
  state_->shared_wait_before = state_->shared_wait_seconds();
}

// Where slots go, `outgoing`, is open.
void SlotExchange::State::begin(const RowFormat& format, const SlotCounts& counts, SlotFill fill) {
  WEFT_ASSERT(counts.halo.size() == peers.size() && counts.send.size() == peers.size());
  halo.resize(num_halo, format.dim, format.storage);
  const int tag = start(Tag::halo);
  for (std::size_t i = 0; i < peers.size(); ++i) {
    if (!gets_messages(i)) continue;
    receive(halo.view(), peers[i].halo_begin, counts.halo[i], peers[i].part, tag);
  }
  for (const std::size_t i : send_order)
    pack_and_send(i, {peers[i].send_begin, counts.send[i]}, fill, tag);
}

void SlotExchange::begin(const RowFormat& format, const SlotCounts& counts, SlotFill fill) {
  State& state = *state_;
  state.outgoing = state.open(format, state.there, state.packed, state.num_send);
  state.begin(format, counts, fill);
  if (state.is_in_place) state.there->publish_packed();
}

// Peers of this host may begin to read before the messages to others are packed.
void SlotExchange::begin_in_place(kernels::ConstMatrixView x,
                                  const SlotCounts& counts,
                                  SlotFill fill) {
  State& state = *state_;
  const RowFormat format{x.num_columns, x.storage};
  if (!state.lends_rows()) return begin(format, counts, fill);
  WEFT_ASSERT(!state.in_flight);
  state.release();
  state.is_in_place = state.are_rows = true;
  state.there->publish_rows(x);
  state.packed.resize(state.num_send, format.dim, format.storage);
  state.outgoing = state.packed.view();
  state.begin(format, counts, fill);
}

bool SlotExchange::lends_rows() const {
  return state_->lends_rows();
}

void SlotExchange::wait_until_read() {
  if (state_->there) state_->await_readers([&] { state_->there->wait_until_read(); });
}

SlotRows SlotExchange::finish_in_place() {
  return state_->arrived(state_->there, state_->halo);
}

kernels::ConstMatrixView SlotExchange::finish() {
  return state_->copied(finish_in_place(), state_->halo);
}

void SlotExchange::release() {
  state_->release();
}

kernels::MatrixView SlotExchange::reverse_buffer(const RowFormat& format) {
  State& state = *state_;
  state.outgoing = state.open(format, state.back, state.halo_back, state.num_halo);
  return state.outgoing;
}

void SlotExchange::begin_reverse(const SlotCounts& counts) {
  begin_reverse(counts, [](std::int64_t, std::int64_t, kernels::MatrixView) {});
}

void SlotExchange::begin_reverse(const SlotCounts& counts, SlotFill fill) {
  State& state = *state_;
  WEFT_ASSERT(counts.halo.size() == state.peers.size() && counts.send.size() == state.peers.size());
  state.packed.resize(state.num_send, state.outgoing.num_columns, state.outgoing.storage);
  const int tag = state.start(Tag::halo_reverse);
  for (std::size_t i = 0; i < state.peers.size(); ++i) {
    const HaloPeer& peer = state.peers[i];
    if (!state.gets_messages(i)) continue;
    state.receive(state.packed.view(), peer.send_begin, counts.send[i], peer.part, tag);
  }
  for (const std::size_t i : state.send_order)
    state.pack_and_send(i, {state.peers[i].halo_begin, counts.halo[i]}, fill, tag);
  if (state.is_in_place) state.back->publish_packed();
}

SlotRows SlotExchange::finish_reverse_in_place() {
  return state_->arrived(state_->back, state_->packed);
}

kernels::ConstMatrixView SlotExchange::finish_reverse() {
  return state_->copied(finish_reverse_in_place(), state_->packed);
}

}  // namespace weft::comm
