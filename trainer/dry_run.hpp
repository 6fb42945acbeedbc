// SPDX-License-Identifier: MIT
// `weft train --dry-run`: memory, bytes and predicted time for 1 to 64 ranks, without training.
#pragma once

#include <string>

#include "graph/support/timing.hpp"
#include "trainer/config.hpp"

namespace weft::trainer {

/// The table for K = 1, 2, 4, ..., 64 ranks (as far as there are vertices). Each K is partitioned
/// in memory with the configured method, so the bytes are those that the run would send; times are
/// predicted from rates measured here and a link of 10 Gbit/s for each rank.
///
/// Cost     one partitioning for each K; nothing is written
/// Errors   InputError: no dataset, no features, no labels
[[nodiscard]] std::string dry_run_report(const RunConfig& config, const ProgressCallback& progress);

}  // namespace weft::trainer
