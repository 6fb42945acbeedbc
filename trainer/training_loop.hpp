// SPDX-License-Identifier: MIT
// The epochs of a run: train, evaluate, keep the best, report, save.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "trainer/checkpoint.hpp"
#include "trainer/engine.hpp"
#include "trainer/report.hpp"

namespace weft::trainer {

/// `epoch_done` is called on every rank after each epoch; `save` on rank 0 after 5 seconds, then at
/// growing intervals of up to a minute (or every train.checkpoint_every epochs), and at the end.
struct LoopObservers {
  std::function<void(const EpochReport&)> epoch_done;
  /// Where checkpoints go. An epoch of 0 means that there is none: no epoch was evaluated yet
  /// (best), or training has diverged (last).
  std::function<void(const TrainingState& last, const TrainingState& best)> save;
  /// True where this rank is asked to stop (by a signal, say); asked once an epoch, after its
  /// training.
  std::function<bool()> is_stopped;
};

class TrainingLoop {
 public:
  /// The engine must outlive the loop.
  TrainingLoop(comm::Communicator& communicator, Engine& engine, const RunConfig& config);

  /// Takes up a run where `last` left it; `best` is its best epoch (epoch 0 if it has none) and
  /// `reports` are those of its epochs (on rank 0).
  void resume(const TrainingState& last,
              const TrainingState& best,
              std::vector<EpochReport> reports = {});

  /// 1, or the epoch after the one that was resumed.
  [[nodiscard]] int first_epoch() const { return first_epoch_; }

  /// Runs to the last epoch; the engine is left with the weights of the last epoch.
  /// Errors   AgreedError if the ranks' weights drift apart or the loss is no number (what was best
  ///          until then is saved), or if a rank is asked to stop (all is saved)
  /// Collective
  RunSummary run(const LoopObservers& observers);

  /// Of all epochs that this run and the one that it resumed have done.
  [[nodiscard]] const std::vector<EpochReport>& reports() const { return reports_; }

  /// Puts the weights of the best epoch into the engine.
  void restore_best();

 private:
  /// What one rank tells the others about an epoch.
  struct RankNumbers {
    std::int64_t halo_bytes = 0;
    std::int64_t gradient_bytes = 0;
    std::int64_t evaluation_bytes = 0;
    std::int64_t in_place_bytes = 0;
    StepSeconds seconds{};
    std::uint64_t weight_hash = 0;  ///< where the check is due
    bool is_stopped = false;
  };
  /// What all ranks know about it.
  struct Epoch {
    EpochReport report;
    bool weights_agree = true;
    bool is_stopped = false;  ///< a rank is asked to stop
  };

  [[nodiscard]] Epoch run_epoch(int epoch, const LoopObservers& observers);
  void combine(const RankNumbers& mine, Epoch& done);
  void record_timeline(int epoch);
  void keep_if_best(const EpochReport& report);
  void check_loss(const EpochReport& report, const LoopObservers& observers);
  [[noreturn]] void throw_weights_differ(int epoch) const;
  [[nodiscard]] bool is_save_due(int epoch) const;
  void save(const LoopObservers& observers, int epoch);
  [[noreturn]] void stop(const LoopObservers& observers, int epoch);
  [[nodiscard]] double elapsed_seconds() const { return earlier_seconds_ + since_start_.seconds(); }
  [[nodiscard]] RunSummary summarize();

  comm::Communicator& communicator_;
  Engine& engine_;
  RunConfig config_;
  int first_epoch_ = 1;
  BestEpoch best_;
  TrainingState best_state_;
  std::vector<EpochReport> reports_;
  std::vector<RankNumbers> all_numbers_;      ///< of the last epoch, by rank
  std::array<double, 2> exchange_seconds_{};  ///< of this rank: under way, and waited for
  double earlier_seconds_ = 0;                ///< of the run that was resumed
  Stopwatch since_start_;
  Stopwatch since_save_;
};

}  // namespace weft::trainer
