// SPDX-License-Identifier: MIT
// Dense products: the reference against hand values, and the cpu backend against the reference
// (which sums in double precision) around tile and block sizes.
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

const std::vector<Shape>& awkward_shapes() {
  static const std::vector<Shape> shapes{{1, 1, 1},    {5, 3, 2},     {6, 8, 16},    {7, 1, 47},
                                         {13, 17, 7},  {61, 129, 33}, {97, 64, 64},  {50, 256, 40},
                                         {31, 257, 5}, {20, 602, 31}, {9, 1433, 16}, {6, 5, 130},
                                         {3, 700, 1},  {130, 16, 3}};
  return shapes;
}

TEST(Gemm, ReferenceGivesHandValues) {
  Context ctx(1, Backend::reference);
  Matrix x(2, 2);
  Matrix w(2, 2);
  Matrix y(2, 2);
  for (std::int64_t i = 0; i < 4; ++i) {
    x.data()[i] = static_cast<Real>(i + 1);   // 1 2 / 3 4
    w.data()[i] = static_cast<Real>(10 * i);  // 0 10 / 20 30
  }
  const RowSet all = RowSet::range(0, 2);

  multiply(ctx, x.view(), w.view(), y.view(), all);
  EXPECT_EQ(std::vector<Real>(y.data(), y.data() + 4), (std::vector<Real>{40, 70, 80, 150}));
  multiply(ctx, x.view(), w.view(), y.view(), all, Write::add);
  EXPECT_EQ(y.at(1, 1), 300);
  multiply_transposed(ctx, x.view(), w.view(), y.view(), all);
  EXPECT_EQ(std::vector<Real>(y.data(), y.data() + 4), (std::vector<Real>{20, 80, 40, 180}));
  weight_gradient(ctx, x.view(), w.view(), y.view(), all);
  EXPECT_EQ(std::vector<Real>(y.data(), y.data() + 4), (std::vector<Real>{60, 100, 80, 140}));
  std::vector<Real> b(2);
  bias_gradient(ctx, w.view(), b, all);
  EXPECT_EQ(b, (std::vector<Real>{20, 40}));
  add_bias(ctx, b, x.view(), RowSet::range(1, 2));
  EXPECT_EQ(x.at(0, 0), 1);
  EXPECT_EQ(x.at(1, 0), 23);
}

TEST(Gemm, MultiplyEqualsReference) {
  Context reference(1, Backend::reference);
  for (const Shape s : awkward_shapes()) {
    SCOPED_TRACE(text(s.n, " x ", s.k, " x ", s.m));
    StridedMatrix x = test::random_matrix(s.n, s.k, 1);
    StridedMatrix w = test::random_matrix(s.k, s.m, 2);
    StridedMatrix expected(s.n, s.m);
    const RowSet all = RowSet::range(0, s.n);
    for (const Write write : {Write::overwrite, Write::add}) {
      multiply(reference, x.view(), w.view(), expected.view(), all, write);
      test::for_every_cpu_setting([&](Context& ctx) {
        StridedMatrix y(s.n, s.m);
        if (write == Write::add) multiply(ctx, x.view(), w.view(), y.view(), all);
        multiply(ctx, x.view(), w.view(), y.view(), all, write);
        test::expect_close(y.view(), expected.view(), test::sum_tolerance);
      });
    }
  }
}

TEST(Gemm, MultiplyTransposedEqualsReference) {
  Context reference(1, Backend::reference);
  for (const Shape s : awkward_shapes()) {
    SCOPED_TRACE(text(s.n, " x ", s.k, " x ", s.m));
    StridedMatrix g = test::random_matrix(s.n, s.m, 3);
    StridedMatrix w = test::random_matrix(s.k, s.m, 4);
    StridedMatrix expected(s.n, s.k);
    const RowSet all = RowSet::range(0, s.n);
    multiply_transposed(reference, g.view(), w.view(), expected.view(), all);
    multiply_transposed(reference, g.view(), w.view(), expected.view(), all, Write::add);
    test::for_every_cpu_setting([&](Context& ctx) {
      StridedMatrix y(s.n, s.k);
      multiply_transposed(ctx, g.view(), w.view(), y.view(), all);
      multiply_transposed(ctx, g.view(), w.view(), y.view(), all, Write::add);
      test::expect_close(y.view(), expected.view(), test::sum_tolerance);
    });
  }
}

TEST(Gemm, EveryWidthOfPanelsWithEveryRemainderOfRows) {
  constexpr std::int64_t n = 72;
  constexpr std::int64_t k = 19;
  Context reference(1, Backend::reference);
  StridedMatrix x = test::random_matrix(n, k, 12);
  for (const std::int64_t width : {8, 16, 24, 33, 40, 47, 48, 100}) {
    SCOPED_TRACE(text("width ", width));
    StridedMatrix w = test::random_matrix(k, width, 13);
    StridedMatrix wt(width, k);
    for (std::int64_t i = 0; i < k * width; ++i)
      wt.view().at(i % width, i / width) = w.view().at(i / width, i % width);
    StridedMatrix expected(n, width);
    multiply(reference, x.view(), w.view(), expected.view(), RowSet::range(0, n));
    test::for_every_cpu_setting([&](Context& ctx) {
      for (std::int64_t rows = n - 24; rows <= n; ++rows) {
        StridedMatrix y(n, width);
        multiply(ctx, x.view(), w.view(), y.view(), RowSet::range(0, rows));
        test::expect_close(y.view().rows(0, rows), expected.view().rows(0, rows),
                           test::sum_tolerance);
        StridedMatrix transposed(n, width);
        multiply_transposed(ctx, x.view(), wt.view(), transposed.view(), RowSet::range(0, rows));
        EXPECT_TRUE(test::same_bits(transposed.storage(), y.storage())) << rows << " rows";
        const StridedMatrix untouched(n, width);
        const auto used = static_cast<std::ptrdiff_t>(1 + rows * (width + 3));
        EXPECT_TRUE(std::equal(y.storage().begin() + used, y.storage().end(),
                               untouched.storage().begin() + used))
            << "wrote past row " << rows;
      }
    });
  }
}

TEST(Gemm, RowBitsDependOnNothingButTheRow) {
  for (const Shape s : {Shape{100, 128, 64}, Shape{101, 300, 47}, Shape{67, 40, 7},
                        Shape{75, 602, 40}, Shape{49, 5, 100}}) {
    SCOPED_TRACE(text(s.n, " x ", s.k, " x ", s.m));
    StridedMatrix x = test::random_matrix(s.n, s.k, 9);
    StridedMatrix w = test::random_matrix(s.k, s.m, 10);
    StridedMatrix wt = test::random_matrix(s.m, s.k, 11);
    for (const Write write : {Write::overwrite, Write::add}) {
      test::expect_rows_are_independent(s.n, s.m, [&](Context& ctx, RowSet rows, MatrixView y) {
        multiply(ctx, x.view(), w.view(), y, rows, write);
      });
      test::expect_rows_are_independent(s.n, s.m, [&](Context& ctx, RowSet rows, MatrixView y) {
        multiply_transposed(ctx, x.view(), wt.view(), y, rows, write);
      });
    }
  }
}

TEST(Gemm, ShapesThatDoNotFitAreNamed) {
  Context ctx(1);
  Matrix x(4, 3);
  Matrix w(2, 5);
  Matrix y(4, 5);
  try {
    multiply(ctx, x.view(), w.view(), y.view(), RowSet::range(0, 4));
    FAIL() << "accepted";
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("multiply: columns of x: 3, but rows of w: 2"), std::string::npos)
        << message;
  }
  std::vector<Real> b(4);
  const RowSet all = RowSet::range(0, 4);
  EXPECT_THROW(multiply_transposed(ctx, x.view(), w.view(), y.view(), all), InputError);
  EXPECT_THROW(weight_gradient(ctx, x.view(), y.view(), w.view(), all), InputError);
  EXPECT_THROW(bias_gradient(ctx, y.view(), b, all), InputError);
  EXPECT_THROW(add_bias(ctx, b, y.view(), all), InputError);
}

}  // namespace
}  // namespace weft::kernels
