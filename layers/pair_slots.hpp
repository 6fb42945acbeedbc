// SPDX-License-Identifier: MIT
// The slots of one ordered pair of parts, as the reader chooses them; for border.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/support/types.hpp"
#include "layers/reach.hpp"

namespace weft::layers {

/// An arc from a halo row into an owned row.
struct BorderArc {
  LocalId destination;
  LocalId source;  ///< halo row, counted from the peer's first
  Real value;
};

/// One row of a message, as the reader wants it.
struct Slot {
  std::int32_t distance;
  bool is_sum;
  LocalId row;  ///< source, or place among the destinations of the pair
};

/// What the owner is told, as bytes: the number of slots (int64), a notice a slot, then the entries
/// of all slots in order.
struct SlotNotice {
  std::int32_t distance;
  std::int32_t num_entries;
};
struct EntryNotice {
  std::int32_t source;  ///< place among the rows that the owner sends to this reader
  Real value;
};

/// An entry of the halo matrix.
struct HaloEntry {
  LocalId row;
  LocalId slot;
  Real value;
};

class PairSlots {
 public:
  /// Shapes   arcs by (destination, source); sources in 0..num_sources-1
  /// Cost     O(arcs * sqrt(rows)) time where sums are allowed, else O(arcs)
  PairSlots(std::vector<BorderArc> arcs, LocalId num_sources, const Reach& reach, bool may_sum);

  /// The nearest to the loss first.
  [[nodiscard]] const std::vector<Slot>& slots() const { return slots_; }
  /// What the owner has to know.
  [[nodiscard]] std::vector<std::byte> notice() const;
  /// Adds the pair's entries of the halo matrix; its slots begin at `first_slot`.
  void append_entries(LocalId first_slot, std::vector<HaloEntry>& entries) const;

 private:
  void group_by_destination();
  void choose(bool may_sum);
  void make_slots(const Reach& reach);
  void index_slots();
  [[nodiscard]] std::size_t num_destinations() const { return row_ptr_.size() - 1; }
  [[nodiscard]] std::span<const BorderArc> arcs_of(std::size_t destination) const;
  [[nodiscard]] bool has_source(const BorderArc& arc) const;
  [[nodiscard]] std::vector<std::vector<EntryNotice>> entries_by_slot() const;

  std::vector<BorderArc> arcs_;
  LocalId num_sources_;
  std::vector<EdgeOffset> row_ptr_;       ///< first arc of each destination of the pair
  std::vector<std::uint8_t> has_source_;  ///< whose rows travel
  std::vector<Slot> slots_;
  std::vector<LocalId> slot_of_source_;  ///< -1: does not travel
  std::vector<LocalId> slot_of_sum_;     ///< [destinations] -1: needs no sum
};

}  // namespace weft::layers
