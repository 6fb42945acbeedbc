// SPDX-License-Identifier: MIT
// Classification loss: hand values, large logits, gradients, a sum that threads do not change, and
// counts that float cannot hold.
#include "kernels/softmax_cross_entropy.hpp"

#include <numeric>

#include "tests/kernels/kernel_test_support.hpp"

namespace weft::kernels {
namespace {

using test::StridedMatrix;

std::vector<std::int32_t> some_labels(std::size_t count, std::int32_t num_classes) {
  std::vector<std::int32_t> labels(count);
  for (std::size_t i = 0; i < count; ++i) {
    labels[i] = static_cast<std::int32_t>(i * 7 % static_cast<std::size_t>(num_classes));
  }
  return labels;
}

TEST(SoftmaxCrossEntropy, HandValuesOnBothBackends) {
  for (const Backend backend : {Backend::reference, Backend::cpu}) {
    Context ctx(1, backend);
    Matrix logits(2, 2);
    logits.fill(0);
    logits.at(1, 0) = static_cast<Real>(std::log(3.0));  // softmax 3/4, 1/4
    const std::vector<std::int32_t> labels{-1, 1};
    const std::vector<LocalId> rows{1};
    Matrix grad(2, 2);
    grad.fill(9);
    const double loss = softmax_cross_entropy(ctx, logits.view(), labels, rows, 2.0, grad.view());
    EXPECT_NEAR(loss, std::log(4.0), 1e-6);
    EXPECT_EQ(grad.at(0, 0), 0);
    EXPECT_EQ(grad.at(0, 1), 0);
    EXPECT_NEAR(static_cast<double>(grad.at(1, 0)), 1.5, 1e-6);
    EXPECT_NEAR(static_cast<double>(grad.at(1, 1)), -1.5, 1e-6);
    EXPECT_EQ(count_correct(ctx, logits.view(), labels, rows), 0);
  }
}

TEST(SoftmaxCrossEntropy, LargeLogitsStayFinite) {
  for (const Backend backend : {Backend::reference, Backend::cpu}) {
    Context ctx(1, backend);
    Matrix logits(2, 3);
    logits.fill(static_cast<Real>(-3e38));
    logits.at(0, 0) = static_cast<Real>(3e38);
    logits.at(1, 1) = 1000;
    logits.at(1, 2) = 999;
    const std::vector<std::int32_t> labels{0, 2};
    const std::vector<LocalId> rows{0, 1};
    Matrix grad(2, 3);
    const double loss = softmax_cross_entropy(ctx, logits.view(), labels, rows, 1.0, grad.view());
    EXPECT_NEAR(loss, 1 + std::log1p(std::exp(-1.0)), 1e-6);
    EXPECT_EQ(grad.at(0, 0), 0);
    EXPECT_NEAR(static_cast<double>(grad.at(1, 1)), 1 / (1 + std::exp(-1.0)), 1e-6);
  }
}

TEST(SoftmaxCrossEntropy, CpuEqualsReference) {
  Context reference(1, Backend::reference);
  for (const std::int32_t num_classes : {1, 2, 7, 16, 47}) {
    SCOPED_TRACE(text(num_classes, " classes"));
    const std::int64_t n = 2000;
    StridedMatrix logits = test::random_matrix(n, num_classes, 1);
    for (std::int64_t r = 0; r < n; ++r)
      logits.view().at(r, 0) *= 40;
    const auto labels = some_labels(static_cast<std::size_t>(n), num_classes);
    std::vector<LocalId> rows;
    for (LocalId r = 1; r < n; r += 2)
      rows.push_back(r);
    StridedMatrix expected(n, num_classes);
    const double expected_loss =
        softmax_cross_entropy(reference, logits.view(), labels, rows, 0.5, expected.view());
    double first = 0;
    test::for_every_cpu_setting([&](Context& ctx) {
      StridedMatrix grad(n, num_classes);
      const double loss = softmax_cross_entropy(ctx, logits.view(), labels, rows, 0.5, grad.view());
      EXPECT_NEAR(loss, expected_loss, test::sum_tolerance * (1 + expected_loss));
      test::expect_close(grad.view(), expected.view(), test::sum_tolerance);
      if (ctx.num_threads() == 1) first = loss;
      EXPECT_EQ(loss, first) << "depends on the number of threads";
      EXPECT_EQ(loss, softmax_cross_entropy(ctx, logits.view(), labels, rows, 0.5, {}));
      EXPECT_EQ(count_correct(ctx, logits.view(), labels, rows),
                count_correct(reference, logits.view(), labels, rows));
    });
  }
}

TEST(SoftmaxCrossEntropy, GradientEqualsFiniteDifferences) {
  Context ctx(1, Backend::reference);
  const double step = sizeof(Real) == 4 ? 1e-2 : 1e-5;
  const double tolerance = sizeof(Real) == 4 ? 1e-3 : 1e-8;
  StridedMatrix logits = test::random_matrix(2, 5, 2);
  const std::vector<std::int32_t> labels{3, 0};
  const std::vector<LocalId> rows{0, 1};
  StridedMatrix grad(2, 5);
  Context cpu(2);
  static_cast<void>(softmax_cross_entropy(cpu, logits.view(), labels, rows, 1.0, grad.view()));
  for (std::int64_t r = 0; r < 2; ++r) {
    for (std::int64_t c = 0; c < 5; ++c) {
      const Real before = logits.view().at(r, c);
      logits.view().at(r, c) = static_cast<Real>(static_cast<double>(before) + step);
      const double above = softmax_cross_entropy(ctx, logits.view(), labels, rows, 1.0, {});
      logits.view().at(r, c) = static_cast<Real>(static_cast<double>(before) - step);
      const double below = softmax_cross_entropy(ctx, logits.view(), labels, rows, 1.0, {});
      logits.view().at(r, c) = before;
      EXPECT_NEAR((above - below) / (2 * step), static_cast<double>(grad.view().at(r, c)),
                  tolerance);
    }
  }
}

TEST(SoftmaxCrossEntropy, TheFirstOfEqualLogitsCounts) {
  for (const Backend backend : {Backend::reference, Backend::cpu}) {
    Context ctx(1, backend);
    Matrix logits(1, 3);
    logits.fill(2);
    const std::vector<LocalId> rows{0};
    EXPECT_EQ(count_correct(ctx, logits.view(), std::vector<std::int32_t>{0}, rows), 1);
    EXPECT_EQ(count_correct(ctx, logits.view(), std::vector<std::int32_t>{1}, rows), 0);
  }
}

// 2^25 + 1 is no float, and a count in float would stay at 2^24.
TEST(SoftmaxCrossEntropy, CountsExactlyBeyondWhatFloatHolds) {
  Context ctx(2);
  Matrix logits(1, 2);
  logits.at(0, 0) = 0;
  logits.at(0, 1) = 1;
  const std::vector<std::int32_t> labels{1};
  const std::vector<LocalId> rows((std::size_t{1} << 25) + 1, 0);
  EXPECT_EQ(count_correct(ctx, logits.view(), labels, rows), 33554433);
}

TEST(SoftmaxCrossEntropy, NoLabelledRowsGiveNoLossAndNoGradient) {
  Context ctx(2);
  Matrix logits(3, 2);
  logits.fill(1);
  Matrix grad(3, 2);
  grad.fill(5);
  const std::vector<std::int32_t> labels(3, -1);
  EXPECT_EQ(softmax_cross_entropy(ctx, logits.view(), labels, {}, 1.0, grad.view()), 0);
  EXPECT_EQ(std::accumulate(grad.values().begin(), grad.values().end(), Real{0}), 0);
  EXPECT_EQ(count_correct(ctx, logits.view(), labels, {}), 0);
}

TEST(SoftmaxCrossEntropy, BadLabelsAreNamed) {
  Context ctx(1);
  Matrix logits(2, 3);
  logits.fill(0);
  const std::vector<std::int32_t> labels{0, 3};
  const std::vector<LocalId> rows{0, 1};
  try {
    static_cast<void>(softmax_cross_entropy(ctx, logits.view(), labels, rows, 1.0, {}));
    FAIL() << "accepted";
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("label 3 of row 1 is outside 0..2"), std::string::npos) << message;
  }
  const std::vector<std::int32_t> too_few{0};
  EXPECT_THROW(static_cast<void>(count_correct(ctx, logits.view(), too_few, rows)), InputError);
}

}  // namespace
}  // namespace weft::kernels
