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
  BestEpoch best;              ///< as of this epoch
  double elapsed_seconds = 0;  ///< of training, over all that led here
};

/// Copies the engine's state into `state`; allocates at the first call only.
void capture_state(Engine& engine, int epoch, TrainingState& state);

/// Puts `state` into the engine: weights, moments, number of steps.
void restore_state(const TrainingState& state, Engine& engine);

/// Gives every rank the state of rank 0. Only rank 0 reads checkpoints: other hosts need no copy.
/// Shapes   `state` as `capture_state` fills it, on every rank
/// Collective
void share_state(comm::Communicator& communicator, TrainingState& state);

/// What a checkpoint belongs to, and what the model takes along to another dataset.
struct CheckpointOrigin {
  std::uint64_t dataset_fingerprint = 0;
  std::string config_toml;
  int num_classes = 0;
  std::int64_t num_features = 0;
  std::vector<std::string> class_names{};  ///< empty = classes are numbers
  FeatureStatistics statistics{};
};

/// The same for what the checkpoint takes along, but for its texts.
/// Collective
void share_origin(comm::Communicator& communicator, CheckpointOrigin& origin);

/// Writes `state` to `path` atomically, with the names and shapes of the engine's parameters.
void write_checkpoint(const std::filesystem::path& path,
                      const TrainingState& state,
                      Engine& engine,
                      const CheckpointOrigin& origin);

/// Errors   InputError: not a checkpoint
[[nodiscard]] CheckpointOrigin read_checkpoint_origin(const std::filesystem::path& path);

/// Reads a checkpoint for `engine`.
/// Errors   InputError: not a checkpoint, shapes of another model (both are named), another
///          dataset (where `dataset_fingerprint` is not 0)
[[nodiscard]] TrainingState read_checkpoint(const std::filesystem::path& path,
                                            Engine& engine,
                                            std::uint64_t dataset_fingerprint);

}  // namespace weft::trainer
