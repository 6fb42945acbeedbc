// SPDX-License-Identifier: MIT
// What a forward or backward pass carries with it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "graph/support/types.hpp"
#include "kernels/context.hpp"
#include "kernels/matrix.hpp"
#include "layers/neighbor_sum.hpp"

namespace weft::layers {

/// Sees tensors by name as a pass makes them, one row for each owned vertex that the pass computes
/// (the first ones); used by `weft verify`.
using TensorObserver =
    std::function<void(const std::string& name, kernels::ConstMatrixView tensor)>;

/// Rows that live within one call of one layer only, so that all layers share them.
struct Workspace {
  /// Forward x W, backward the gradient of x W or of A x. Written to by the work around a
  /// NeighborSum only, so that its memory may be shared with the other ranks of a host.
  kernels::Matrix transformed;
};

struct Pass {
  kernels::Context& ctx;
  NeighborSum& neighbors;
  Workspace& workspace;
  std::span<const GlobalId> global_ids;  ///< [num_owned], keys of the dropout masks
  std::uint64_t seed = 1;
  std::uint32_t epoch = 0;  ///< counted from 1 in training
  bool training = false;    ///< dropout is on
  TensorObserver observer = {};
  /// Told by `backward` as soon as the gradients of a layer's parameters are final; from the last
  /// layer, counted from 0, to the first.
  std::function<void(int layer)> gradients_done = {};

  /// What `layer`, counted from 0, reads and computes in this pass.
  [[nodiscard]] const Scope& scope(int layer) const {
    return training ? neighbors.training_scope(layer) : neighbors.whole();
  }

  void observe(const std::string& name, kernels::ConstMatrixView tensor) const {
    if (observer) observer(name, tensor);
  }
  void tell_gradients_done(int layer) const {
    if (gradients_done) gradients_done(layer);
  }
};

}  // namespace weft::layers
