// SPDX-License-Identifier: MIT
// The model of the epoch benchmarks, and an engine that trains it.
#pragma once

#include "comm/communicator.hpp"
#include "partition/part.hpp"
#include "tests/bench/bench_support.hpp"
#include "trainer/engine.hpp"

namespace weft::bench {

/// 3 layers 128-hidden-hidden-40 without dropout: --model gcn|sage, --hidden N.
///
/// Errors   InputError for another model
[[nodiscard]] trainer::RunConfig config_of(const Options& options, int num_threads);

/// An engine whose next epoch is one call.
class Trained {
 public:
  /// Collective, as is `train`
  Trained(comm::Communicator& communicator, partition::Part part, const trainer::RunConfig& config);

  /// Returns the loss.
  double train() { return engine_.train_epoch(++epoch_); }
  [[nodiscard]] trainer::Engine& engine() { return engine_; }

 private:
  trainer::Engine engine_;
  int epoch_ = 0;
};

}  // namespace weft::bench
