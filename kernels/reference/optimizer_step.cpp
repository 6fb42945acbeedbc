// SPDX-License-Identifier: MIT
// Specification of the optimizer steps: each number is updated in double precision.
#include "kernels/optimizer_step.hpp"

#include <cmath>

#include "kernels/backends.hpp"

namespace weft::kernels::reference {

void adam_step(Context&,
               const AdamSettings& settings,
               std::int64_t step,
               std::span<const Real> gradient,
               std::span<Real> weights,
               std::span<Real> first_moment,
               std::span<Real> second_moment) {
  const auto power = static_cast<double>(step);
  const double correction1 = 1.0 - std::pow(settings.beta1, power);
  const double correction2 = 1.0 - std::pow(settings.beta2, power);
  for (std::size_t i = 0; i < weights.size(); ++i) {
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
}

void sgd_step(Context&,
              const SgdSettings& settings,
              std::span<const Real> gradient,
              std::span<Real> weights,
              std::span<Real> velocity) {
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const auto weight = static_cast<double>(weights[i]);
    double change = static_cast<double>(gradient[i]) + settings.weight_decay * weight;
    if (!velocity.empty()) {
      change += settings.momentum * static_cast<double>(velocity[i]);
      velocity[i] = static_cast<Real>(change);
    }
    weights[i] = static_cast<Real>(weight - settings.learning_rate * change);
  }
}

}  // namespace weft::kernels::reference
