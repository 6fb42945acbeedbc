// SPDX-License-Identifier: MIT
// Elementwise functions: hand values on both backends, in place, and awkward widths.
#include "kernels/activation.hpp"

#include <limits>

#include "tests/kernels/kernel_test_support.hpp"

namespace weft::kernels {
namespace {

using test::StridedMatrix;

TEST(Activation, HandValuesOnBothBackends) {
  for (const Backend backend : {Backend::reference, Backend::cpu}) {
    Context ctx(1, backend);
    Matrix x(1, 4);
    const Real values[] = {-2, 0, 3, std::numeric_limits<Real>::infinity()};
    std::copy_n(values, 4, x.data());
    Matrix grad(1, 4);
    for (std::int64_t c = 0; c < 4; ++c)
      grad.at(0, c) = static_cast<Real>(c + 1);
    const RowSet all = RowSet::range(0, 1);

    relu(ctx, x.view(), x.view(), all);
    relu_backward(ctx, x.view(), grad.view(), grad.view(), all);
    EXPECT_EQ(std::vector<Real>(x.data(), x.data() + 4),
              (std::vector<Real>{0, 0, 3, std::numeric_limits<Real>::infinity()}));
    EXPECT_EQ(std::vector<Real>(grad.data(), grad.data() + 4), (std::vector<Real>{0, 0, 3, 4}));

    add_rows(ctx, grad.view(), x.view(), all);
    EXPECT_EQ(x.at(0, 2), 6);
  }
}

TEST(Activation, CpuEqualsReferenceForRangesAndLists) {
  Context reference(1, Backend::reference);
  for (const std::int64_t width : {1, 7, 8, 31, 32, 33, 257}) {
    StridedMatrix x = test::random_matrix(50, width, 1);
    StridedMatrix g = test::random_matrix(50, width, 2);
    std::vector<LocalId> list{0, 3, 48, 49};
    for (const RowSet rows : {RowSet::range(2, 50), RowSet::of(list), RowSet::range(0, 0)}) {
      StridedMatrix expected(50, width);
      StridedMatrix expected_grad(50, width);
      relu(reference, x.view(), expected.view(), rows);
      relu_backward(reference, expected.view(), g.view(), expected_grad.view(), rows);
      add_rows(reference, g.view(), expected.view(), rows);
      test::for_every_cpu_setting([&](Context& ctx) {
        StridedMatrix y(50, width);
        StridedMatrix grad(50, width);
        relu(ctx, x.view(), y.view(), rows);
        relu_backward(ctx, y.view(), g.view(), grad.view(), rows);
        add_rows(ctx, g.view(), y.view(), rows);
        EXPECT_TRUE(test::same_bits(y.storage(), expected.storage()));
        EXPECT_TRUE(test::same_bits(grad.storage(), expected_grad.storage()));
      });
    }
  }
}

TEST(Activation, ShapesThatDoNotFitAreRefused) {
  Context ctx(1);
  Matrix x(3, 2);
  Matrix y(3, 3);
  Matrix shorter(2, 2);
  const RowSet all = RowSet::range(0, 3);
  EXPECT_THROW(relu(ctx, x.view(), y.view(), all), InputError);
  EXPECT_THROW(relu(ctx, x.view(), shorter.view(), all), InputError);
  EXPECT_THROW(relu_backward(ctx, x.view(), y.view(), x.view(), all), InputError);
  EXPECT_THROW(add_rows(ctx, shorter.view(), x.view(), all), InputError);
}

}  // namespace
}  // namespace weft::kernels
