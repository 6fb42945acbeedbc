// SPDX-License-Identifier: MIT
// Ranks tell each other their CPUs as text, "HOST CPU CPU ...", once at the start.
#include "trainer/thread_share.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>

#include "comm/launcher.hpp"
#include "graph/support/process.hpp"

namespace weft::trainer {

namespace {

std::string describe_own_cpus() {
  std::ostringstream line;
  line << comm::host_key();
  for (const int cpu : affinity_cpus())
    line << ' ' << cpu;
  return line.str();
}

/// The CPUs of the ranks that share this rank's host, and this rank's place among them.
struct HostCpus {
  std::vector<std::vector<int>> cpus;
  std::size_t mine = 0;
};

HostCpus gather_host_cpus(comm::Communicator& communicator) {
  HostCpus result;
  const std::vector<std::string> lines = communicator.all_gather(describe_own_cpus());
  for (std::size_t rank = 0; rank < lines.size(); ++rank) {
    std::istringstream words(lines[rank]);
    std::uint64_t host = 0;
    words >> host;
    if (host != comm::host_key()) continue;
    if (static_cast<int>(rank) == communicator.rank()) result.mine = result.cpus.size();
    result.cpus.emplace_back();
    for (int cpu = 0; words >> cpu;)
      result.cpus.back().push_back(cpu);
  }
  return result;
}

}  // namespace

int thread_share(const std::vector<std::vector<int>>& cpus, std::size_t mine, double quota) {
  std::map<int, int> num_sharers;
  for (const std::vector<int>& of_rank : cpus) {
    for (const int cpu : of_rank)
      ++num_sharers[cpu];
  }
  double share = 0;
  for (const int cpu : cpus[mine])
    share += 1.0 / num_sharers[cpu];
  if (quota > 0) share = std::min(share, std::ceil(quota) / static_cast<double>(cpus.size()));
  constexpr double rounding = 1e-9;  // three thirds are one
  return std::max(1, static_cast<int>(std::floor(share + rounding)));
}

int threads_of_rank(comm::Communicator& communicator, int configured) {
  const HostCpus host = gather_host_cpus(communicator);
  return configured > 0 ? configured : thread_share(host.cpus, host.mine, cpu_quota());
}

}  // namespace weft::trainer
