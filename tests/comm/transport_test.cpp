// SPDX-License-Identifier: MIT
// Messages that any thread progresses.
#include "comm/transport.hpp"

#include <atomic>
#include <cstring>
#include <numeric>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "graph/support/error.hpp"

namespace weft::comm {
namespace {

constexpr int tag = static_cast<int>(Tag::gather);

int next_rank(const Communicator& world) {
  return (world.rank() + 1) % world.size();
}
int previous_rank(const Communicator& world) {
  return (world.rank() + world.size() - 1) % world.size();
}

TEST(RequestSet, WaitsForNothingAtOnce) {
  Communicator world = Communicator::world();
  RequestSet requests(world);
  EXPECT_TRUE(requests.test());
  EXPECT_EQ(requests.send({}, 0, tag), 0);
  requests.wait();
}

TEST(RequestSet, MovesMessagesInPiecesAndIsReused) {
  Communicator world = Communicator::world();
  RequestSet requests(world);
  for (const std::int64_t limit : {std::int64_t{1000}, std::int64_t{1} << 30}) {
    std::vector<std::int32_t> sent(25001);
    std::iota(sent.begin(), sent.end(), world.rank());
    std::vector<std::int32_t> received(sent.size());
    const int pieces = requests.receive(std::as_writable_bytes(std::span(received)),
                                        previous_rank(world), tag, limit);
    requests.send(std::as_bytes(std::span(sent)), next_rank(world), tag, limit);
    requests.wait();
    std::vector<std::int32_t> expected(sent.size());
    std::iota(expected.begin(), expected.end(), previous_rank(world));
    EXPECT_EQ(received, expected);
    EXPECT_EQ(pieces, limit == 1000 ? 101 : 1);
  }
}

// No thread is inside a wait here: without progress by poll the loop would not end.
TEST(RequestSet, ProgressesByPollAlone) {
  Communicator world = Communicator::world();
  RequestSet requests(world);
  std::int64_t sent = 42 + world.rank();
  std::int64_t received = 0;
  requests.receive(std::as_writable_bytes(std::span(&received, 1)), previous_rank(world), tag);
  requests.send(std::as_bytes(std::span(&sent, 1)), next_rank(world), tag);
  const volatile std::int64_t& arrived = received;
  while (arrived == 0)
    world.poll();
  EXPECT_EQ(arrived, 42 + previous_rank(world));
  requests.wait();
}

TEST(RequestSet, IsPolledByManyThreadsAtOnce) {
  Communicator world = Communicator::world();
  std::atomic<bool> done = false;
  std::vector<std::thread> pollers;
  for (int i = 0; i < 3; ++i) {
    pollers.emplace_back([&] {
      while (!done) {
        world.poll();
        std::this_thread::yield();
      }
    });
  }
  for (int round = 0; round < 50; ++round) {
    RequestSet requests(world);
    std::vector<int> sent(20000, round * 10 + world.rank());
    std::vector<int> received(sent.size());
    requests.receive(std::as_writable_bytes(std::span(received)), previous_rank(world), tag);
    requests.send(std::as_bytes(std::span(sent)), next_rank(world), tag);
    requests.wait();
    EXPECT_EQ(received, std::vector<int>(sent.size(), round * 10 + previous_rank(world)));
  }
  done = true;
  for (std::thread& poller : pollers)
    poller.join();
}

TEST(RequestSet, NamesAMessageOfTheWrongSize) {
  Communicator world = Communicator::world();
  RequestSet requests(world);
  std::vector<std::byte> sent(40);
  std::vector<std::byte> received(100);
  requests.receive(received, previous_rank(world), tag);
  requests.send(sent, next_rank(world), tag);
  try {
    requests.wait();
    ADD_FAILURE() << "expected an error";
  } catch (const RuntimeError& error) {
    EXPECT_NE(std::strstr(error.what(), "40 bytes arrived, expected 100"), nullptr) << error.what();
  }
}

TEST(RequestSet, GivesUpMessagesThatAnExceptionLeft) {
  Communicator world = Communicator::world();
  std::vector<std::byte> never_filled(100);
  std::optional<RequestSet> requests(std::in_place, world);
  requests->receive(never_filled, previous_rank(world), tag);
  requests.reset();
  world.poll();
  world.barrier();
}

TEST(AllToAll, DeliversOneNumberForEachPair) {
  Communicator world = Communicator::world();
  std::vector<std::int64_t> to_each(static_cast<std::size_t>(world.size()));
  std::iota(to_each.begin(), to_each.end(), std::int64_t{100} * world.rank());
  const std::vector<std::int64_t> from_each = all_to_all(world, to_each);
  for (int rank = 0; rank < world.size(); ++rank) {
    EXPECT_EQ(from_each[static_cast<std::size_t>(rank)], 100 * rank + world.rank());
  }
}

TEST(ForEachPiece, CoversAllBytesInOrder) {
  std::vector<std::int64_t> ends;
  std::int64_t expected_begin = 0;
  for_each_piece(10, 4, [&](std::int64_t begin, std::int64_t end) {
    EXPECT_EQ(begin, expected_begin);
    expected_begin = end;
    ends.push_back(end);
  });
  EXPECT_EQ(ends, (std::vector<std::int64_t>{4, 8, 10}));
}

}  // namespace
}  // namespace weft::comm
