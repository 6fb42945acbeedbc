// SPDX-License-Identifier: MIT
// A smallest cover decides what travels; slots are then ordered by distance from the loss.
#include "layers/pair_slots.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <tuple>
#include <utility>

#include "partition/vertex_cover.hpp"

namespace weft::layers {

namespace {

/// A cover that saves less is not worth the sums that the owner adds.
constexpr double least_saving = 0.1;

std::int32_t distance_of(const Reach& reach, LocalId row) {
  return reach.is_pruned() ? reach.distance[static_cast<std::size_t>(row)] : 0;
}

/// Writes values one after the other into bytes of a known length.
class ByteWriter {
 public:
  explicit ByteWriter(std::size_t num_bytes) : bytes_(num_bytes) {}

  template <typename T>
  void append(const T& value) {
    std::memcpy(bytes_.data() + end_, &value, sizeof(T));
    end_ += sizeof(T);
  }
  [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
  std::size_t end_ = 0;
};

}  // namespace

PairSlots::PairSlots(std::vector<BorderArc> arcs,
                     LocalId num_sources,
                     const Reach& reach,
                     bool may_sum)
    : arcs_(std::move(arcs)), num_sources_(num_sources) {
  group_by_destination();
  choose(may_sum);
  make_slots(reach);
  index_slots();
}

void PairSlots::group_by_destination() {
  row_ptr_.push_back(0);
  for (std::size_t i = 1; i <= arcs_.size(); ++i) {
    if (i == arcs_.size() || arcs_[i].destination != arcs_[i - 1].destination) {
      row_ptr_.push_back(static_cast<EdgeOffset>(i));
    }
  }
}

std::span<const BorderArc> PairSlots::arcs_of(std::size_t destination) const {
  return std::span(arcs_).subspan(
      static_cast<std::size_t>(row_ptr_[destination]),
      static_cast<std::size_t>(row_ptr_[destination + 1] - row_ptr_[destination]));
}

bool PairSlots::has_source(const BorderArc& arc) const {
  return has_source_[static_cast<std::size_t>(arc.source)] != 0;
}

void PairSlots::choose(bool may_sum) {
  has_source_.assign(static_cast<std::size_t>(num_sources_), 1);
  if (!may_sum) return;
  std::vector<std::int32_t> sources;
  sources.reserve(arcs_.size());
  for (const BorderArc& arc : arcs_)
    sources.push_back(arc.source);
  partition::VertexCover cover = partition::minimum_vertex_cover({num_sources_, row_ptr_, sources});
  if (static_cast<double>(cover.size()) <= (1 - least_saving) * num_sources_) {
    has_source_ = std::move(cover.has_source);
  }
}

void PairSlots::make_slots(const Reach& reach) {
  constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();
  std::vector<std::int32_t> nearest(static_cast<std::size_t>(num_sources_), none);
  for (std::size_t d = 0; d < num_destinations(); ++d) {
    const std::int32_t distance = distance_of(reach, arcs_of(d).front().destination) + 1;
    bool needs_sum = false;
    for (const BorderArc& arc : arcs_of(d)) {
      std::int32_t& least = nearest[static_cast<std::size_t>(arc.source)];
      if (has_source(arc)) least = std::min(least, distance);
      needs_sum = needs_sum || !has_source(arc);
    }
    if (needs_sum) slots_.push_back({distance, true, static_cast<LocalId>(d)});
  }
  for (LocalId source = 0; source < num_sources_; ++source) {
    const std::int32_t distance = nearest[static_cast<std::size_t>(source)];
    if (distance != none) slots_.push_back({distance, false, source});
  }
  std::ranges::sort(slots_, {}, [](const Slot& slot) {
    return std::tuple(slot.distance, slot.is_sum, slot.row);
  });
}

void PairSlots::index_slots() {
  slot_of_source_.assign(static_cast<std::size_t>(num_sources_), -1);
  slot_of_sum_.assign(num_destinations(), -1);
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    auto& slot_of = slots_[s].is_sum ? slot_of_sum_ : slot_of_source_;
    slot_of[static_cast<std::size_t>(slots_[s].row)] = static_cast<LocalId>(s);
  }
}

std::vector<std::vector<EntryNotice>> PairSlots::entries_by_slot() const {
  std::vector<std::vector<EntryNotice>> entries(slots_.size());
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    if (!slots_[s].is_sum) entries[s].push_back({slots_[s].row, Real{1}});
  }
  for (std::size_t d = 0; d < num_destinations(); ++d) {
    for (const BorderArc& arc : arcs_of(d)) {
      if (has_source(arc)) continue;
      entries[static_cast<std::size_t>(slot_of_sum_[d])].push_back({arc.source, arc.value});
    }
  }
  return entries;
}

std::vector<std::byte> PairSlots::notice() const {
  const std::vector<std::vector<EntryNotice>> entries = entries_by_slot();
  std::size_t num_bytes = sizeof(std::int64_t) + slots_.size() * sizeof(SlotNotice);
  for (const std::vector<EntryNotice>& slot : entries)
    num_bytes += slot.size() * sizeof(EntryNotice);
  ByteWriter writer(num_bytes);
  writer.append(static_cast<std::int64_t>(slots_.size()));
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    writer.append(SlotNotice{slots_[s].distance, static_cast<std::int32_t>(entries[s].size())});
  }
  for (const std::vector<EntryNotice>& slot : entries) {
    for (const EntryNotice& entry : slot)
      writer.append(entry);
  }
  return writer.take();
}

void PairSlots::append_entries(LocalId first_slot, std::vector<HaloEntry>& entries) const {
  for (std::size_t d = 0; d < num_destinations(); ++d) {
    for (const BorderArc& arc : arcs_of(d)) {
      if (!has_source(arc)) continue;
      const LocalId slot = slot_of_source_[static_cast<std::size_t>(arc.source)];
      entries.push_back({arc.destination, first_slot + slot, arc.value});
    }
    if (slot_of_sum_[d] < 0) continue;
    entries.push_back({arcs_of(d).front().destination, first_slot + slot_of_sum_[d], Real{1}});
  }
}

}  // namespace weft::layers
