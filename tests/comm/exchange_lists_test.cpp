// SPDX-License-Identifier: MIT
// Lists of unequal lengths, empty ones among them, arrive whole at the rank that they are for.
#include "comm/exchange_lists.hpp"

#include <gtest/gtest.h>

namespace weft::comm {
namespace {

/// (3 * from + 5 * to) % 4 * 1000 bytes, each of which names both ranks.
std::vector<std::byte> list_between(int from, int to) {
  const auto length = static_cast<std::size_t>((3 * from + 5 * to) % 4) * 1000;
  return std::vector<std::byte>(length, static_cast<std::byte>(16 * from + to));
}

TEST(ExchangeLists, BringsEachRankWhatIsForIt) {
  Communicator world = Communicator::world();
  std::vector<std::vector<std::byte>> to_each;
  for (int p = 0; p < world.size(); ++p)
    to_each.push_back(list_between(world.rank(), p));
  for (int round = 0; round < 3; ++round) {
    const std::vector<std::vector<std::byte>> received = exchange_lists(world, to_each);
    ASSERT_EQ(std::ssize(received), world.size());
    for (int p = 0; p < world.size(); ++p) {
      EXPECT_EQ(received[static_cast<std::size_t>(p)], list_between(p, world.rank())) << p;
    }
  }
}

}  // namespace
}  // namespace weft::comm
