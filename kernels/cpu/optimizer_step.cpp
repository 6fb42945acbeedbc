// SPDX-License-Identifier: MIT
// Optimizer steps: elementwise, in double precision, stored as Real.
#include "kernels/optimizer_step.hpp"

#include <cmath>

#include "kernels/backends.hpp"
#include "kernels/cpu/tasks.hpp"

namespace weft::kernels::cpu {

void adam_step(Context& ctx,
               const AdamSettings& settings,
               std::int64_t step,
               std::span<const Real> gradient,
               std::span<Real> weights,
               std::span<Real> first_moment,
               std::span<Real> second_moment) {
  const auto power = static_cast<double>(step);
  const double correction1 = 1.0 - std::pow(settings.beta1, power);
  const double correction2 = 1.0 - std::pow(settings.beta2, power);
  const auto num_weights = static_cast<std::int64_t>(weights.size());
  for_row_blocks(ctx, num_weights, 4, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      const auto weight = static_cast<double>(weights[i]);
      const double g = static_cast<double>(gradient[i]) + settings.weight_decay * weight;
      const double m =
          settings.beta1 * static_cast<double>(first_moment[i]) + (1.0 - settings.beta1) * g;
      const double v =
          settings.beta2 * static_cast<double>(second_moment[i]) + (1.0 - settings.beta2) * g * g;
      const double change = (m / correction1) / (std::sqrt(v / correction2) + settings.epsilon);
      first_moment[i] = static_cast<Real>(m);
      second_moment[i] = static_cast<Real>(v);
      weights[i] = static_cast<Real>(weight - settings.learning_rate * change);
    }
  });
}

void sgd_step(Context& ctx,
              const SgdSettings& settings,
              std::span<const Real> gradient,
              std::span<Real> weights,
              std::span<Real> velocity) {
  const auto num_weights = static_cast<std::int64_t>(weights.size());
  const bool has_velocity = !velocity.empty();
  for_row_blocks(ctx, num_weights, 4, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
      const auto weight = static_cast<double>(weights[i]);
      double change = static_cast<double>(gradient[i]) + settings.weight_decay * weight;
      if (has_velocity) {
        change += settings.momentum * static_cast<double>(velocity[i]);
        velocity[i] = static_cast<Real>(change);
      }
      weights[i] = static_cast<Real>(weight - settings.learning_rate * change);
    }
  });
}

}  // namespace weft::kernels::cpu
