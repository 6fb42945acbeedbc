// SPDX-License-Identifier: MIT
// What a run tells: a line of numbers an epoch, and a summary.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trainer/engine.hpp"

namespace weft::trainer {

/// One epoch, reduced over ranks: losses and accuracies are global, times are the slowest rank's.
struct EpochReport {
  int epoch = 0;
  double loss = 0;                       ///< of the training forward pass (dropout on)
  std::optional<Evaluation> evaluation;  ///< in epochs that evaluate
  StepSeconds seconds{};                 ///< by step
  double epoch_seconds = 0;              ///< all steps but evaluation
  std::int64_t halo_bytes = 0;           ///< sent by all ranks, evaluation excluded
  std::int64_t in_place_bytes = 0;       ///< read in shared memory instead, evaluation excluded
  std::int64_t evaluation_bytes = 0;     ///< halo rows sent by all ranks for the evaluation
  std::int64_t gradient_bytes = 0;       ///< handed to the sums over ranks, by all
};

/// The best epoch so far, by validation accuracy (the first of equals); the last epoch where the
/// split has no validation vertex.
struct BestEpoch {
  int epoch = 0;
  Evaluation evaluation;
  double seconds = 0;  ///< since training began
};

/// What `summary.json` says.
struct RunSummary {
  std::string model;
  int ranks = 1;
  std::uint64_t seed = 1;
  int epochs = 0;
  BestEpoch best;
  double final_loss = 0;
  double epoch_seconds_median = 0;
  double load_seconds = 0;
  std::int64_t bytes_sent_per_epoch = 0;
  std::int64_t bytes_in_place_per_epoch = 0;
  std::int64_t gradient_bytes_per_epoch = 0;
  /// Of the time that exchanges of training epochs were under way, over all ranks, the share in
  /// which their rank computed; NaN where nothing was exchanged.
  double exchange_hidden_share = 0;
  std::int64_t peak_rss_bytes = 0;         ///< largest of the ranks
  std::int64_t memory_estimate_bytes = 0;  ///< of that, before the first epoch
  std::uint64_t weight_hash = 0;
  Savings savings;
};

/// One line of metrics.jsonl, without the newline; what is undefined is null. Times stand under
/// "seconds", so that two runs can be compared by all that is not time.
[[nodiscard]] std::string metrics_line(const EpochReport& report);

/// The report that `metrics_line` wrote; nothing where the line is none of ours (cut off, for one).
[[nodiscard]] std::optional<EpochReport> parse_metrics_line(const std::string& line);

/// summary.json, indented.
[[nodiscard]] std::string summary_json(const RunSummary& summary);

/// The line for people: "epoch 12/200  loss 1.2345  train 0.91  val 0.78  test 0.79  12.3 ms".
[[nodiscard]] std::string epoch_line(const EpochReport& report, int num_epochs);

/// Four decimals; "-" for what is undefined.
[[nodiscard]] std::string metric_text(double value);

/// Median of `values`; 0 of none.
[[nodiscard]] double median(std::vector<double> values);

}  // namespace weft::trainer
