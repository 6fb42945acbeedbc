// SPDX-License-Identifier: MIT
// The reader chooses, from its own rows; the owner is told once, as a list of entries a slot.
#include "layers/border.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>
#include <utility>

#include "comm/exchange_lists.hpp"
#include "comm/shared_slots.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "layers/pair_slots.hpp"

namespace weft::layers {

namespace {

using kernels::SparseMatrix;
using partition::HaloPeer;

/// The arcs of all peers, by (peer, destination, source): one walk over the halo matrix.
std::vector<std::vector<BorderArc>> arcs_by_peer(const partition::Part& part,
                                                 const SparseMatrix& halo) {
  std::vector<std::int32_t> peer_of(static_cast<std::size_t>(part.num_halo()));
  for (std::size_t i = 0; i < part.plan.peers.size(); ++i) {
    const HaloPeer& peer = part.plan.peers[i];
    std::fill(peer_of.begin() + peer.halo_begin, peer_of.begin() + peer.halo_end,
              static_cast<std::int32_t>(i));
  }
  std::vector<std::vector<BorderArc>> arcs(part.plan.peers.size());
  for (std::int64_t row = 0; row < halo.num_rows; ++row) {
    for (EdgeOffset e = halo.row_ptr[static_cast<std::size_t>(row)];
         e < halo.row_ptr[static_cast<std::size_t>(row) + 1]; ++e) {
      const LocalId h = halo.col_idx[static_cast<std::size_t>(e)];
      const auto peer = static_cast<std::size_t>(peer_of[static_cast<std::size_t>(h)]);
      arcs[peer].push_back({static_cast<LocalId>(row), h - part.plan.peers[peer].halo_begin,
                            halo.values[static_cast<std::size_t>(e)]});
    }
  }
  return arcs;
}

[[noreturn]] void refuse_list(const partition::Part& part,
                              const HaloPeer& peer,
                              const char* found) {
  throw InputError(text("halo plan of part ", part.part, ": part ", peer.part,
                        " sent a list of wanted rows ", found,
                        ", expected the entries that it announces; check that all ranks run the "
                        "same build"));
}

/// Reads the values of one part's list.
class ByteReader {
 public:
  ByteReader(const partition::Part& part, const HaloPeer& peer, std::span<const std::byte> bytes)
      : part_(part), peer_(peer), bytes_(bytes) {}

  template <typename T>
  [[nodiscard]] T next() {
    if (bytes_.size() < sizeof(T)) refuse_list(part_, peer_, "that ends early");
    T value;
    std::memcpy(&value, bytes_.data(), sizeof(T));
    bytes_ = bytes_.subspan(sizeof(T));
    return value;
  }

  /// Every byte must have had a meaning.
  void finish() const {
    if (!bytes_.empty()) refuse_list(part_, peer_, "that goes on after its end");
  }

 private:
  const partition::Part& part_;
  const HaloPeer& peer_;
  std::span<const std::byte> bytes_;
};

/// Appends an entry of the slot that is being made.
void append_entry(const partition::Part& part,
                  const HaloPeer& peer,
                  const EntryNotice& entry,
                  SparseMatrix& send) {
  const std::int64_t num_rows = peer.send_end - peer.send_begin;
  if (entry.source < 0 || entry.source >= num_rows) {
    throw InputError(text("halo plan of part ", part.part, ": part ", peer.part, " asks for row ",
                          entry.source, ", expected 0..", num_rows - 1,
                          "; the parts are of different partitions: partition again"));
  }
  send.col_idx.push_back(
      part.plan.send_rows[static_cast<std::size_t>(peer.send_begin + entry.source)]);
  send.values.push_back(entry.value);
}

/// The row that the last slot of `send` copies.
LocalId copied_row(const SparseMatrix& send) {
  const EdgeOffset begin = send.row_ptr[send.row_ptr.size() - 2];
  const bool is_copy = send.row_ptr.back() - begin == 1 && send.values.back() == Real{1};
  return is_copy ? send.col_idx.back() : comm::no_copied_row;
}

/// Appends the slots that a reader asks for to the send matrix.
void append_send_slots(const partition::Part& part,
                       const HaloPeer& peer,
                       std::span<const std::byte> notice,
                       Border& border) {
  if (notice.empty()) return;
  ByteReader reader(part, peer, notice);
  const auto num_slots = reader.next<std::int64_t>();
  std::vector<SlotNotice> slots;
  for (std::int64_t s = 0; s < num_slots; ++s)
    slots.push_back(reader.next<SlotNotice>());
  for (const SlotNotice& slot : slots) {
    for (std::int32_t i = 0; i < slot.num_entries; ++i)
      append_entry(part, peer, reader.next<EntryNotice>(), border.send);
    border.send.row_ptr.push_back(static_cast<EdgeOffset>(border.send.col_idx.size()));
    border.send_distance.push_back(slot.distance);
    border.copied_rows.push_back(copied_row(border.send));
  }
  reader.finish();
}

SparseMatrix halo_matrix(std::vector<HaloEntry> entries, LocalId num_rows, LocalId num_slots) {
  std::ranges::sort(entries, {},
                    [](const HaloEntry& entry) { return std::pair(entry.row, entry.slot); });
  SparseMatrix matrix;
  matrix.num_rows = num_rows;
  matrix.num_columns = num_slots;
  matrix.row_ptr.assign(static_cast<std::size_t>(num_rows) + 1, 0);
  matrix.col_idx.reserve(entries.size());
  matrix.values.reserve(entries.size());
  for (const HaloEntry& entry : entries) {
    matrix.col_idx.push_back(entry.slot);
    matrix.values.push_back(entry.value);
    ++matrix.row_ptr[static_cast<std::size_t>(entry.row) + 1];
  }
  std::partial_sum(matrix.row_ptr.begin(), matrix.row_ptr.end(), matrix.row_ptr.begin());
  return matrix;
}

/// Chooses what this part reads; returns what each rank has to be told.
std::vector<std::vector<std::byte>> choose_halo_slots(const partition::Part& part,
                                                      const Aggregation& aggregation,
                                                      const Reach& reach,
                                                      BorderOptions options,
                                                      Border& border) {
  std::vector<std::vector<BorderArc>> arcs = arcs_by_peer(part, aggregation.halo);
  std::vector<std::vector<std::byte>> notices(static_cast<std::size_t>(part.info.num_parts));
  std::vector<HaloEntry> entries;
  for (std::size_t i = 0; i < part.plan.peers.size(); ++i) {
    HaloPeer& peer = border.peers[i];
    const LocalId num_sources = peer.halo_end - peer.halo_begin;
    peer.halo_begin = static_cast<LocalId>(border.halo_distance.size());
    if (num_sources > 0) {
      const bool may_sum =
          options.partial_sums && !std::ranges::binary_search(options.rows_of, peer.part);
      const PairSlots pair(std::move(arcs[i]), num_sources, reach, may_sum);
      for (const Slot& slot : pair.slots())
        border.halo_distance.push_back(slot.distance);
      pair.append_entries(peer.halo_begin, entries);
      notices[static_cast<std::size_t>(peer.part)] = pair.notice();
    }
    peer.halo_end = static_cast<LocalId>(border.halo_distance.size());
  }
  border.halo = halo_matrix(std::move(entries), part.num_owned(),
                            static_cast<LocalId>(border.halo_distance.size()));
  return notices;
}

}  // namespace

Border build_border(comm::Communicator& communicator,
                    const partition::Part& part,
                    const Aggregation& aggregation,
                    const Reach& reach,
                    BorderOptions options) {
  Border border;
  border.peers = part.plan.peers;
  border.num_halo_rows = part.num_halo();
  std::vector<std::vector<std::byte>> notices =
      choose_halo_slots(part, aggregation, reach, options, border);
  notices.resize(static_cast<std::size_t>(communicator.size()));
  const std::vector<std::vector<std::byte>> asked = comm::exchange_lists(communicator, notices);
  comm::agree_on_errors(communicator, [&] {
    for (HaloPeer& peer : border.peers) {
      const HaloPeer rows = peer;
      peer.send_begin = std::ssize(border.send_distance);
      append_send_slots(part, rows, asked[static_cast<std::size_t>(peer.part)], border);
      peer.send_end = std::ssize(border.send_distance);
    }
  });
  border.send.num_rows = std::ssize(border.send_distance);
  border.send.num_columns = part.num_owned();
  border.halo_transposed = kernels::transpose(border.halo.view());
  border.send_transposed = kernels::transpose(border.send.view());
  return border;
}

}  // namespace weft::layers
