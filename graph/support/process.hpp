// SPDX-License-Identifier: MIT
// What this process may use of its machine, and what it has used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// CPUs that this process may use: the affinity mask, cut to the cgroup's CPU quota (v1 and v2);
/// at least 1. Not the number of CPUs of the machine.
[[nodiscard]] int usable_cpus();

/// Numbers of the CPUs in this process's affinity mask, rising.
[[nodiscard]] std::vector<int> affinity_cpus();

/// CPU quota of this process in CPUs; 0 where there is none.
[[nodiscard]] double cpu_quota();

/// CPU quota of a process in CPUs, 0 where there is none: the smallest along its cgroup and the
/// cgroups above it. `membership` is the content of /proc/PID/cgroup, `mount` is /sys/fs/cgroup.
[[nodiscard]] double cgroup_cpu_quota(const std::filesystem::path& mount,
                                      std::string_view membership);

/// Largest resident set so far, in bytes (VmHWM).
[[nodiscard]] std::int64_t peak_rss_bytes();

/// Resident memory of this process now; 0 where the system does not tell.
[[nodiscard]] std::int64_t rss_bytes();

/// Anonymous resident memory now, in bytes (RssAnon): without mapped files.
[[nodiscard]] std::int64_t anonymous_rss_bytes();

/// Memory that this process may still take, in bytes: what its machine has left, cut to the limits
/// of its cgroups (v1 and v2). Pages that only cache files count as left.
[[nodiscard]] std::int64_t available_memory_bytes();

/// The smallest of what a process's cgroup and the cgroups above it have left, in bytes; the
/// largest number where none has a limit. Parameters as those of cgroup_cpu_quota.
[[nodiscard]] std::int64_t cgroup_memory_left(const std::filesystem::path& mount,
                                              std::string_view membership);

/// Name of this host.
[[nodiscard]] std::string host_name();

/// Asks the kernel for 2 MiB pages in [data, data + bytes); does nothing below 4 MiB.
void advise_huge_pages(void* data, std::size_t bytes);

/// A vector of `count` zeros, on 2 MiB pages where it is large.
template <typename T>
[[nodiscard]] std::vector<T> make_large_vector(std::size_t count) {
  std::vector<T> values;
  values.reserve(count);
  advise_huge_pages(values.data(), values.capacity() * sizeof(T));
  values.resize(count);
  return values;
}

}  // namespace weft
