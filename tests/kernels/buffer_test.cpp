// SPDX-License-Identifier: MIT
// Buffers: aligned, growing only, counted, and honest when memory runs out.
#include "kernels/buffer.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <utility>

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

/// Room for so many bytes; counts what it was asked for.
class SmallSource : public MemorySource {
 public:
  void* allocate(std::int64_t num_bytes) override {
    if (used_bytes + num_bytes > static_cast<std::int64_t>(sizeof(bytes_))) return nullptr;
    return bytes_ + std::exchange(used_bytes, used_bytes + num_bytes);
  }
  [[nodiscard]] const std::byte* begin() const { return bytes_; }

  std::int64_t used_bytes = 0;

 private:
  alignas(64) std::byte bytes_[1024];
};

TEST(Buffer, HasItsMemoryFromASource) {
  SmallSource source;
  {
    Buffer buffer(source);
    EXPECT_TRUE(buffer.reserve(100));
    EXPECT_EQ(buffer.data(), source.begin());
    EXPECT_EQ(buffer.capacity_bytes(), 128);
    EXPECT_FALSE(buffer.reserve(128));
    Buffer moved(std::move(buffer));
    EXPECT_TRUE(moved.reserve(129));  // from the source again
    EXPECT_EQ(moved.data(), source.begin() + 128);
  }  // neither is given to the C library
  EXPECT_EQ(source.used_bytes, 128 + 192);
}

TEST(Buffer, NamesWhatItsSourceHasNoRoomFor) {
  SmallSource source;
  Buffer buffer(source);
  EXPECT_THROW(buffer.reserve(1025), RuntimeError);
  EXPECT_EQ(buffer.capacity_bytes(), 0);
  EXPECT_TRUE(buffer.reserve(1024));
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
