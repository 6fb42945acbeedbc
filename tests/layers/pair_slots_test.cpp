// SPDX-License-Identifier: MIT
// The slots of one pair of parts: fewest rows, nearest to the loss first, every arc served once.
#include "layers/pair_slots.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

namespace weft::layers {
namespace {

template <typename T>
T read(const std::vector<std::byte>& bytes, std::size_t& at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  at += sizeof(T);
  return value;
}

using Weights = std::map<std::pair<LocalId, LocalId>, Real>;  ///< (destination, source) -> weight

/// What the reader gets when both sides do their part, as weights of sources.
Weights served(const PairSlots& pair, LocalId first_slot) {
  const std::vector<std::byte> notice = pair.notice();
  std::size_t at = 0;
  const auto num_slots = static_cast<std::size_t>(read<std::int64_t>(notice, at));
  std::vector<std::int32_t> counts(num_slots);
  for (std::size_t s = 0; s < num_slots; ++s) {
    const auto slot = read<SlotNotice>(notice, at);
    EXPECT_EQ(slot.distance, pair.slots()[s].distance);
    counts[s] = slot.num_entries;
  }
  std::vector<std::vector<EntryNotice>> sums(num_slots);
  for (std::size_t s = 0; s < num_slots; ++s) {
    for (std::int32_t i = 0; i < counts[s]; ++i)
      sums[s].push_back(read<EntryNotice>(notice, at));
  }
  EXPECT_EQ(at, notice.size());
  std::vector<HaloEntry> entries;
  pair.append_entries(first_slot, entries);
  Weights weights;
  for (const HaloEntry& entry : entries) {
    for (const EntryNotice& part : sums[static_cast<std::size_t>(entry.slot - first_slot)])
      weights[{entry.row, part.source}] += entry.value * part.value;
  }
  return weights;
}

Weights weights_of(const std::vector<BorderArc>& arcs) {
  Weights weights;
  for (const BorderArc& arc : arcs)
    weights[{arc.destination, arc.source}] += arc.value;
  return weights;
}

// Destination 3 reads all six sources; destinations 5, 6 and 8 read source 2 as well.
const std::vector<BorderArc> two_stars{{3, 0, 1}, {3, 1, 2}, {3, 2, 3}, {3, 3, 4}, {3, 4, 5},
                                       {3, 5, 6}, {5, 2, 7}, {6, 2, 8}, {8, 2, 9}};

TEST(PairSlots, ASumAndARowServeTwoStars) {
  const PairSlots summed(two_stars, 6, {}, true);
  ASSERT_EQ(summed.slots().size(), 2U);
  EXPECT_EQ(served(summed, 40), weights_of(two_stars));
  const PairSlots plain(two_stars, 6, {}, false);
  EXPECT_EQ(plain.slots().size(), 6U);
  EXPECT_EQ(served(plain, 0), weights_of(two_stars));
}

/// 20 sources, the first `num_shared` of which are read by one vertex, the others by one each.
bool takes_sums(LocalId num_shared) {
  std::vector<BorderArc> arcs;
  for (LocalId source = 0; source < 20; ++source)
    arcs.push_back({source < num_shared ? 0 : source, source, 1});
  const PairSlots pair(arcs, 20, {}, true);
  EXPECT_EQ(served(pair, 0), weights_of(arcs));
  return std::ranges::any_of(pair.slots(), [](const Slot& slot) { return slot.is_sum; });
}

TEST(PairSlots, OnlyASavingOfATenthIsTaken) {
  EXPECT_FALSE(takes_sums(2));  // 19 rows instead of 20
  EXPECT_TRUE(takes_sums(3));   // 18
}

TEST(PairSlots, SlotsRiseByDistanceFromTheLoss) {
  Reach reach;
  reach.num_layers = 3;
  reach.distance = {0, 0, 0, 2, 2, 0, 1, 1, 3};
  const PairSlots pair(two_stars, 6, reach, true);
  ASSERT_EQ(pair.slots().size(), 2U);
  // Source 2 is read by vertex 5 at distance 0; the sum is for vertex 3 at distance 2.
  EXPECT_FALSE(pair.slots()[0].is_sum);
  EXPECT_EQ(pair.slots()[0].distance, 1);
  EXPECT_TRUE(pair.slots()[1].is_sum);
  EXPECT_EQ(pair.slots()[1].distance, 3);
  EXPECT_EQ(served(pair, 7), weights_of(two_stars));
}

TEST(PairSlots, NoArcsTakeNoSlots) {
  const PairSlots pair({}, 0, {}, true);
  EXPECT_TRUE(pair.slots().empty());
  EXPECT_EQ(pair.notice().size(), sizeof(std::int64_t));
}

}  // namespace
}  // namespace weft::layers
