// SPDX-License-Identifier: MIT
// Optimizer steps: checks the lengths and passes on to the backend.
#include "kernels/optimizer_step.hpp"

#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "kernels/backends.hpp"
#include "kernels/shape_check.hpp"

namespace weft::kernels {
namespace {

void require_length(const char* operation,
                    const char* name,
                    std::size_t length,
                    std::size_t num_weights) {
  require_equal(operation, {name, static_cast<std::int64_t>(length)},
                {"length of weights", static_cast<std::int64_t>(num_weights)},
                "pass one number a weight");
}

}  // namespace

void adam_step(Context& ctx,
               const AdamSettings& settings,
               std::int64_t step,
               std::span<const Real> gradient,
               std::span<Real> weights,
               std::span<Real> first_moment,
               std::span<Real> second_moment) {
  require_length("adam_step", "length of gradient", gradient.size(), weights.size());
  require_length("adam_step", "length of first_moment", first_moment.size(), weights.size());
  require_length("adam_step", "length of second_moment", second_moment.size(), weights.size());
  if (step < 1) {
    throw InputError(text("adam_step: step ", step,
                          ", but steps count from 1; pass the number of "
                          "this step, kept in the checkpoint"));
  }
  choose_backend(ctx, "adam_step", reference::adam_step, cpu::adam_step)(
      ctx, settings, step, gradient, weights, first_moment, second_moment);
}

void sgd_step(Context& ctx,
              const SgdSettings& settings,
              std::span<const Real> gradient,
              std::span<Real> weights,
              std::span<Real> velocity) {
  require_length("sgd_step", "length of gradient", gradient.size(), weights.size());
  if (settings.momentum != 0 || !velocity.empty()) {
    require_length("sgd_step", "length of velocity", velocity.size(), weights.size());
  }
  choose_backend(ctx, "sgd_step", reference::sgd_step, cpu::sgd_step)(ctx, settings, gradient,
                                                                      weights, velocity);
}

}  // namespace weft::kernels
