// SPDX-License-Identifier: MIT
// The state of a run on disk: weights by name, optimizer moments, epoch and what it belongs to.
//
// The file is safetensors, so that the weights open elsewhere. Weights are replicated, so a
// checkpoint does not depend on the number of ranks or on the partition.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "trainer/engine.hpp"
#include "trainer/report.hpp"

namespace weft::trainer {

/// A copy of what training changes.
///
/// Shapes   weights [P], moments [P] or empty, with P the size of the parameter store
struct TrainingState {
  int epoch = 0;
  std::int64_t num_steps = 0;
  std::vector<Real> weights;
  std::vector<Real> first_moment;
  std::vector<Real> second_moment;
  BestEpoch best;  ///< as of this epoch
};

/// Copies the engine's state into `state`; allocates at the first call only.
void capture_state(Engine& engine, int epoch, TrainingState& state);

/// Puts `state` into the engine: weights, moments, number of steps.
void restore_state(const TrainingState& state, Engine& engine);

/// What a checkpoint belongs to.
struct CheckpointOrigin {
  std::uint64_t dataset_fingerprint = 0;
  std::string config_toml;
};

/// Writes `state` to `path` atomically, with the names and shapes of the engine's parameters.
void write_checkpoint(const std::filesystem::path& path,
                      const TrainingState& state,
                      Engine& engine,
                      const CheckpointOrigin& origin);

/// Reads a checkpoint for `engine`.
/// Errors   InputError: not a checkpoint, shapes of another model (both are named), another
///          dataset (where `dataset_fingerprint` is not 0)
[[nodiscard]] TrainingState read_checkpoint(const std::filesystem::path& path,
                                            Engine& engine,
                                            std::uint64_t dataset_fingerprint);

}  // namespace weft::trainer
