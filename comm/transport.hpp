// SPDX-License-Identifier: MIT
// What the files of this folder share: point-to-point messages that any thread may progress,
// waiting that never spins, and messages cut below MPI's 2^31 limit. No other folder includes it.
//
// Invariant: every MPI call of the process runs under one lock, so MPI_THREAD_SERIALIZED is enough
// and a worker thread's poll never waits for it.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <type_traits>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/ordered_sums.hpp"

namespace weft::comm {

/// Largest message that is handed to MPI in one call.
inline constexpr std::int64_t max_message_bytes = std::int64_t{1} << 30;

/// Tags stay within 0..32767, the range that every MPI library has. A tag names a purpose; the
/// order of messages between two ranks does the rest.
enum class Tag : int {
  halo = 0,          ///< and 1: parity of the exchange
  halo_reverse = 2,  ///< and 3
  gather = 4,
  sum = 5,
  list = 6,
  shared_slots = 7,
  sum_back = 8,
  background_sum = 9,
  background_sum_back = 10,
};

/// Calls piece(begin, end) for each piece of at most `limit_bytes`, in order.
template <typename Piece>
void for_each_piece(std::int64_t total_bytes, std::int64_t limit_bytes, const Piece& piece) {
  for (std::int64_t begin = 0; begin < total_bytes; begin += limit_bytes) {
    piece(begin, std::min(total_bytes, begin + limit_bytes));
  }
}

/// Pauses of a waiting loop: 200 yields, then sleeps that grow to 200 us. A rank that waits leaves
/// its core to ranks that compute.
class PoliteWait {
 public:
  void pause();

 private:
  int num_pauses_ = 0;
};

/// Messages under way. Posted by one thread; progressed by `test`, `wait` and, from any thread, by
/// Communicator::poll. Memory of a message must live until `wait` returns.
class RequestSet {
 public:
  explicit RequestSet(Communicator& communicator);
  /// For those who keep no Communicator.
  explicit RequestSet(Communicator::State& communicator);
  ~RequestSet();
  RequestSet(const RequestSet&) = delete;
  RequestSet& operator=(const RequestSet&) = delete;

  /// Posts messages of `bytes`, cut into pieces of at most `limit_bytes`; none for no bytes.
  /// Returns the number of pieces.
  int receive(std::span<std::byte> bytes,
              int source,
              int tag,
              std::int64_t limit_bytes = max_message_bytes);
  int send(std::span<const std::byte> bytes,
           int destination,
           int tag,
           std::int64_t limit_bytes = max_message_bytes);

  /// Starts what Communicator::all_gather does: one message of the set. Collective.
  void all_gather(std::span<const std::byte> mine, std::span<std::byte> all);
  /// Room for messages, so that posting so many allocates nothing.
  void reserve(std::int64_t num_messages);

  /// True once all are complete.
  bool test();
  /// The same without looking for progress; from any thread.
  [[nodiscard]] bool is_complete() const;
  /// Errors   RuntimeError if a message that is complete has failed
  void check();
  /// Waits politely until all are complete; returns the seconds that it took.
  /// Errors   RuntimeError if MPI reports one or a message has another size than expected
  double wait();
  /// When the last of the messages that were under way was complete.
  [[nodiscard]] std::chrono::steady_clock::time_point completed_at() const;

  struct State;

 private:
  std::unique_ptr<State> state_;
};

/// Communicator::poll, for those who keep no Communicator, which may be moved.
void poll(Communicator::State& communicator);

/// Sends to_each[p] to rank p; returns what each rank sent here. Collective.
///
/// Shapes   to_each [size], returns [size]
[[nodiscard]] std::vector<std::int64_t> all_to_all(Communicator& communicator,
                                                   std::span<const std::int64_t> to_each);

/// Every rank's `mine`, by rank, on every rank. Collective.
template <typename T>
[[nodiscard]] std::vector<T> all_gather_of(Communicator& communicator, const T& mine) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> all(static_cast<std::size_t>(communicator.size()));
  communicator.all_gather(std::as_bytes(std::span(&mine, 1)),
                          std::as_writable_bytes(std::span(all)));
  return all;
}

/// The sums of a communicator that poll carries on.
struct SumRegistry {
  std::mutex mutex;  ///< taken before the lock of MPI, never after it
  std::vector<OrderedSums::State*> members;
  std::atomic<int> num_in_flight = 0;  ///< lets poll leave without the lock
};

[[nodiscard]] SumRegistry& sum_registry(Communicator::State& communicator);

/// Takes the next step of sums whose messages have arrived, unless another thread does; never
/// throws.
void advance_sums(SumRegistry& registry);

/// What all_reduce_sum is made of, kept between calls.
[[nodiscard]] OrderedSums& blocking_sums(Communicator& communicator);

}  // namespace weft::comm
