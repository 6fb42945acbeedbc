// SPDX-License-Identifier: MIT
#include "graph/support/process.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <cstdint>
#include <fstream>
#include <limits>
#include <vector>

#include "tests/support/temporary_folder.hpp"

namespace weft {
namespace {

using test_support::TemporaryFolder;

// What `taskset` does to a process: one CPU in the mask.
TEST(UsableCpus, FollowsTheAffinityMask) {
  cpu_set_t old{};
  ASSERT_EQ(sched_getaffinity(0, sizeof old, &old), 0);
  int first = 0;
  while (!CPU_ISSET(first, &old))
    ++first;
  cpu_set_t one{};
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(usable_cpus(), 1);
  ASSERT_EQ(sched_setaffinity(0, sizeof old, &old), 0);
  EXPECT_GE(usable_cpus(), 1);
  EXPECT_LE(usable_cpus(), CPU_COUNT(&old));
}

void write_file(const std::filesystem::path& path, const std::string& content) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << content;
}

TEST(CgroupCpuQuota, IsTheSmallestAlongThePath) {
  const TemporaryFolder mount;
  write_file(mount.path() / "a/cpu.max", "150000 100000\n");
  write_file(mount.path() / "a/b/cpu.max", "400000 100000\n");
  write_file(mount.path() / "a/b/c/cpu.max", "max 100000\n");
  EXPECT_DOUBLE_EQ(cgroup_cpu_quota(mount.path(), "0::/a/b/c\n"), 1.5);
  EXPECT_DOUBLE_EQ(cgroup_cpu_quota(mount.path(), "0::/\n"), 0.0);
}

TEST(CgroupCpuQuota, ReadsTheRootAndAbsentGroups) {
  const TemporaryFolder mount;  // inside a container the path of the host does not exist
  write_file(mount.path() / "cpu.max", "50000 100000\n");
  EXPECT_DOUBLE_EQ(cgroup_cpu_quota(mount.path(), "0::/not/here\n"), 0.5);
}

TEST(CgroupCpuQuota, ReadsVersionOne) {
  const TemporaryFolder mount;
  write_file(mount.path() / "cpu/job/cpu.cfs_quota_us", "300000\n");
  write_file(mount.path() / "cpu/job/cpu.cfs_period_us", "100000\n");
  write_file(mount.path() / "cpu/free/cpu.cfs_quota_us", "-1\n");
  write_file(mount.path() / "cpu/free/cpu.cfs_period_us", "100000\n");
  EXPECT_DOUBLE_EQ(cgroup_cpu_quota(mount.path(), "5:cpuset:/job\n4:cpu,cpuacct:/job\n"), 3.0);
  EXPECT_DOUBLE_EQ(cgroup_cpu_quota(mount.path(), "4:cpu,cpuacct:/free\n"), 0.0);
  EXPECT_DOUBLE_EQ(cgroup_cpu_quota(mount.path(), "5:cpuset:/job\n"), 0.0);
}

TEST(CgroupMemoryLeft, IsTheSmallestAlongThePath) {
  const TemporaryFolder mount;
  write_file(mount.path() / "a/memory.max", "5000\n");
  write_file(mount.path() / "a/memory.current", "4500\n");
  write_file(mount.path() / "a/memory.stat", "anon 100\ninactive_file 300\nactive_file 200\n");
  write_file(mount.path() / "a/b/memory.max", "max\n");
  EXPECT_EQ(cgroup_memory_left(mount.path(), "0::/a/b\n"), 1000);
  write_file(mount.path() / "a/b/memory.max", "600\n");
  write_file(mount.path() / "a/b/memory.current", "700\n");
  EXPECT_EQ(cgroup_memory_left(mount.path(), "0::/a/b\n"), 0);
  constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(cgroup_memory_left(mount.path(), "0::/\n"), no_limit);
}

TEST(CgroupMemoryLeft, ReadsVersionOne) {
  const TemporaryFolder mount;
  write_file(mount.path() / "memory/job/memory.limit_in_bytes", "9000\n");
  write_file(mount.path() / "memory/job/memory.usage_in_bytes", "8000\n");
  write_file(mount.path() / "memory/job/memory.stat", "active_file 1\ntotal_active_file 500\n");
  EXPECT_EQ(cgroup_memory_left(mount.path(), "5:memory:/job\n"), 1500);
}

TEST(Memory, IsAvailable) {
  EXPECT_GT(available_memory_bytes(), 0);
  EXPECT_LT(available_memory_bytes(), std::int64_t{1} << 50);
}

TEST(Memory, GrowsWithWhatIsTouched) {
  constexpr std::int64_t bytes = std::int64_t{64} << 20;
  const std::int64_t before = anonymous_rss_bytes();
  const std::vector<char> block(static_cast<std::size_t>(bytes), 'x');
  EXPECT_GE(anonymous_rss_bytes() - before, bytes * 9 / 10);
  EXPECT_GE(peak_rss_bytes(), bytes);
}

TEST(Memory, LargeVectorsAreZeros) {
  const auto values = make_large_vector<int>(std::size_t{3} << 20);
  EXPECT_EQ(values.size(), std::size_t{3} << 20);
  for (const int value : values)
    ASSERT_EQ(value, 0);
  EXPECT_TRUE(make_large_vector<int>(0).empty());
}

TEST(HostName, IsNotEmpty) {
  EXPECT_FALSE(host_name().empty());
}

}  // namespace
}  // namespace weft
