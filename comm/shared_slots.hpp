// SPDX-License-Identifier: MIT
// One direction of a slot exchange with the peers of this host: the writer has its slots in its own
// segment, and the reader reads them there. What SlotExchange does in place of messages; its own,
// and no other folder's.
//
// Two matrices alternate, so that a rank that is ahead writes the next slots while others still
// read the last ones; it waits for readers, never for a barrier.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/shared_memory.hpp"
#include "comm/shared_rows.hpp"
#include "kernels/matrix.hpp"

namespace weft::comm {

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
  /// Ranges rise by part; what one rank writes for another, that one reads. Rows take up to
  /// `max_row_bytes`. `memory` must outlive this and have `room`.
  /// Shapes   num_rows: written for all peers, those of other hosts included
  /// Errors   RuntimeError on all ranks where a segment has no room
  /// Collective
  SharedSlots(Communicator& communicator,
              SharedMemory& memory,
              std::vector<SharedRange> ranges,
              std::int64_t num_rows,
              std::int64_t max_row_bytes);

  /// Bytes of a segment that it takes where a host has `num_local_ranks` ranks.
  [[nodiscard]] static std::int64_t room(std::int64_t num_rows,
                                         std::int64_t max_row_bytes,
                                         std::int64_t num_local_ranks);

  /// Where the next slots are to be written, [num_rows x dim]; waits until nobody reads there.
  [[nodiscard]] kernels::MatrixView next(std::int64_t dim, kernels::Storage storage);
  /// Lets the peers read them.
  void publish();

  /// Waits for each peer's slots; pointers[s] = slot s, for the slots that are read here. They may
  /// be read until `release`.
  ///
  /// Shapes   pointers [all slots that this rank reads, of all peers]
  void read(std::span<const Real*> pointers);
  /// Lets the peers write again. Does no harm where nothing was read.
  void release();

  [[nodiscard]] double wait_seconds() const { return rows_.wait_seconds(); }

 private:
  void tell_ranges(Communicator& communicator);
  [[nodiscard]] kernels::Matrix& buffer() { return buffers_[num_published_ % 2]; }

  std::vector<SharedRange> ranges_;
  std::vector<std::int64_t> begins_;  ///< of each range: where the peer writes what is read here
  std::int64_t num_rows_;
  SharedRows rows_;
  kernels::Matrix buffers_[2];
  std::int64_t num_published_ = 0;
};

}  // namespace weft::comm
