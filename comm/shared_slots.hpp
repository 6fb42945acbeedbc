// SPDX-License-Identifier: MIT
// One direction of a slot exchange with the peers of this host: the writer has its slots in its own
// segment, and the reader reads them there. What SlotExchange does in place of messages; its own,
// and no other folder's.
//
// Slots that copy rows of a matrix in the segment are read in that matrix, and nothing is copied.
// Others are packed: two matrices alternate, so that a rank that is ahead writes the next slots
// while others still read the last ones. It waits for readers, never for a barrier.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/shared_memory.hpp"
#include "comm/shared_rows.hpp"
#include "kernels/matrix.hpp"

namespace weft::comm {

/// Of a slot that is no copy of one row.
inline constexpr LocalId no_copied_row = -1;

/// The slots that this rank writes for a part of this host, and those of the part that it reads.
struct SharedRange {
  int part = 0;
  std::int64_t write_begin = 0;
  std::int64_t write_end = 0;
  std::int64_t read_begin = 0;
  std::int64_t read_end = 0;
};

class SharedSlots {
 public:
  /// Ranges rise by part; what one rank writes for another, that one reads. Packed rows take up to
  /// `max_row_bytes`. `memory` must outlive this and have `room`.
  /// Shapes   num_rows: written for all peers, those of other hosts included; copied_rows
  ///          [num_rows]: the row that a slot copies, no_copied_row if it copies none; or empty
  /// Errors   RuntimeError on all ranks where a segment has no room
  /// Collective
  SharedSlots(Communicator& communicator,
              SharedMemory& memory,
              std::vector<SharedRange> ranges,
              std::int64_t num_rows,
              std::int64_t max_row_bytes,
              std::span<const LocalId> copied_rows = {});

  /// Bytes of a segment that it takes where a host has `num_local_ranks` ranks.
  [[nodiscard]] static std::int64_t room(std::int64_t num_rows,
                                         std::int64_t max_row_bytes,
                                         std::int64_t num_local_ranks);

  /// Whether all slots for peers of the host copy rows; the same on all ranks.
  [[nodiscard]] bool are_copies() const { return are_copies_; }
  /// Lets the peers read their rows of `x`, which lies in the segment, until `wait_until_read`.
  void publish_rows(kernels::ConstMatrixView x);
  void wait_until_read() { rows_.wait_until_read(); }

  /// Where the next slots are to be packed, [num_rows x dim]; waits until nobody reads there.
  [[nodiscard]] kernels::MatrixView next(std::int64_t dim, kernels::Storage storage);
  /// Lets the peers read what was packed.
  void publish_packed();

  /// Waits for each peer's slots; pointers[s] = slot s, for the slots that are read here. They may
  /// be read until `release`.
  ///
  /// Shapes   pointers [all slots that this rank reads, of all peers]
  void read(std::span<const Real*> pointers);
  /// Lets the peers write again. Does no harm where nothing was read.
  void release();

  [[nodiscard]] double wait_seconds() const { return rows_.wait_seconds(); }

 private:
  /// A matrix of packed slots, and when it was last published.
  struct Packed {
    kernels::Matrix rows;
    std::int64_t publication = 0;
  };

  void tell_ranges(Communicator& communicator, std::span<const LocalId> copied_rows);
  [[nodiscard]] Packed& packed() { return packed_[num_packed_ % 2]; }

  std::vector<SharedRange> ranges_;
  std::vector<std::int64_t> begins_;  ///< of each range: where the peer writes what is read here
  std::vector<std::vector<LocalId>> sources_;  ///< of each range: the peer's rows, where they are
                                               ///< copies
  bool are_copies_ = false;
  std::int64_t num_rows_;
  SharedRows rows_;
  Packed packed_[2];
  std::int64_t num_packed_ = 0;
};

}  // namespace weft::comm
