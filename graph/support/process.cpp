// SPDX-License-Identifier: MIT
// Reads the kernel's text files. They are opened anew on every call: affinity, quotas and
// memory change while a process runs.
#include "graph/support/process.hpp"

#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <vector>

#include "graph/support/text.hpp"

namespace weft {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

std::string read_text(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Quota that one cgroup folder states, in CPUs; 0 where it states none.
double quota_of(const fs::path& group, bool version2) {
  double quota = 0.0;
  double period = 0.0;
  if (version2) {
    std::istringstream words(read_text(group / "cpu.max"));  // "150000 100000" or "max 100000"
    words >> quota >> period;
  } else {
    std::istringstream(read_text(group / "cpu.cfs_quota_us")) >> quota;
    std::istringstream(read_text(group / "cpu.cfs_period_us")) >> period;
  }
  return quota > 0.0 && period > 0.0 ? quota / period : 0.0;
}

/// Bytes that one cgroup folder lets its processes still take; the largest number without a limit.
std::int64_t memory_left_of(const fs::path& group, bool version2) {
  std::int64_t limit = no_limit;
  std::int64_t used = 0;
  std::istringstream limit_text(
      read_text(group / (version2 ? "memory.max" : "memory.limit_in_bytes")));
  if (!(limit_text >> limit)) return no_limit;  // "max", or no such file
  std::istringstream(read_text(group / (version2 ? "memory.current" : "memory.usage_in_bytes"))) >>
      used;
  std::istringstream statistics(read_text(group / "memory.stat"));
  const std::string_view prefix = version2 ? "" : "total_";
  std::int64_t value = 0;
  for (std::string name; statistics >> name >> value;) {
    if (name == text(prefix, "inactive_file") || name == text(prefix, "active_file")) used -= value;
  }
  return std::max<std::int64_t>(0, limit - used);
}

bool names_controller(std::string_view controllers, std::string_view controller) {
  std::istringstream list{std::string(controllers)};
  for (std::string name; std::getline(list, name, ',');) {
    if (name == controller) return true;
  }
  return false;
}

/// Calls visit(folder, is version 2) for a process's cgroup of `controller` and all above it.
template <typename Visit>
void for_each_cgroup(const fs::path& mount,
                     std::string_view membership,
                     std::string_view controller,
                     const Visit& visit) {
  std::istringstream lines{std::string(membership)};
  for (std::string line; std::getline(lines, line);) {  // "HIERARCHY:CONTROLLERS:PATH"
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool version2 = controllers.empty();
    if (!version2 && !names_controller(controllers, controller)) continue;
    const fs::path root = version2 ? mount : mount / controller;
    const fs::path group(line.substr(second + 1));
    for (fs::path place = group.relative_path().lexically_normal();; place = place.parent_path()) {
      visit(root / place, version2);
      if (place.empty()) break;
    }
  }
}

/// Value in bytes of a "NAME:   123 kB" line of a file of /proc; 0 where it is absent.
std::int64_t kilobytes_line(const fs::path& file, std::string_view name) {
  std::ifstream status(file);
  for (std::string line; std::getline(status, line);) {
    if (line.size() <= name.size() || !line.starts_with(name) || line[name.size()] != ':') continue;
    std::int64_t kilobytes = 0;
    std::istringstream(line.substr(name.size() + 1)) >> kilobytes;
    return kilobytes * 1024;
  }
  return 0;
}

}  // namespace

// The mask grows until the kernel accepts its length, because machines with more than 1,024 CPUs do
// not fit the default one.
std::vector<int> affinity_cpus() {
  for (std::size_t num_sets = 1; num_sets <= 64; num_sets *= 2) {
    std::vector<cpu_set_t> mask(num_sets);
    const std::size_t mask_bytes = num_sets * sizeof(cpu_set_t);
    if (sched_getaffinity(0, mask_bytes, mask.data()) != 0) continue;
    std::vector<int> cpus;
    for (std::size_t cpu = 0; cpu < mask_bytes * 8; ++cpu) {
      if (CPU_ISSET_S(cpu, mask_bytes, mask.data())) cpus.push_back(static_cast<int>(cpu));
    }
    return cpus;
  }
  return {0};
}

double cpu_quota() {
  return cgroup_cpu_quota("/sys/fs/cgroup", read_text("/proc/self/cgroup"));
}

int usable_cpus() {
  const int cpus = std::max(1, static_cast<int>(affinity_cpus().size()));
  const double quota = cpu_quota();
  if (quota <= 0.0 || quota >= cpus) return cpus;
  return std::max(1, static_cast<int>(std::ceil(quota)));
}

double cgroup_cpu_quota(const fs::path& mount, std::string_view membership) {
  double smallest = 0.0;
  for_each_cgroup(mount, membership, "cpu", [&](const fs::path& group, bool version2) {
    const double quota = quota_of(group, version2);
    if (quota > 0.0) smallest = smallest > 0.0 ? std::min(smallest, quota) : quota;
  });
  return smallest;
}

std::int64_t cgroup_memory_left(const fs::path& mount, std::string_view membership) {
  std::int64_t smallest = no_limit;
  for_each_cgroup(mount, membership, "memory", [&](const fs::path& group, bool version2) {
    smallest = std::min(smallest, memory_left_of(group, version2));
  });
  return smallest;
}

std::int64_t available_memory_bytes() {
  return std::min(kilobytes_line("/proc/meminfo", "MemAvailable"),
                  cgroup_memory_left("/sys/fs/cgroup", read_text("/proc/self/cgroup")));
}

std::int64_t peak_rss_bytes() {
  return kilobytes_line("/proc/self/status", "VmHWM");
}

std::int64_t rss_bytes() {
  return kilobytes_line("/proc/self/status", "VmRSS");
}

std::int64_t anonymous_rss_bytes() {
  return kilobytes_line("/proc/self/status", "RssAnon");
}

std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.data();
}

void advise_huge_pages(void* data, std::size_t bytes) {
  constexpr std::size_t smallest_worth = std::size_t{4} << 20;
  if (bytes < smallest_worth) return;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t skipped = (page - reinterpret_cast<std::uintptr_t>(data) % page) % page;
  // Advice only: a kernel without huge pages refuses, and nothing is lost.
  madvise(static_cast<std::byte*>(data) + skipped, bytes - skipped, MADV_HUGEPAGE);
}

}  // namespace weft
