// SPDX-License-Identifier: MIT
// Messages above 31 bits are cut into pieces that MPI can count.
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "comm/halo_exchange.hpp"

namespace weft::comm {
namespace {

void expect_pieces_in_order(const std::vector<MessagePiece>& pieces, std::int64_t total_bytes) {
  std::int64_t at = 0;
  for (const MessagePiece& piece : pieces) {
    EXPECT_EQ(piece.begin, at);
    EXPECT_GT(piece.end, piece.begin);
    EXPECT_LE(piece.end - piece.begin, std::int64_t{1} << 30);
    at = piece.end;
  }
  EXPECT_EQ(at, total_bytes);
}

TEST(SplitMessage, CutsMessagesAboveThirtyOneBits) {
  constexpr std::int64_t count = (std::int64_t{1} << 31) + 8;
  const std::int64_t limit = HaloOptions{}.message_limit_bytes;
  const std::vector<MessagePiece> of_bytes = split_message(count, limit);
  expect_pieces_in_order(of_bytes, count);
  EXPECT_EQ(of_bytes.size(), 3U);
  const std::vector<MessagePiece> of_floats = split_message(count * 4, limit);
  expect_pieces_in_order(of_floats, count * 4);
  EXPECT_EQ(of_floats.size(), 9U);
}

TEST(SplitMessage, CutsNothingIntoNothing) {
  EXPECT_TRUE(split_message(0, 1000).empty());
}

}  // namespace
}  // namespace weft::comm
