// SPDX-License-Identifier: MIT
// Gradients that sum over vertices: the cpu backend against the reference (which sums in double
// precision) around chunk and block sizes, and sums whose bits no thread count changes.
#include "kernels/gemm.hpp"
#include "tests/kernels/kernel_test_support.hpp"

namespace weft::kernels {
namespace {

using test::StridedMatrix;

struct Shape {
  std::int64_t n;
  std::int64_t k;
  std::int64_t m;
};

TEST(GemmGradients, WeightGradientEqualsReference) {
  Context reference(1, Backend::reference);
  for (const Shape s : {Shape{1, 1, 1}, Shape{0, 3, 4}, Shape{300, 33, 7}, Shape{2500, 6, 16},
                        Shape{3000, 29, 47}, Shape{1025, 130, 65}, Shape{40, 1433, 16},
                        Shape{129, 313, 40}, Shape{20, 5, 0}, Shape{20, 0, 5}}) {
    SCOPED_TRACE(text(s.n, " x ", s.k, " x ", s.m));
    StridedMatrix x = test::random_matrix(s.n, s.k, 5);
    StridedMatrix g = test::random_matrix(s.n, s.m, 6);
    StridedMatrix expected(s.k, s.m);
    const RowSet all = RowSet::range(0, s.n);
    weight_gradient(reference, x.view(), g.view(), expected.view(), all);
    std::vector<Real> first;
    test::for_every_cpu_setting([&](Context& ctx) {
      StridedMatrix y(s.k, s.m);
      weight_gradient(ctx, x.view(), g.view(), y.view(), all);
      test::expect_close(y.view(), expected.view(), test::sum_tolerance);
      if (ctx.num_threads() == 1) first = y.storage();
      EXPECT_TRUE(test::same_bits(y.storage(), first)) << "depends on the number of threads";
    });
  }
}

TEST(GemmGradients, BiasBesideTheWeightsHasTheBitsOfItsOwnOperation) {
  for (const Shape s : {Shape{0, 3, 4}, Shape{300, 0, 7}, Shape{2500, 6, 130}, Shape{1025, 400, 5},
                        Shape{7, 5, 0}}) {
    SCOPED_TRACE(text(s.n, " x ", s.k, " x ", s.m));
    StridedMatrix x = test::random_matrix(s.n, s.k, 5);
    StridedMatrix g = test::random_matrix(s.n, s.m, 6);
    std::vector<LocalId> list;
    for (LocalId r = 0; r < s.n; r += 2)
      list.push_back(r);
    for (const RowSet rows : {RowSet::range(0, s.n), RowSet::of(list)}) {
      test::for_every_cpu_setting([&](Context& ctx) {
        StridedMatrix alone(s.k, s.m);
        StridedMatrix both(s.k, s.m);
        std::vector<Real> expected(static_cast<std::size_t>(s.m), Real{5});
        std::vector<Real> grad_b(static_cast<std::size_t>(s.m), Real{7});
        weight_gradient(ctx, x.view(), g.view(), alone.view(), rows);
        bias_gradient(ctx, g.view(), expected, rows);
        weight_gradient(ctx, x.view(), g.view(), both.view(), rows, grad_b);
        EXPECT_TRUE(test::same_bits(both.storage(), alone.storage()));
        EXPECT_TRUE(test::same_bits(grad_b, expected));
      });
      Context reference(1, Backend::reference);
      StridedMatrix grad_w(s.k, s.m);
      std::vector<Real> expected(static_cast<std::size_t>(s.m));
      std::vector<Real> grad_b(static_cast<std::size_t>(s.m));
      bias_gradient(reference, g.view(), expected, rows);
      weight_gradient(reference, x.view(), g.view(), grad_w.view(), rows, grad_b);
      EXPECT_EQ(grad_b, expected);
    }
  }
  Context ctx(1);
  Matrix x(2, 3), g(2, 4), grad_w(3, 4);
  std::vector<Real> narrow(3);
  EXPECT_THROW(weight_gradient(ctx, x.view(), g.view(), grad_w.view(), RowSet::range(0, 2), narrow),
               InputError);
}

TEST(GemmGradients, EveryWidthOfPanelsWithEveryRemainderOfColumns) {
  constexpr std::int64_t n = 300;
  constexpr std::int64_t most_k = 25;
  Context reference(1, Backend::reference);
  StridedMatrix x = test::random_matrix(n, most_k, 9);
  const RowSet all = RowSet::range(0, n);
  for (const std::int64_t width : {8, 16, 24, 33, 40, 47, 48, 100}) {
    SCOPED_TRACE(text("width ", width));
    StridedMatrix g = test::random_matrix(n, width, 10);
    StridedMatrix expected(most_k, width);
    weight_gradient(reference, x.view(), g.view(), expected.view(), all);
    test::for_every_cpu_setting([&](Context& ctx) {
      for (std::int64_t k = 1; k <= most_k; ++k) {
        ConstMatrixView columns = x.view();
        columns.num_columns = k;
        StridedMatrix y(k, width);
        weight_gradient(ctx, columns, g.view(), y.view(), all);
        test::expect_close(y.view(), expected.view().rows(0, k), test::sum_tolerance);
      }
    });
  }
}

TEST(GemmGradients, GradientsOverAListTakeItsRowsOnly) {
  Context reference(1, Backend::reference);
  StridedMatrix x = test::random_matrix(2600, 9, 7);
  StridedMatrix g = test::random_matrix(2600, 5, 8);
  std::vector<LocalId> list;
  for (LocalId r = 3; r < 2600; r += 2)
    list.push_back(r);
  StridedMatrix expected(9, 5);
  std::vector<Real> expected_bias(5);
  weight_gradient(reference, x.view(), g.view(), expected.view(), RowSet::of(list));
  bias_gradient(reference, g.view(), expected_bias, RowSet::of(list));
  test::for_every_cpu_setting([&](Context& ctx) {
    StridedMatrix y(9, 5);
    std::vector<Real> bias(5);
    weight_gradient(ctx, x.view(), g.view(), y.view(), RowSet::of(list));
    bias_gradient(ctx, g.view(), bias, RowSet::of(list));
    test::expect_close(y.view(), expected.view(), test::sum_tolerance);
    test::expect_close(test::as_row(bias), test::as_row(expected_bias), test::sum_tolerance);
  });
}

TEST(GemmGradients, BiasGradientKeepsSmallTermsOfLongSums) {
  // 2^25 ones do not fit a float's running sum (it sticks at 2^24); chunks in double do.
  const std::int64_t n = (std::int64_t{1} << 24) + 3000;
  Matrix ones(1, 1);
  ones.fill(1);
  const ConstMatrixView g{ones.data(), n, 1, 0};
  std::vector<Real> grad_b(1);
  Context ctx(2);
  bias_gradient(ctx, g, grad_b, RowSet::range(0, n));
  EXPECT_EQ(static_cast<double>(grad_b[0]), static_cast<double>(n));
}

}  // namespace
}  // namespace weft::kernels
