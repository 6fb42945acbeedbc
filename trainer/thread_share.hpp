// SPDX-License-Identifier: MIT
// How many threads a rank starts: the CPUs of a host are shared out among its ranks once, whether a
// launcher has bound the ranks to CPUs of their own, or to shared ones, or not at all.
#pragma once

#include <cstddef>
#include <vector>

#include "comm/communicator.hpp"

namespace weft::trainer {

/// Share of rank `mine` of its host: each CPU that it may use counts 1 / (ranks of the host that
/// may use it), and never more than `quota` CPUs (0 = no quota) are dealt out among all; at
/// least 1.
///
/// Shapes   cpus[r] = CPU numbers that rank r of the host may use
[[nodiscard]] int thread_share(const std::vector<std::vector<int>>& cpus,
                               std::size_t mine,
                               double quota);

/// Threads of this rank: `configured`, or its share of the host where that is 0.
/// Collective
[[nodiscard]] int threads_of_rank(comm::Communicator& communicator, int configured);

}  // namespace weft::trainer
