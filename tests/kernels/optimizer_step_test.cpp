// SPDX-License-Identifier: MIT
// Optimizer steps against ten-line references in double precision, over a thousand steps.
#include "kernels/optimizer_step.hpp"

#include "tests/kernels/kernel_test_support.hpp"

namespace weft::kernels {
namespace {

constexpr std::size_t num_weights = 203;
constexpr int num_steps = 1000;

/// A gradient that depends on the weight and the step: noisy, and of very different sizes.
double gradient_of(double weight, std::size_t i, int step) {
  const double size = i % 3 == 0 ? 1e-4 : i % 3 == 1 ? 1.0 : 50.0;
  return size * (weight + std::sin(0.37 * static_cast<double>(i) + 0.11 * step));
}

/// Adam in double precision.
struct AdamReference {
  double weight = 0;
  double m = 0;
  double v = 0;

  void step(const AdamSettings& s, int t, double gradient) {
    const double g = gradient + s.weight_decay * weight;
    m = s.beta1 * m + (1 - s.beta1) * g;
    v = s.beta2 * v + (1 - s.beta2) * g * g;
    const double m_hat = m / (1 - std::pow(s.beta1, t));
    const double v_hat = v / (1 - std::pow(s.beta2, t));
    weight -= s.learning_rate * m_hat / (std::sqrt(v_hat) + s.epsilon);
  }
};

/// Runs Adam with two decay groups and a decaying rate; returns the worst error.
double adam_error(Context& ctx) {
  std::vector<Real> weights = test::random_vector(num_weights, 1);
  std::vector<Real> m(num_weights, 0);
  std::vector<Real> v(num_weights, 0);
  std::vector<Real> gradient(num_weights);
  std::vector<AdamReference> expected(num_weights);
  for (std::size_t i = 0; i < num_weights; ++i)
    expected[i].weight = static_cast<double>(weights[i]);
  const std::size_t first_group = num_weights / 2;
  AdamSettings settings;
  for (int step = 1; step <= num_steps; ++step) {
    settings.learning_rate = 0.01 * std::pow(0.97, step / 100);
    for (std::size_t i = 0; i < num_weights; ++i) {
      gradient[i] = static_cast<Real>(gradient_of(expected[i].weight, i, step));
      settings.weight_decay = i < first_group ? 5e-4 : 0.0;
      expected[i].step(settings, step, static_cast<double>(gradient[i]));
    }
    const std::span<const Real> g(gradient);
    const std::span<Real> w(weights);
    settings.weight_decay = 5e-4;
    adam_step(ctx, settings, step, g.first(first_group), w.first(first_group),
              std::span(m).first(first_group), std::span(v).first(first_group));
    settings.weight_decay = 0;
    adam_step(ctx, settings, step, g.subspan(first_group), w.subspan(first_group),
              std::span(m).subspan(first_group), std::span(v).subspan(first_group));
  }
  double worst = 0;
  for (std::size_t i = 0; i < num_weights; ++i) {
    worst = std::max(worst, std::abs(static_cast<double>(weights[i]) - expected[i].weight));
  }
  return worst;
}

TEST(OptimizerStep, AdamFollowsTheDoubleReferenceFor1000Steps) {
  const double tolerance = sizeof(Real) == 4 ? 2e-5 : 1e-12;
  Context reference(1, Backend::reference);
  EXPECT_LT(adam_error(reference), tolerance);
  test::for_every_cpu_setting([&](Context& ctx) { EXPECT_LT(adam_error(ctx), tolerance); });
}

TEST(OptimizerStep, FirstAdamStepHasTheSizeOfTheRate) {
  // After bias correction the first change is lr * g / (|g| + epsilon), whatever the gradient.
  for (const Backend backend : {Backend::reference, Backend::cpu}) {
    Context ctx(1, backend);
    std::vector<Real> weights{1, 1};
    std::vector<Real> m(2, 0);
    std::vector<Real> v(2, 0);
    const std::vector<Real> gradient{Real{0.001F}, -1000};
    adam_step(ctx, {}, 1, gradient, weights, m, v);
    EXPECT_NEAR(static_cast<double>(weights[0]), 0.99, 1e-6);
    EXPECT_NEAR(static_cast<double>(weights[1]), 1.01, 1e-6);
  }
}

TEST(OptimizerStep, SgdHandValues) {
  for (const Backend backend : {Backend::reference, Backend::cpu}) {
    Context ctx(1, backend);
    std::vector<Real> weights{2};
    std::vector<Real> velocity{4};
    const std::vector<Real> gradient{1};
    // v = 0.5 * 4 + (1 + 0.25 * 2) = 3.5; w = 2 - 0.5 * 3.5
    sgd_step(ctx, {0.5, 0.5, 0.25}, gradient, weights, velocity);
    EXPECT_EQ(velocity[0], Real{3.5F});
    EXPECT_EQ(weights[0], Real{0.25F});
    sgd_step(ctx, {0.5, 0, 0}, gradient, weights, {});
    EXPECT_EQ(weights[0], Real{-0.25F});
  }
}

TEST(OptimizerStep, SgdWithMomentumFollowsTheDoubleReference) {
  const SgdSettings settings{0.01, 0.9, 1e-3};
  const double tolerance = sizeof(Real) == 4 ? 2e-5 : 1e-12;
  test::for_every_cpu_setting([&](Context& ctx) {
    std::vector<Real> weights = test::random_vector(num_weights, 2);
    std::vector<Real> velocity(num_weights, 0);
    std::vector<Real> gradient(num_weights);
    std::vector<double> w(weights.begin(), weights.end());
    std::vector<double> v(num_weights, 0);
    for (int step = 1; step <= num_steps; ++step) {
      for (std::size_t i = 0; i < num_weights; ++i) {
        gradient[i] = static_cast<Real>(0.02 * gradient_of(w[i], i, step));
        v[i] = 0.9 * v[i] + static_cast<double>(gradient[i]) + 1e-3 * w[i];
        w[i] -= 0.01 * v[i];
      }
      sgd_step(ctx, settings, gradient, weights, velocity);
    }
    for (std::size_t i = 0; i < num_weights; ++i) {
      EXPECT_NEAR(static_cast<double>(weights[i]), w[i], tolerance);
    }
  });
}

TEST(OptimizerStep, WrongLengthsAndStepsAreRefused) {
  Context ctx(1);
  std::vector<Real> two(2, 0);
  std::vector<Real> more(2, 0);
  std::vector<Real> moments(2, 0);
  std::vector<Real> three(3, 0);
  EXPECT_THROW(adam_step(ctx, {}, 0, two, two, more, moments), InputError);
  EXPECT_THROW(adam_step(ctx, {}, 1, three, two, more, moments), InputError);
  EXPECT_THROW(adam_step(ctx, {}, 1, two, two, three, moments), InputError);
  EXPECT_THROW(sgd_step(ctx, {0.1, 0.9, 0}, two, more, {}), InputError);
  EXPECT_THROW(sgd_step(ctx, {}, three, two, {}), InputError);
}

}  // namespace
}  // namespace weft::kernels
