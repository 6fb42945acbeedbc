// SPDX-License-Identifier: MIT
// Rows that other ranks of the host read where they lie, again and again.
//
//   owner                                      reader
//   g = rows.publish(x);                       x = rows.read(owner);   // waits for it
//   ...                                        ... reads x ...
//   rows.wait_until_read(g)                    rows.done(owner)
//   ... writes to x again ...
//
// Publications are counted: the n-th `read` of an owner gives its n-th publication, and every
// reader reads every one. A writer waits for its readers, never for a barrier.
//
// Invariant: each rank writes to flags of its own segment only, each on a cache line of its own:
// the owner's say what is published, the reader's what it is done with.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "comm/communicator.hpp"
#include "comm/shared_memory.hpp"
#include "kernels/matrix.hpp"

namespace weft::comm {

/// Rows where their owner has them, and what it said of them.
struct PublishedRows {
  kernels::ConstMatrixView rows;
  std::int64_t form = 0;
};

/// Whether all of `rows` lie in the segment.
[[nodiscard]] bool lies_in(std::span<const std::byte> segment, kernels::ConstMatrixView rows);

class SharedRows {
 public:
  /// `readers` read what this rank publishes, and this rank reads what `sources` publish: ranks
  /// that `memory` is shared with, rising; q is a source of p where p is a reader of q. The flags
  /// take `room` of `memory`, which must outlive this. Collective; errors: RuntimeError on all
  /// ranks if a segment has no room for its flags.
  SharedRows(Communicator& communicator,
             SharedMemory& memory,
             std::span<const int> readers,
             std::span<const int> sources);
  ~SharedRows();
  SharedRows(SharedRows&&) noexcept;
  SharedRows& operator=(SharedRows&&) noexcept;

  /// Bytes of a segment that the flags take where a host has `num_local_ranks` ranks.
  [[nodiscard]] static std::int64_t room(std::int64_t num_local_ranks);

  /// Lets the readers read `rows`, which lie in this rank's segment and stay as they are until
  /// wait_until_read. Returns the number of the publication, from 1 on. Two may be unread at a
  /// time: waits until the one before the last is read. Copies nothing. `form` is told to them.
  /// Errors   RuntimeError if rows that somebody reads lie elsewhere
  std::int64_t publish(kernels::ConstMatrixView rows, std::int64_t form = 0);
  /// Waits until every reader is done with that publication and all before it.
  void wait_until_read(std::int64_t publication);
  /// The same for all publications.
  void wait_until_read();

  /// Waits for the next publication of `source`; it may be read until `done`.
  [[nodiscard]] PublishedRows read(int source);
  void done(int source);

  /// Seconds spent waiting, by this rank.
  [[nodiscard]] double wait_seconds() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weft::comm
