// SPDX-License-Identifier: MIT
#include "graph/row_order.hpp"

#include <gtest/gtest.h>

#include "graph/support/random.hpp"

namespace weft::graph {
namespace {

/// Keys of `bits` random bits above `base`; the weight tells the place before sorting.
std::vector<WeightedKey> random_row(std::size_t size, int bits, std::uint32_t base) {
  const RandomKey key = random_key(size, RandomPurpose::test, static_cast<std::uint32_t>(bits));
  std::vector<WeightedKey> row(size);
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint32_t word = random_word(key, i);
    row[i] = {base + (bits == 32 ? word : word & ((1U << bits) - 1)), static_cast<float>(i)};
  }
  return row;
}

TEST(RowOrder, IsAStableSortAtEveryLength) {
  RowOrder<WeightedKey> order;
  for (const std::size_t size : {0U, 1U, 2U, 12U, 13U, 64U, 255U, 256U, 257U, 2000U, 5000U}) {
    for (const int bits : {0, 1, 3, 8, 20, 31, 32}) {
      auto row = random_row(size, bits, bits == 32 ? 0 : 5);
      auto expected = row;
      std::stable_sort(expected.begin(), expected.end(),
                       [](const auto& a, const auto& b) { return a.key < b.key; });
      order.sort(row);
      for (std::size_t i = 0; i < size; ++i) {
        ASSERT_EQ(row[i].key, expected[i].key) << size << " keys of " << bits << " bits";
        ASSERT_EQ(row[i].weight, expected[i].weight) << size << " keys of " << bits << " bits";
      }
    }
  }
}

TEST(RowOrder, SortsSkewedKeysAndTheEndsOfTheRange) {
  RowOrder<PlainKey> order;
  for (const std::size_t size : {20U, 200U, 3000U}) {
    std::vector<PlainKey> row(size);
    for (std::size_t i = 0; i < size; ++i)
      row[i].key = static_cast<std::uint32_t>(size - i);
    row[size / 2].key = 0xffffffffU;
    row[size / 3].key = 0;
    order.sort(row);
    EXPECT_EQ(row.front().key, 0U);
    EXPECT_EQ(row.back().key, 0xffffffffU);
    EXPECT_TRUE(std::is_sorted(row.begin(), row.end(),
                               [](const auto& a, const auto& b) { return a.key < b.key; }));
  }
}

}  // namespace
}  // namespace weft::graph
