// SPDX-License-Identifier: MIT
// Walks the parameters and hands each to the step of its method.
#include "trainer/optimizer.hpp"

#include "kernels/optimizer_step.hpp"

namespace weft::trainer {

namespace {

std::span<Real> part_of(kernels::Matrix& block, const layers::Parameter& parameter) {
  return block.values().subspan(static_cast<std::size_t>(parameter.offset),
                                static_cast<std::size_t>(parameter.size()));
}

}  // namespace

Optimizer::Optimizer(const OptimizerConfig& config, layers::ParameterStore& store)
    : config_(config), store_(&store) {
  const bool is_adam = config.name == OptimizerName::adam;
  if (is_adam || config.momentum != 0) first_moment_.resize(1, store.size());
  if (is_adam) second_moment_.resize(1, store.size());
  first_moment_.fill(0);
  second_moment_.fill(0);
}

void Optimizer::step(kernels::Context& ctx) {
  ++num_steps_;
  const auto& parameters = store_->parameters();
  for (std::size_t id = 0; id < parameters.size(); ++id) {
    if (config_.name == OptimizerName::adam) {
      step_adam(ctx, parameters[id], id);
    } else {
      step_sgd(ctx, parameters[id], id);
    }
  }
}

void Optimizer::step_adam(kernels::Context& ctx,
                          const layers::Parameter& parameter,
                          std::size_t id) {
  const double decay = config_.weight_decay_of(static_cast<std::size_t>(parameter.layer));
  const kernels::AdamSettings settings{config_.lr, config_.betas[0], config_.betas[1],
                                       config_.epsilon, decay};
  kernels::adam_step(ctx, settings, num_steps_, store_->gradient_span(id), store_->value_span(id),
                     part_of(first_moment_, parameter), part_of(second_moment_, parameter));
}

void Optimizer::step_sgd(kernels::Context& ctx,
                         const layers::Parameter& parameter,
                         std::size_t id) {
  const double decay = config_.weight_decay_of(static_cast<std::size_t>(parameter.layer));
  const kernels::SgdSettings settings{config_.lr, config_.momentum, decay};
  const std::span<Real> velocity =
      config_.momentum != 0 ? part_of(first_moment_, parameter) : std::span<Real>{};
  kernels::sgd_step(ctx, settings, store_->gradient_span(id), store_->value_span(id), velocity);
}

}  // namespace weft::trainer
