// SPDX-License-Identifier: MIT
// Moves rows between ranks that share a border, there and back. What a row means, a vertex of the
// sender or a partial sum for one of the receiver, is the caller's: the rows of a message are
// called slots.
//
//   exchange.begin({dim}, counts, fill);                // fill packs the send slots of a peer
//   ... work that needs nobody ...                      // MPI progresses by ctx.poll()
//   ConstMatrixView rows = exchange.finish();           // [num_halo x dim], received in place
//
//   MatrixView owed = exchange.reverse_buffer({dim});   // to be written, [num_halo x dim]
//   exchange.begin_reverse(counts);                     // they go back
//   ConstMatrixView back = exchange.finish_reverse();   // [num_send x dim]
//
// Peers of this host get no messages where memory is shared with them. Slots that copy rows of a
// matrix in shared memory are read in that matrix (`begin_in_place`), others are packed into shared
// memory and read there, without a copy by those who ask for `finish_in_place`.
//
// Receives are posted before sends, sources and tags are exact, sizes follow from the slots; empty
// and unequal borders are ordinary. Messages go out in pieces of about 1 MiB, whole rows, as they
// are packed, so that the first travel while the rest is made; a smaller limit splits them further.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/shared_memory.hpp"
#include "comm/timeline.hpp"
#include "kernels/context.hpp"
#include "kernels/matrix.hpp"
#include "partition/part.hpp"

namespace weft::comm {

/// One piece of a message, in bytes from its begin.
struct MessagePiece {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// Cuts `total_bytes` into pieces of at most `limit_bytes`, in order; none for 0 bytes.
[[nodiscard]] std::vector<MessagePiece> split_message(std::int64_t total_bytes,
                                                      std::int64_t limit_bytes);

/// The widest rows that are packed into shared memory, there and back, in bytes; wider ones are
/// sent as messages to all peers.
struct SharedRowBytes {
  std::int64_t forward = 0;
  std::int64_t reverse = 0;
};

struct HaloOptions {
  std::int64_t message_limit_bytes = std::int64_t{1} << 30;
  /// Peers of this host read slots in place; null or off: all are sent messages. It must outlive
  /// the exchange and have SlotExchange::shared_room. Null on all ranks or on none.
  SharedMemory* shared = nullptr;
  SharedRowBytes row_bytes = {};  ///< the same on all ranks
  /// [send slots] the row of its source that a slot copies, no_copied_row if it copies none; empty:
  /// none does. Borrowed by the constructor.
  std::span<const LocalId> copied_rows = {};
  Timeline* timeline = nullptr;  ///< gets sends, exchanges and waits; must outlive the exchange
};

/// Bytes and time since the last `reset_traffic`, of this rank.
struct HaloTraffic {
  std::int64_t bytes_sent = 0;
  std::int64_t messages_sent = 0;
  std::int64_t bytes_in_place = 0;  ///< of slots that peers of this host read without a message
  double wait_seconds = 0;          ///< spent in finish() with nothing else to do
  double exchange_seconds = 0;      ///< from the begin of exchanges until they were complete
  double exposed_seconds = 0;       ///< of those, spent in finish()
};

/// What the rows of an exchange are made of.
struct RowFormat {
  std::int64_t dim = 0;
  kernels::Storage storage = kernels::Storage::real;
};

/// How many slots of each peer an exchange moves: the first ones of its range.
///
/// Shapes   halo, send [peers], in the order of the peers
struct SlotCounts {
  std::vector<LocalId> halo;
  std::vector<std::int64_t> send;
};

/// Slots that arrived: the rows of a matrix, or, where some lie in the memory of other ranks,
/// pointers to all.
struct SlotRows {
  kernels::ConstMatrixView matrix;
  kernels::RowPointers pointers;
  bool are_pointers = false;
};

/// Borrows a callable `void(begin, end, packed)` that writes the rows begin .. end-1 of `packed`
/// [num_send x dim].
class SlotFill {
 public:
  template <typename F>
  SlotFill(const F& function)  // NOLINT(google-explicit-constructor): made at call sites
      : object_(&function),
        call_([](const void* object,
                 std::int64_t begin,
                 std::int64_t end,
                 kernels::MatrixView packed) {
          (*static_cast<const F*>(object))(begin, end, packed);
        }) {}
  void operator()(std::int64_t begin, std::int64_t end, kernels::MatrixView packed) const {
    call_(object_, begin, end, packed);
  }

 private:
  const void* object_;
  void (*call_)(const void*, std::int64_t, std::int64_t, kernels::MatrixView);
};

class SlotExchange {
 public:
  /// `peers` rise by part; their ranges follow one another (an empty one may begin anywhere). That
  /// the ranks' ranges fit is the caller's to prove (`check_plans`, `exchange_lists`).
  /// Errors   InputError if the message limit is out of its bounds; RuntimeError on all ranks if
  ///          shared memory has no room
  /// Collective where memory is shared
  SlotExchange(Communicator& communicator,
               std::vector<partition::HaloPeer> peers,
               HaloOptions options = {});
  /// Bytes of this rank's shared memory that an exchange with `peers` takes.
  [[nodiscard]] static std::int64_t shared_room(std::span<const partition::HaloPeer> peers,
                                                const SharedRowBytes& row_bytes,
                                                int num_local_ranks);
  ~SlotExchange();
  SlotExchange(SlotExchange&&) noexcept;
  SlotExchange& operator=(SlotExchange&&) noexcept;

  [[nodiscard]] std::span<const partition::HaloPeer> peers() const;
  [[nodiscard]] LocalId num_halo() const;
  [[nodiscard]] std::int64_t num_send() const;
  /// All slots of all peers.
  [[nodiscard]] const SlotCounts& all_slots() const;

  /// Packs and sends the rows that others read, a peer after the other, a piece after the other:
  /// the slots of a peer rise, and each is asked of `fill` once. What `fill` reads may be changed
  /// once this returns. One exchange is in flight at a time.
  void begin(const RowFormat& format, const SlotCounts& counts, SlotFill fill);
  /// The same for slots of `x`, which lies in shared memory where that is on: peers of this host
  /// read its rows, and `fill` packs for the others. It may be written to after `wait_until_read`.
  /// Where some slots of the host are no copies, as `begin`. All ranks call this, or none.
  void begin_in_place(kernels::ConstMatrixView x, const SlotCounts& counts, SlotFill fill);
  /// Whether begin_in_place lets peers read x, all of whose rows must be there then.
  [[nodiscard]] bool lends_rows() const;
  /// Waits until no peer of this host reads in this rank's matrices.
  void wait_until_read();
  /// Waits; returns [num_halo x dim], valid until the next begin. Rows beyond the counts are
  /// undefined.
  [[nodiscard]] kernels::ConstMatrixView finish();
  /// The same without copying what lies in shared memory. Valid until `release`, or the next begin
  /// or reverse_buffer.
  [[nodiscard]] SlotRows finish_in_place();
  /// What was read in place, in either direction, may be written again by its owners: they wait for
  /// it sooner or later.
  void release();

  /// Where the rows that go back are to be written, [num_halo x dim]; valid until finish_reverse.
  [[nodiscard]] kernels::MatrixView reverse_buffer(const RowFormat& format);
  /// Starts sending the rows of reverse_buffer to where their slots came from.
  void begin_reverse(const SlotCounts& counts);
  /// The same for rows that `fill` writes, a piece after the other, each right before it is sent.
  void begin_reverse(const SlotCounts& counts, SlotFill fill);
  /// Waits; returns [num_send x dim], valid until the next begin. Rows beyond the counts are
  /// undefined.
  [[nodiscard]] kernels::ConstMatrixView finish_reverse();
  [[nodiscard]] SlotRows finish_reverse_in_place();

  [[nodiscard]] HaloTraffic traffic() const;
  void reset_traffic();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weft::comm
