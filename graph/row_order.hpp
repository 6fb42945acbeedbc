// SPDX-License-Identifier: MIT
// Stable sort of one row's keys. Rows are short, many and of skewed length, so the method follows
// the length: insertion; spreading over as many slots as there are keys, then insertion; and
// radix sort, whose time does not depend on how the keys are spread.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace weft::graph {

struct PlainKey {
  static constexpr bool has_weight = false;
  std::uint32_t key = 0;
};

struct WeightedKey {
  static constexpr bool has_weight = true;
  std::uint32_t key = 0;
  float weight = 0.0F;
};

/// Sorts rows one after another; keeps its memory between them.
template <typename Item>
class RowOrder {
 public:
  /// Cost     O(row.size()) for keys that are spread evenly or rows of more than 256
  void sort(std::span<Item> row) {
    if (row.size() <= max_insertion) return insertion_sort(row);
    if (copy_.size() < row.size()) copy_.resize(row.size());
    find_range(row);
    if (row.size() <= max_spread) {
      spread(row);
    } else {
      radix_sort(row);
    }
  }

 private:
  static constexpr std::size_t max_insertion = 12;
  static constexpr std::size_t max_spread = 256;
  static constexpr int max_digit_bits = 11;

  static void insertion_sort(std::span<Item> row) {
    for (std::size_t i = 1; i < row.size(); ++i) {
      const Item item = row[i];
      std::size_t place = i;
      for (; place > 0 && row[place - 1].key > item.key; --place)
        row[place] = row[place - 1];
      row[place] = item;
    }
  }

  void find_range(std::span<const Item> row) {
    smallest_ = row.front().key;
    std::uint32_t largest = smallest_;
    for (const Item& item : row) {
      smallest_ = std::min(smallest_, item.key);
      largest = std::max(largest, item.key);
    }
    range_bits_ = static_cast<int>(std::bit_width(largest - smallest_));
  }

  /// Moves every item to the slot of its key's leading bits, then mends the order inside slots.
  void spread(std::span<Item> row) {
    const int slot_bits = static_cast<int>(std::bit_width(row.size() - 1));
    std::copy(row.begin(), row.end(), copy_.begin());
    move_by_digit(std::span<const Item>(copy_).first(row.size()), row,
                  std::max(0, range_bits_ - slot_bits), slot_bits);
    insertion_sort(row);
  }

  void radix_sort(std::span<Item> row) {
    const int wanted = std::min(max_digit_bits, static_cast<int>(std::bit_width(row.size())));
    const int passes = std::max(1, (range_bits_ + wanted - 1) / wanted);
    const int digit_bits = (range_bits_ + passes - 1) / passes;
    std::span<Item> from = row;
    std::span<Item> to = std::span(copy_).first(row.size());
    for (int pass = 0; pass < passes; ++pass) {
      move_by_digit(from, to, pass * digit_bits, digit_bits);
      std::swap(from, to);
    }
    if (from.data() != row.data()) std::copy(from.begin(), from.end(), row.begin());
  }

  /// Stable counting sort by bits [shift, shift + bits) of key - smallest.
  void move_by_digit(std::span<const Item> from, std::span<Item> to, int shift, int bits) {
    const std::uint32_t mask = (1U << bits) - 1;
    const auto digit = [&](const Item& item) { return (item.key - smallest_) >> shift & mask; };
    std::fill_n(places_.begin(), mask + 1, 0U);
    for (const Item& item : from)
      ++places_[digit(item)];
    std::uint32_t sum = 0;
    for (std::uint32_t d = 0; d <= mask; ++d)
      sum += std::exchange(places_[d], sum);
    for (const Item& item : from)
      to[places_[digit(item)]++] = item;
  }

  std::vector<Item> copy_;
  std::array<std::uint32_t, std::size_t{1} << max_digit_bits> places_{};
  std::uint32_t smallest_ = 0;
  int range_bits_ = 0;
};

}  // namespace weft::graph
