// SPDX-License-Identifier: MIT
// K ranks against one: trains both side by side and compares loss, activations and gradients.
//
// Rank 0 also trains the whole graph as one part. Rows are compared by global id, so a difference
// is named by tensor and vertex. The measure is L2 of the difference / L2 of the single-rank
// tensor.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "graph/support/timing.hpp"
#include "trainer/engine.hpp"

namespace weft::trainer {

/// How far a tensor of K ranks is from the one of one rank.
struct TensorDifference {
  std::string name;
  double relative = 0;                   ///< L2 of the difference / L2 of the reference
  std::vector<GlobalId> worst_vertices;  ///< rows that differ most, worst first; empty for weights
  double worst_absolute = 0;             ///< largest difference of one element
};

/// One compared epoch; tensors in the order in which the epoch makes them.
struct EpochComparison {
  int epoch = 0;
  double loss = 0;               ///< of K ranks
  double reference_loss = 0;     ///< of one rank
  double gradient_relative = 0;  ///< of the whole gradient, all parameters as one vector
  std::vector<TensorDifference> tensors;

  /// The first tensor beyond `tolerance`; null if there is none.
  [[nodiscard]] const TensorDifference* first_beyond(double tolerance) const;
  [[nodiscard]] double loss_relative() const;
};

struct VerifyReport {
  double tolerance = 0;
  std::vector<EpochComparison> epochs;
  bool passed = false;  ///< loss, logits and whole gradient within tolerance at every epoch
};

/// 5e-6 in `float`, 1e-12 in `double`; 2e-2 where rows are stored as bf16.
[[nodiscard]] double default_tolerance(Precision precision);

struct VerifyOptions {
  std::vector<int> epochs{1};            ///< to compare, rising; training runs to the last
  std::optional<double> tolerance = {};  ///< default_tolerance where it is not given
  ProgressCallback progress{};           ///< called on every rank
  /// Tests damage the parts of the K-rank engine here, to see the damage noticed.
  std::function<void(EngineParts&)> tamper{};
};

/// `mine` is this rank's part; `whole` the graph as one part, on rank 0 (ignored elsewhere).
/// The report is complete on rank 0; `passed` is the same on every rank.
/// Collective
[[nodiscard]] VerifyReport verify_ranks(comm::Communicator& communicator,
                                        partition::Part mine,
                                        partition::Part whole,
                                        const RunConfig& config,
                                        const VerifyOptions& options);

}  // namespace weft::trainer
