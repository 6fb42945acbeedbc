// SPDX-License-Identifier: MIT
// Adam and SGD over a parameter store, with one weight decay a layer.
//
// Weight decay is the L2 kind: added to the gradient, once, after the gradients of all ranks have
// been summed. State is replicated: equal gradients give equal weights on every rank.
#pragma once

#include <cstdint>

#include "kernels/context.hpp"
#include "kernels/matrix.hpp"
#include "layers/parameters.hpp"
#include "trainer/config.hpp"

namespace weft::trainer {

class Optimizer {
 public:
  Optimizer(const OptimizerConfig& config, layers::ParameterStore& store);

  /// One step with the store's gradients.
  void step(kernels::Context& ctx);

  [[nodiscard]] std::int64_t num_steps() const { return num_steps_; }
  void set_num_steps(std::int64_t num_steps) { num_steps_ = num_steps; }
  /// Adam: first and second moments. SGD: `first_moment` holds the velocity. [1 x store.size()],
  /// or empty where the method has none.
  [[nodiscard]] kernels::Matrix& first_moment() { return first_moment_; }
  [[nodiscard]] kernels::Matrix& second_moment() { return second_moment_; }

 private:
  void step_adam(kernels::Context& ctx, const layers::Parameter& parameter, std::size_t id);
  void step_sgd(kernels::Context& ctx, const layers::Parameter& parameter, std::size_t id);

  OptimizerConfig config_;
  layers::ParameterStore* store_;
  std::int64_t num_steps_ = 0;
  kernels::Matrix first_moment_;
  kernels::Matrix second_moment_;
};

}  // namespace weft::trainer
