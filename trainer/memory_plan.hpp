// SPDX-License-Identifier: MIT
// The buffers that a training run takes beside its graph and features, counted before it begins.
#pragma once

#include <cstdint>
#include <vector>

#include "layers/model.hpp"

namespace weft::trainer {

/// Rows that the buffers of one rank hold.
struct BufferRows {
  std::int64_t owned = 0;                   ///< that an evaluation computes in every layer
  std::vector<std::int64_t> train_inputs;   ///< [layers] that a training epoch reads
  std::vector<std::int64_t> train_outputs;  ///< [layers] and computes
  std::int64_t halo = 0;                    ///< rows that arrive as messages in an exchange
  std::int64_t sent = 0;                    ///< rows that leave
  std::int64_t all_halo = 0;                ///< the same with those that are read in place else
  std::int64_t all_sent = 0;
  bool are_shared = false;  ///< what layers share lies in shared memory

  /// A rank that computes everything in every epoch.
  [[nodiscard]] static BufferRows unpruned(std::int64_t owned,
                                           std::int64_t halo,
                                           std::int64_t sent,
                                           int num_layers);
};

/// Bytes by purpose.
struct PlannedBuffers {
  std::int64_t activations = 0;  ///< outputs of layers, dropped inputs, norms
  std::int64_t sums = 0;         ///< over neighbors, kept for the backward pass or for the run
  std::int64_t gradients = 0;    ///< of rows, and what layers share
  std::int64_t messages = 0;     ///< rows on their way
  std::int64_t shared = 0;       ///< memory of other ranks that is read in place
  std::int64_t scratch = 0;      ///< of kernels
  std::int64_t weights = 0;      ///< copies of the weights and of the optimizer's state

  [[nodiscard]] std::int64_t total() const {
    return activations + sums + gradients + messages + shared + scratch + weights;
  }
};

/// What `Model`, `NeighborSum` and the loop allocate in the first epoch and evaluation.
[[nodiscard]] PlannedBuffers plan_buffers(const layers::ModelSpec& model, const BufferRows& rows);

/// What ranks of a host share beside their segments' flags: rows of `Workspace::transformed`, and
/// rows that are packed in each direction.
struct SharedColumns {
  std::int64_t transformed = 0;  ///< columns in the model's storage, at most
  std::int64_t forward = 0;      ///< of sums that are not over `transformed`
  std::int64_t reverse = 0;
};

[[nodiscard]] SharedColumns shared_columns(const layers::ModelSpec& model);

/// Weights of all layers.
[[nodiscard]] std::int64_t count_weights(const layers::ModelSpec& model);

}  // namespace weft::trainer
