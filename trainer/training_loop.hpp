// SPDX-License-Identifier: MIT
// The epochs of a run: train, evaluate, keep the best, report, save.
#pragma once

#include <functional>
#include <vector>

#include "trainer/checkpoint.hpp"
#include "trainer/engine.hpp"
#include "trainer/report.hpp"

namespace weft::trainer {

/// Called on every rank after each epoch, and when the best weights changed since the last call
/// and the last epoch is over.
struct LoopObservers {
  std::function<void(const EpochReport&)> epoch_done;
  /// Where checkpoints go; called on rank 0 with what there is to save.
  std::function<void(const TrainingState& last, const TrainingState& best)> save;
  double save_interval_seconds = 60;  ///< at the end always
};

class TrainingLoop {
 public:
  /// The engine must outlive the loop.
  TrainingLoop(comm::Communicator& communicator, Engine& engine, const RunConfig& config);

  /// Takes up a run where `last` left it; `best` is its best epoch.
  void resume(const TrainingState& last, const TrainingState& best);

  /// 1, or the epoch after the one that was resumed.
  [[nodiscard]] int first_epoch() const { return first_epoch_; }

  /// Runs to the last epoch; the engine is left with the weights of the last epoch.
  /// Errors   RuntimeError if the ranks' weights drift apart
  /// Collective
  RunSummary run(const LoopObservers& observers);

  /// Puts the weights of the best epoch into the engine.
  void restore_best();

 private:
  [[nodiscard]] EpochReport run_epoch(int epoch);
  void keep_if_best(const EpochReport& report);
  void check_weights(int epoch);
  void save(const LoopObservers& observers, int epoch);
  [[nodiscard]] RunSummary summarize(double final_loss);

  comm::Communicator& communicator_;
  Engine& engine_;
  RunConfig config_;
  int first_epoch_ = 1;
  BestEpoch best_;
  TrainingState best_state_;
  std::vector<EpochReport> reports_;
  Stopwatch since_start_;
  Stopwatch since_save_;
};

}  // namespace weft::trainer
