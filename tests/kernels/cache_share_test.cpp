// SPDX-License-Identifier: MIT
// The share of a cache, from files like those of the Linux kernel.
#include "kernels/cache_share.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace weft::kernels {
namespace {

TEST(CacheShare, IsReadFromTheFilesOfTheKernel) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "weft_cache_share_test";
  std::filesystem::create_directories(folder);
  const auto write = [&](const char* size, const char* map) {
    std::ofstream(folder / "size") << size;
    std::ofstream(folder / "shared_cpu_map") << map;
  };
  write("32768K\n", "00000000,000000ff\n");
  EXPECT_EQ(cache_share_bytes(folder, 2), std::int64_t{8} << 20);
  EXPECT_EQ(cache_share_bytes(folder, 16), std::int64_t{32} << 20);
  write("24M\n", "f\n");
  EXPECT_EQ(cache_share_bytes(folder, 1), std::int64_t{6} << 20);
  write("large\n", "f\n");
  EXPECT_EQ(cache_share_bytes(folder, 3), std::int64_t{6} << 20);
  std::filesystem::remove_all(folder);
  EXPECT_EQ(cache_share_bytes(folder, 1), std::int64_t{2} << 20);
}

}  // namespace
}  // namespace weft::kernels
