// SPDX-License-Identifier: MIT
// Adam and SGD against a double-precision reference over 1,000 steps, two groups of decay (T7).
#include "trainer/optimizer.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace weft::trainer {
namespace {

/// Gradient of a quadratic bowl with a different curvature in each weight.
double gradient_at(std::size_t i, double w, int step) {
  return (1.0 + 0.1 * static_cast<double>(i)) * (w - 0.5) + 0.05 * std::sin(0.1 * step);
}

struct Reference {
  std::vector<double> w;
  std::vector<double> m;
  std::vector<double> v;
};

void adam_reference(Reference& r, int step, const std::vector<double>& decay) {
  for (std::size_t i = 0; i < r.w.size(); ++i) {
    const double g = gradient_at(i, r.w[i], step) + decay[i] * r.w[i];
    r.m[i] = 0.9 * r.m[i] + 0.1 * g;
    r.v[i] = 0.999 * r.v[i] + 0.001 * g * g;
    const double mean = r.m[i] / (1 - std::pow(0.9, step));
    const double square = r.v[i] / (1 - std::pow(0.999, step));
    r.w[i] -= 0.01 * mean / (std::sqrt(square) + 1e-8);
  }
}

void sgd_reference(Reference& r, int step, const std::vector<double>& decay) {
  for (std::size_t i = 0; i < r.w.size(); ++i) {
    const double g = gradient_at(i, r.w[i], step) + decay[i] * r.w[i];
    r.m[i] = 0.9 * r.m[i] + g;
    r.w[i] -= 0.01 * r.m[i];
  }
}

class OptimizerOf : public ::testing::TestWithParam<OptimizerName> {};

TEST_P(OptimizerOf, FollowsTheReferenceFor1000Steps) {
  layers::ParameterStore store;
  store.add("first", 0, 3, 5);
  store.add("second", 1, 1, 7);
  store.allocate();
  OptimizerConfig config;
  config.name = GetParam();
  config.momentum = 0.9;
  config.weight_decay = {0.1, 0.0};
  Optimizer optimizer(config, store);
  kernels::Context ctx(1);
  const std::size_t n = 22;
  Reference reference{std::vector<double>(n), std::vector<double>(n, 0.0),
                      std::vector<double>(n, 0.0)};
  std::vector<double> decay(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    store.values()[i] = static_cast<Real>(0.1 * static_cast<double>(i) - 1);
    reference.w[i] = static_cast<double>(store.values()[i]);
    if (i < 15) decay[i] = 0.1;
  }
  for (int step = 1; step <= 1000; ++step) {
    for (std::size_t i = 0; i < n; ++i) {
      const auto w = static_cast<double>(store.values()[i]);
      store.gradients()[i] = static_cast<Real>(gradient_at(i, w, step));
    }
    optimizer.step(ctx);
    if (config.name == OptimizerName::adam) {
      adam_reference(reference, step, decay);
    } else {
      sgd_reference(reference, step, decay);
    }
  }
  EXPECT_EQ(optimizer.num_steps(), 1000);
  const double bound = sizeof(Real) == sizeof(double) ? 1e-11 : 2e-5;
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(static_cast<double>(store.values()[i]), reference.w[i], bound) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Optimizers,
                         OptimizerOf,
                         ::testing::Values(OptimizerName::adam, OptimizerName::sgd),
                         [](const auto& p) { return std::string(name_of(p.param)); });

}  // namespace
}  // namespace weft::trainer
