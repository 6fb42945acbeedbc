// SPDX-License-Identifier: MIT
// Segments: what one rank writes another reads, room is kept, and what cannot be shared is off on
// all ranks of a host with a reason.
#include "comm/shared_memory.hpp"

#include <cstdint>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "graph/support/error.hpp"
#include "kernels/matrix.hpp"

namespace weft::comm {
namespace {

std::int64_t bytes_of_rank(int rank) {
  return 1000 + std::int64_t{100000} * rank;  // unequal, not of whole pages
}

std::byte mark_of(int rank, std::size_t i) {
  return static_cast<std::byte>((static_cast<std::size_t>(rank) * 31 + i) % 251);
}

// Marks the whole own segment, then looks at every byte of the others.
void expect_marks(Communicator& world, const SharedMemory& memory) {
  const std::span<std::byte> mine = memory.mine();
  for (std::size_t i = 0; i < mine.size(); ++i)
    mine[i] = mark_of(world.rank(), i);
  world.barrier();
  for (const int rank : memory.local_ranks()) {
    if (rank == world.rank()) continue;
    const std::span<const std::byte> theirs = memory.of(rank);
    ASSERT_EQ(std::ssize(theirs), SharedMemory::room_for(bytes_of_rank(rank)));
    for (std::size_t i = 0; i < theirs.size(); ++i)
      ASSERT_EQ(theirs[i], mark_of(rank, i)) << "byte " << i << " of rank " << rank;
  }
  world.barrier();
}

TEST(SharedMemory, IsReadByAllRanksOfTheHost) {
  Communicator world = Communicator::world();
  const SharedMemory memory(world, bytes_of_rank(world.rank()));
  ASSERT_EQ(memory.is_on(), world.local_size() > 1) << memory.reason();
  if (!memory.is_on()) return;
  EXPECT_EQ(std::ssize(memory.local_ranks()), world.local_size());
  EXPECT_FALSE(memory.is_shared_with(world.rank()));
  EXPECT_TRUE(memory.is_shared_with((world.rank() + 1) % world.size()));
  EXPECT_FALSE(memory.is_shared_with(world.size()));
  expect_marks(world, memory);
}

TEST(SharedMemory, ARankMayHaveNone) {
  Communicator world = Communicator::world();
  const SharedMemory memory(world, world.rank() == 0 ? 0 : 64);
  ASSERT_EQ(memory.is_on(), world.size() > 1) << memory.reason();
  EXPECT_EQ(memory.mine().size(), memory.is_on() && world.rank() > 0 ? 64U : 0U);
}

TEST(SharedMemory, ThereMayBeSeveral) {
  Communicator world = Communicator::world();
  const SharedMemory first(world, bytes_of_rank(world.rank()));
  const SharedMemory second(world, bytes_of_rank(world.rank()));
  expect_marks(world, first);
  expect_marks(world, second);
}

// Ranks 0 and 1, 2 and 3, ...: a rank alone has nothing to share.
TEST(SharedMemory, GroupsRanksByTheirHost) {
  Communicator world = Communicator::world();
  SharedMemoryOptions options;
  options.host = static_cast<std::uint64_t>(world.rank() / 2) + 1;
  const SharedMemory memory(world, bytes_of_rank(world.rank()), options);
  const int partner = world.rank() ^ 1;
  EXPECT_EQ(memory.is_on(), partner < world.size());
  for (int rank = 0; rank < world.size(); ++rank)
    EXPECT_EQ(memory.is_shared_with(rank), rank == partner) << rank;
  expect_marks(world, memory);
}

TEST(SharedMemory, ASegmentThatEndedStaysReadable) {
  Communicator world = Communicator::world();
  auto memory = std::make_unique<SharedMemory>(world, bytes_of_rank(world.rank()));
  expect_marks(world, *memory);
  if (world.rank() == 0) memory.reset();
  world.barrier();
  if (world.rank() > 0) {
    EXPECT_EQ(memory->of(0)[999], mark_of(0, 999));
  }
}

void expect_off(Communicator& world, const SharedMemory& memory, const std::string& reason) {
  EXPECT_FALSE(memory.is_on());
  EXPECT_TRUE(memory.mine().empty());
  EXPECT_TRUE(memory.local_ranks().empty());
  EXPECT_FALSE(memory.is_shared_with((world.rank() + 1) % world.size()));
  const std::string expected =
      world.size() == 1 ? std::string("rank 0 is alone on its host") : reason;
  EXPECT_NE(memory.reason().find(expected), std::string::npos) << memory.reason();
}

TEST(SharedMemory, IsOffWhereOneRankDoesNotWantIt) {
  Communicator world = Communicator::world();
  SharedMemoryOptions options;
  options.is_wanted = world.rank() != 1;
  SharedMemory memory(world, 4096, options);
  expect_off(world, memory, "switched off on rank 1");
  EXPECT_EQ(memory.allocate(64), nullptr);
}

// One rank's absurd wish is the reason of all, before anything is allocated.
TEST(SharedMemory, IsOffWhereTheHostHasTooLittleMemory) {
  Communicator world = Communicator::world();
  const bool is_last = world.rank() == world.size() - 1;
  const SharedMemory memory(world, is_last ? std::int64_t{1} << 50 : 4096);
  expect_off(world, memory, "would share 1.00 PiB, but it has");
}

TEST(SharedMemory, GivesRoomUntilItIsUsedUp) {
  Communicator world = Communicator::world();
  const std::int64_t size = SharedMemory::room_for(100) + SharedMemory::room_for(1);
  EXPECT_EQ(size, 192);
  SharedMemory memory(world, size);
  if (!memory.is_on()) return;
  const void* first = memory.allocate(100);
  const void* second = memory.allocate(1);
  EXPECT_EQ(first, memory.mine().data());
  EXPECT_EQ(second, memory.mine().data() + 128);
  EXPECT_EQ(memory.allocate(1), nullptr);
  EXPECT_EQ(memory.allocate(0), memory.mine().data() + 192);
}

TEST(SharedMemory, HoldsMatrices) {
  Communicator world = Communicator::world();
  SharedMemory memory(world, SharedMemory::room_for(6 * sizeof(Real)));
  if (!memory.is_on()) return;
  kernels::Matrix x(1, 1);
  x.use(memory, 2, 3);
  EXPECT_EQ(x.size(), 0);
  x.resize(2, 3);
  x.fill(static_cast<Real>(world.rank()));
  x.resize(3, 2);  // keeps its memory
  world.barrier();
  const int next = (world.rank() + 1) % world.size();
  EXPECT_EQ(*reinterpret_cast<const Real*>(memory.of(next).data()), static_cast<Real>(next));
  try {
    x.resize(100, 100);
    ADD_FAILURE() << "accepted";
  } catch (const RuntimeError& error) {
    EXPECT_NE(std::string(error.what()).find("in the memory that it was told to use"),
              std::string::npos);
  }
  world.barrier();
}

}  // namespace
}  // namespace weft::comm
