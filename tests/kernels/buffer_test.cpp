// SPDX-License-Identifier: MIT
// Buffers: aligned, growing only, counted, and honest when memory runs out.
#include "kernels/buffer.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "graph/support/error.hpp"

namespace weft::kernels {
namespace {

TEST(Buffer, GrowsOnlyAndSaysSo) {
  Buffer buffer;
  EXPECT_EQ(buffer.data(), nullptr);
  EXPECT_FALSE(buffer.reserve(0));
  EXPECT_TRUE(buffer.reserve(100));
  EXPECT_GE(buffer.capacity_bytes(), 100);
  EXPECT_FALSE(buffer.reserve(50));
  EXPECT_TRUE(buffer.reserve(1000));
}

TEST(Buffer, LargeBlocksStartOnAHugePage) {
  Buffer buffer;
  buffer.reserve(std::int64_t{8} << 20);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % (std::uintptr_t{2} << 20), 0U);
  std::memset(buffer.data(), 1, static_cast<std::size_t>(buffer.capacity_bytes()));
}

TEST(Buffer, AllocationsAreCounted) {
  const std::int64_t before = num_buffer_allocations();
  Buffer buffer;
  buffer.reserve(10);
  buffer.reserve(5);
  EXPECT_EQ(num_buffer_allocations(), before + 1);
}

TEST(Buffer, MovingLeavesAnEmptyBuffer) {
  Buffer first;
  first.reserve(10);
  const void* data = first.data();
  Buffer second(std::move(first));
  EXPECT_EQ(second.data(), data);
  EXPECT_EQ(first.capacity_bytes(), 0);  // NOLINT(bugprone-use-after-move)
  first = std::move(second);
  EXPECT_EQ(first.data(), data);
}

#ifndef __SANITIZE_ADDRESS__
TEST(Buffer, MissingMemoryIsNamed) {
  Buffer buffer;
  try {
    buffer.reserve(std::int64_t{1} << 55);
    FAIL() << "allocated 32 PiB";
  } catch (const RuntimeError& error) {
    EXPECT_NE(std::string(error.what()).find("no memory for a buffer"), std::string::npos);
  }
}
#endif

}  // namespace
}  // namespace weft::kernels
