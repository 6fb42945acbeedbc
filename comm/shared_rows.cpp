// SPDX-License-Identifier: MIT
// Two slots alternate by the parity of the publication. Slot and rows are written before the number
// of the publication (release) and read after it (acquire); the number that a reader is done with
// goes the other way.
#include "comm/shared_rows.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <memory>
#include <vector>

#include "comm/transport.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "graph/support/timing.hpp"

namespace weft::comm {
namespace {

using Publication = std::atomic<std::int64_t>;
static_assert(Publication::is_always_lock_free, "a lock would not be shared between processes");

constexpr std::size_t cache_line_bytes = 64;
constexpr std::int64_t num_slots = 2;

/// Where a publication's rows lie in the segment of their owner.
struct alignas(cache_line_bytes) Slot {
  Publication number = 0;
  std::int64_t offset_bytes = 0;
  std::int64_t num_rows = 0;
  std::int64_t num_columns = 0;
  std::int64_t stride = 0;
  kernels::Storage storage = kernels::Storage::real;
  std::int64_t form = 0;
};

/// The last publication of one rank that another is done with.
struct alignas(cache_line_bytes) Done {
  Publication number = 0;
};

/// The flags in a segment: two slots, then what this rank is done with, by rank of the host.
class Flags {
 public:
  explicit Flags(const std::byte* begin) : begin_(begin) {}

  [[nodiscard]] static std::int64_t num_bytes(std::int64_t num_local_ranks) {
    return num_slots * std::int64_t{sizeof(Slot)} + num_local_ranks * std::int64_t{sizeof(Done)};
  }
  [[nodiscard]] const Slot& slot(std::int64_t publication) const {
    return reinterpret_cast<const Slot*>(begin_)[publication % num_slots];
  }
  [[nodiscard]] const Done& done(std::int64_t local_index) const {
    return reinterpret_cast<const Done*>(begin_ + num_slots * sizeof(Slot))[local_index];
  }

 private:
  const std::byte* begin_;
};

/// This rank's flags, which it may write.
class OwnFlags {
 public:
  OwnFlags() = default;
  OwnFlags(std::byte* begin, std::size_t num_local_ranks)
      : slots_(reinterpret_cast<Slot*>(begin)),
        done_(reinterpret_cast<Done*>(begin + num_slots * sizeof(Slot))) {
    std::uninitialized_value_construct_n(slots_, num_slots);
    std::uninitialized_value_construct_n(done_, num_local_ranks);
  }
  [[nodiscard]] Slot& slot(std::int64_t publication) const {
    return slots_[publication % num_slots];
  }
  [[nodiscard]] Done& done(std::int64_t local_index) const { return done_[local_index]; }

 private:
  Slot* slots_ = nullptr;
  Done* done_ = nullptr;
};

/// Another rank of the host, as its reader or its source.
struct Peer {
  int rank = 0;
  std::int64_t local_index = 0;
  Flags flags;
  std::span<const std::byte> segment;
  std::int64_t num_read = 0;  // publications of a source that were read here
};

std::int64_t local_index(const SharedMemory& memory, int rank) {
  const std::span<const int> ranks = memory.local_ranks();
  return std::ranges::find(ranks, rank) - ranks.begin();
}

}  // namespace

bool lies_in(std::span<const std::byte> segment, kernels::ConstMatrixView rows) {
  if (rows.num_rows == 0) return true;
  const auto begin = reinterpret_cast<std::uintptr_t>(segment.data());
  const auto first = reinterpret_cast<std::uintptr_t>(rows.data);
  const auto last =
      reinterpret_cast<std::uintptr_t>(rows.row_begin(rows.num_rows - 1) + rows.row_bytes());
  return begin <= first && last <= begin + segment.size();
}

struct SharedRows::State {
  Communicator::State* communicator = nullptr;
  std::span<const std::byte> segment;
  std::int64_t own_index = 0;
  OwnFlags flags;
  std::vector<Peer> readers;
  std::vector<Peer> sources;
  std::int64_t num_published = 0;
  double wait_seconds = 0;

  [[nodiscard]] Peer& source(int rank) {
    const auto found = std::ranges::find(sources, rank, &Peer::rank);
    WEFT_ASSERT(found != sources.end());
    return *found;
  }
  [[nodiscard]] std::int64_t offset_of(kernels::ConstMatrixView rows) const;
  template <typename Condition>
  void wait_for(const Condition& holds);
};

// Messages progress meanwhile: the rank that is waited for may wait for one of this rank's.
template <typename Condition>
void SharedRows::State::wait_for(const Condition& holds) {
  if (holds()) return;
  const Stopwatch watch;
  PoliteWait pause;
  while (!holds()) {
    poll(*communicator);
    pause.pause();
  }
  wait_seconds += watch.seconds();
}

std::int64_t SharedRows::State::offset_of(kernels::ConstMatrixView rows) const {
  if (rows.num_rows == 0 || readers.empty()) return 0;
  if (!lies_in(segment, rows)) {
    throw RuntimeError(text("shared rows: a matrix of ", rows.num_rows, " x ", rows.num_columns,
                            " lies outside the segment that other ranks read; let it use() the "
                            "shared memory"));
  }
  return reinterpret_cast<const std::byte*>(rows.data) - segment.data();
}

SharedRows::SharedRows(Communicator& communicator,
                       SharedMemory& memory,
                       std::span<const int> readers,
                       std::span<const int> sources)
    : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.communicator = &communicator.state();
  state.segment = memory.mine();
  state.own_index = local_index(memory, communicator.rank());
  std::int64_t offset = 0;
  agree_on_errors(communicator, [&] {
    if (!memory.is_on()) return;
    const auto num_local = memory.local_ranks().size();
    auto* begin = static_cast<std::byte*>(memory.allocate(room(std::ssize(memory.local_ranks()))));
    if (begin == nullptr) {
      throw RuntimeError(text("shared rows: a segment of ", format_bytes(std::ssize(state.segment)),
                              " has no room left for its flags; add SharedRows::room to its size"));
    }
    state.flags = OwnFlags(begin, num_local);
    offset = begin - state.segment.data();
  });
  const std::vector<std::int64_t> offsets = all_gather_of(communicator, offset);
  const auto peer_of = [&](int rank) {
    WEFT_ASSERT(memory.is_shared_with(rank));
    const std::span<const std::byte> segment = memory.of(rank);
    const std::byte* flags = segment.data() + offsets[static_cast<std::size_t>(rank)];
    return Peer{rank, local_index(memory, rank), Flags(flags), segment, 0};
  };
  std::ranges::transform(readers, std::back_inserter(state.readers), peer_of);
  std::ranges::transform(sources, std::back_inserter(state.sources), peer_of);
}

SharedRows::~SharedRows() = default;
SharedRows::SharedRows(SharedRows&&) noexcept = default;
SharedRows& SharedRows::operator=(SharedRows&&) noexcept = default;

std::int64_t SharedRows::room(std::int64_t num_local_ranks) {
  return SharedMemory::room_for(Flags::num_bytes(num_local_ranks));
}

double SharedRows::wait_seconds() const {
  return state_->wait_seconds;
}

std::int64_t SharedRows::publish(kernels::ConstMatrixView rows, std::int64_t form) {
  State& state = *state_;
  const std::int64_t offset = state.offset_of(rows);
  const std::int64_t number = ++state.num_published;
  if (state.readers.empty()) return number;
  wait_until_read(number - num_slots);
  Slot& slot = state.flags.slot(number);
  slot.offset_bytes = offset;
  slot.num_rows = rows.num_rows;
  slot.num_columns = rows.num_columns;
  slot.stride = rows.stride;
  slot.storage = rows.storage;
  slot.form = form;
  slot.number.store(number, std::memory_order_release);
  return number;
}

void SharedRows::wait_until_read(std::int64_t publication) {
  State& state = *state_;
  for (const Peer& reader : state.readers) {
    const Publication& done = reader.flags.done(state.own_index).number;
    state.wait_for([&] { return done.load(std::memory_order_acquire) >= publication; });
  }
}

void SharedRows::wait_until_read() {
  wait_until_read(state_->num_published);
}

// The slot cannot hold a later publication: that one waits for this reader.
PublishedRows SharedRows::read(int source_rank) {
  State& state = *state_;
  Peer& source = state.source(source_rank);
  const std::int64_t number = ++source.num_read;
  const Slot& slot = source.flags.slot(number);
  state.wait_for([&] { return slot.number.load(std::memory_order_acquire) == number; });
  const auto* data = reinterpret_cast<const Real*>(source.segment.data() + slot.offset_bytes);
  return {{data, slot.num_rows, slot.num_columns, slot.stride, slot.storage}, slot.form};
}

void SharedRows::done(int source_rank) {
  State& state = *state_;
  const Peer& source = state.source(source_rank);
  state.flags.done(source.local_index).number.store(source.num_read, std::memory_order_release);
}

}  // namespace weft::comm
