// SPDX-License-Identifier: MIT
// One step of an optimizer on one parameter array.
#pragma once

#include <cstdint>
#include <span>

#include "graph/support/types.hpp"
#include "kernels/context.hpp"

namespace weft::kernels {

struct AdamSettings {
  double learning_rate = 0.01;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0;  ///< L2: added to the gradient before the moments (not decoupled)
};

/// Adam as in Kingma and Ba, ICLR 2015, with bias correction for step `step` = 1, 2, ...
///
/// Shapes   weights, gradient, first_moment, second_moment [n]
/// Cost     O(n) time, no allocation
void adam_step(Context& ctx,
               const AdamSettings& settings,
               std::int64_t step,
               std::span<const Real> gradient,
               std::span<Real> weights,
               std::span<Real> first_moment,
               std::span<Real> second_moment);

struct SgdSettings {
  double learning_rate = 0.01;
  double momentum = 0;
  double weight_decay = 0;  ///< L2: added to the gradient
};

/// v = momentum * v + (gradient + decay * w); w -= lr * v. Without momentum `velocity` may be
/// empty.
///
/// Shapes   weights, gradient [n], velocity [n] or empty
/// Cost     O(n) time, no allocation
void sgd_step(Context& ctx,
              const SgdSettings& settings,
              std::span<const Real> gradient,
              std::span<Real> weights,
              std::span<Real> velocity);

}  // namespace weft::kernels
