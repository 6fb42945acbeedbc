// SPDX-License-Identifier: MIT
// LayerNorm: hand values, the cpu backend against the reference, and gradients against finite
// differences of the reference.
#include "kernels/layer_norm.hpp"

#include "tests/kernels/kernel_test_support.hpp"

namespace weft::kernels {
namespace {

using test::StridedMatrix;

struct Gradients {
  Gradients(std::int64_t num_rows, std::int64_t dim)
      : x(num_rows, dim),
        gamma(static_cast<std::size_t>(dim)),
        beta(static_cast<std::size_t>(dim)) {}
  StridedMatrix x;
  std::vector<Real> gamma;
  std::vector<Real> beta;
};

TEST(LayerNorm, HandValues) {
  for (const Backend backend : {Backend::reference, Backend::cpu}) {
    Context ctx(1, backend);
    Matrix x(1, 2);
    x.at(0, 0) = 1;
    x.at(0, 1) = 5;  // mean 3, variance 4
    const std::vector<Real> gamma{2, 3};
    const std::vector<Real> beta{10, 20};
    Matrix y(1, 2);
    layer_norm(ctx, x.view(), gamma, beta, y.view(), RowSet::range(0, 1));
    const double sigma = std::sqrt(4 + layer_norm_epsilon);
    EXPECT_NEAR(static_cast<double>(y.at(0, 0)), 10 - 2 * 2 / sigma, 1e-5);
    EXPECT_NEAR(static_cast<double>(y.at(0, 1)), 20 + 3 * 2 / sigma, 1e-5);
  }
}

TEST(LayerNorm, ConstantRowsGiveBeta) {
  Context ctx(1);
  Matrix x(1, 5);
  x.fill(10000);
  const std::vector<Real> gamma(5, 2);
  const std::vector<Real> beta(5, 3);
  layer_norm(ctx, x.view(), gamma, beta, x.view(), RowSet::range(0, 1));
  for (const Real value : x.values())
    EXPECT_EQ(value, 3);
}

TEST(LayerNorm, LargeMeansKeepTheVariance) {
  Context ctx(1);
  Matrix x(1, 64);
  for (std::int64_t c = 0; c < 64; ++c)
    x.at(0, c) = static_cast<Real>(c % 2 == 0 ? 9999 : 10001);
  const std::vector<Real> gamma(64, 1);
  const std::vector<Real> beta(64, 0);
  Matrix y(1, 64);
  layer_norm(ctx, x.view(), gamma, beta, y.view(), RowSet::range(0, 1));
  for (std::int64_t c = 0; c < 64; ++c) {
    EXPECT_NEAR(static_cast<double>(y.at(0, c)), c % 2 == 0 ? -1 : 1, 1e-4);
  }
}

TEST(LayerNorm, CpuEqualsReference) {
  Context reference(1, Backend::reference);
  for (const std::int64_t dim : {1, 2, 7, 8, 31, 64, 129}) {
    SCOPED_TRACE(text("dim ", dim));
    const std::int64_t n = 1500;
    const auto width = static_cast<std::size_t>(dim);
    StridedMatrix x = test::random_matrix(n, dim, 1);
    StridedMatrix grad_y = test::random_matrix(n, dim, 2);
    const std::vector<Real> gamma = test::random_vector(width, 3);
    const std::vector<Real> beta = test::random_vector(width, 4);
    const RowSet rows = RowSet::range(3, n);
    StridedMatrix expected(n, dim);
    Gradients expected_grad(n, dim);
    layer_norm(reference, x.view(), gamma, beta, expected.view(), rows);
    layer_norm_backward(reference, x.view(), gamma, grad_y.view(), expected_grad.x.view(),
                        expected_grad.gamma, expected_grad.beta, rows);
    std::vector<Real> first;
    test::for_every_cpu_setting([&](Context& ctx) {
      StridedMatrix y(n, dim);
      Gradients grad(n, dim);
      layer_norm(ctx, x.view(), gamma, beta, y.view(), rows);
      layer_norm_backward(ctx, x.view(), gamma, grad_y.view(), grad.x.view(), grad.gamma, grad.beta,
                          rows);
      test::expect_close(y.view(), expected.view(), test::sum_tolerance);
      test::expect_close(grad.x.view(), expected_grad.x.view(), test::sum_tolerance);
      test::expect_close(test::as_row(grad.gamma), test::as_row(expected_grad.gamma),
                         test::sum_tolerance);
      test::expect_close(test::as_row(grad.beta), test::as_row(expected_grad.beta),
                         test::sum_tolerance);
      if (ctx.num_threads() == 1) first = grad.gamma;
      EXPECT_TRUE(test::same_bits(grad.gamma, first));
    });
  }
}

TEST(LayerNorm, RowBitsDependOnNothingButTheRow) {
  StridedMatrix x = test::random_matrix(100, 37, 5);
  const std::vector<Real> gamma = test::random_vector(37, 6);
  const std::vector<Real> beta = test::random_vector(37, 7);
  test::expect_rows_are_independent(100, 37, [&](Context& ctx, RowSet rows, MatrixView y) {
    layer_norm(ctx, x.view(), gamma, beta, y, rows);
  });
}

/// <weights, layer_norm(x)>: a scalar whose gradient with respect to y is `weights`.
double loss(ConstMatrixView x,
            std::span<const Real> gamma,
            std::span<const Real> beta,
            ConstMatrixView weights) {
  Context ctx(1, Backend::reference);
  Matrix y(x.num_rows, x.num_columns);
  layer_norm(ctx, x, gamma, beta, y.view(), RowSet::range(0, x.num_rows));
  double sum = 0;
  for (std::int64_t r = 0; r < x.num_rows; ++r) {
    for (std::int64_t c = 0; c < x.num_columns; ++c) {
      sum += static_cast<double>(y.at(r, c)) * static_cast<double>(weights.at(r, c));
    }
  }
  return sum;
}

/// Central difference of loss() in one number.
template <typename Loss>
double slope(Real& number, const Loss& loss_now) {
  const double step = sizeof(Real) == 4 ? 1e-2 : 1e-5;
  const Real before = number;
  number = static_cast<Real>(static_cast<double>(before) + step);
  const double above = loss_now();
  number = static_cast<Real>(static_cast<double>(before) - step);
  const double below = loss_now();
  number = before;
  return (above - below) / (2 * step);
}

TEST(LayerNorm, GradientsEqualFiniteDifferences) {
  const double tolerance = sizeof(Real) == 4 ? 5e-3 : 1e-8;
  StridedMatrix x = test::random_matrix(3, 6, 8);
  StridedMatrix weights = test::random_matrix(3, 6, 9);
  std::vector<Real> gamma = test::random_vector(6, 10);
  std::vector<Real> beta = test::random_vector(6, 11);
  Gradients grad(3, 6);
  Context ctx(2);
  layer_norm_backward(ctx, x.view(), gamma, weights.view(), grad.x.view(), grad.gamma, grad.beta,
                      RowSet::range(0, 3));
  const auto now = [&] { return loss(x.view(), gamma, beta, weights.view()); };
  for (std::size_t c = 0; c < 6; ++c) {
    EXPECT_NEAR(slope(gamma[c], now), static_cast<double>(grad.gamma[c]), tolerance);
    EXPECT_NEAR(slope(beta[c], now), static_cast<double>(grad.beta[c]), tolerance);
    for (std::int64_t r = 0; r < 3; ++r) {
      const auto column = static_cast<std::int64_t>(c);
      EXPECT_NEAR(slope(x.view().at(r, column), now),
                  static_cast<double>(grad.x.view().at(r, column)), tolerance);
    }
  }
}

TEST(LayerNorm, ShapesThatDoNotFitAreRefused) {
  Context ctx(1);
  Matrix x(3, 2);
  const std::vector<Real> two(2);
  const std::vector<Real> three(3);
  EXPECT_THROW(layer_norm(ctx, x.view(), three, two, x.view(), RowSet::range(0, 3)), InputError);
  EXPECT_THROW(layer_norm(ctx, x.view(), two, three, x.view(), RowSet::range(0, 3)), InputError);
  EXPECT_THROW(layer_norm(ctx, x.view(), two, two, x.view(), RowSet::range(0, 4)), InputError);
}

}  // namespace
}  // namespace weft::kernels
