// SPDX-License-Identifier: MIT
#include "graph/support/checksum.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <utility>
#include <vector>

namespace weft {
namespace {

std::vector<std::byte> some_bytes(std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i)
    bytes[i] = static_cast<std::byte>(i * 31 + i / 7);
  return bytes;
}

TEST(Checksum, PiecesEqualTheWhole) {
  const auto bytes = some_bytes(10000);
  const std::span<const std::byte> all(bytes);
  for (const std::size_t piece : {1U, 7U, 64U, 255U, 4096U, 20000U}) {
    Checksum checksum;
    for (std::size_t begin = 0; begin < bytes.size(); begin += piece) {
      checksum.update(all.subspan(begin, std::min(piece, bytes.size() - begin)));
    }
    EXPECT_EQ(checksum.value(), weft::checksum(all)) << "pieces of " << piece;
  }
}

// The published test of XXH3's 64 bits for no input and seed 0.
TEST(Checksum, OfNothingIsTheKnownValue) {
  EXPECT_EQ(checksum({}), 0x2D06800538D394C2U);
  EXPECT_EQ(Checksum().value(), checksum({}));
}

TEST(Checksum, NoticesOneBitAndTheOrder) {
  auto bytes = some_bytes(1000);
  const std::uint64_t before = checksum(bytes);
  bytes[500] ^= std::byte{1};
  EXPECT_NE(checksum(bytes), before);
  bytes[500] ^= std::byte{1};
  std::swap(bytes[1], bytes[2]);
  EXPECT_NE(checksum(bytes), before);
}

TEST(Checksum, OfValuesIsThatOfTheirBytes) {
  const std::vector<int> values{1, 2, 3};
  EXPECT_EQ(checksum_of(std::span<const int>(values)), checksum(std::as_bytes(std::span(values))));
}

TEST(Checksum, MovesWithItsState) {
  const auto bytes = some_bytes(100);
  Checksum first;
  first.update(std::span(bytes).first(40));
  Checksum second = std::move(first);
  second.update(std::span(bytes).subspan(40));
  EXPECT_EQ(second.value(), checksum(bytes));
}

TEST(Checksum, TextHasSixteenDigits) {
  EXPECT_EQ(checksum_text(0xABCU), "0000000000000abc");
  EXPECT_EQ(checksum_text(0x0123456789ABCDEFU), "0123456789abcdef");
}

}  // namespace
}  // namespace weft
