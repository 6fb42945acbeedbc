// SPDX-License-Identifier: MIT
// What the files of this folder share: point-to-point messages that any thread may progress,
// waiting that never spins, and messages cut below MPI's 2^31 limit. No other folder includes it.
//
// Invariant: every MPI call of the process runs under one lock, so MPI_THREAD_SERIALIZED is enough
// and a worker thread's poll never waits for it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "comm/communicator.hpp"

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

  /// True once all are complete.
  bool test();
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

/// Every rank's `mine`, by rank, on every rank; the same length everywhere. Collective.
///
/// Shapes   mine [n bytes], all [size * n bytes]; size * n < 2^31
void all_gather_bytes(Communicator& communicator,
                      std::span<const std::byte> mine,
                      std::span<std::byte> all);

/// Every rank's `mine`, by rank, on every rank. Collective.
template <typename T>
[[nodiscard]] std::vector<T> all_gather_of(Communicator& communicator, const T& mine) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> all(static_cast<std::size_t>(communicator.size()));
  all_gather_bytes(communicator, std::as_bytes(std::span(&mine, 1)),
                   std::as_writable_bytes(std::span(all)));
  return all;
}

/// Scratch of the sums, kept between calls; at least `num_bytes`.
[[nodiscard]] std::span<std::byte> sum_scratch(Communicator& communicator, std::size_t num_bytes);

}  // namespace weft::comm
