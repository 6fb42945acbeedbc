// SPDX-License-Identifier: MIT
// Moving rows: what is gathered comes back, and gather and scatter-add are adjoint.
#include "kernels/rows.hpp"

#include "tests/kernels/kernel_test_support.hpp"

namespace weft::kernels {
namespace {

using test::StridedMatrix;

double dot(ConstMatrixView a, ConstMatrixView b) {
  double sum = 0;
  for (std::int64_t r = 0; r < a.num_rows; ++r) {
    for (std::int64_t c = 0; c < a.num_columns; ++c) {
      sum += static_cast<double>(a.at(r, c)) * static_cast<double>(b.at(r, c));
    }
  }
  return sum;
}

TEST(Rows, HandValuesOnBothBackends) {
  for (const Backend backend : {Backend::reference, Backend::cpu}) {
    Context ctx(1, backend);
    Matrix x(3, 2);
    for (std::int64_t i = 0; i < 6; ++i)
      x.data()[i] = static_cast<Real>(i);
    const std::vector<LocalId> rows{2, 0};
    Matrix y(2, 2);

    gather_rows(ctx, x.view(), rows, y.view());
    EXPECT_EQ(std::vector<Real>(y.data(), y.data() + 4), (std::vector<Real>{4, 5, 0, 1}));

    scatter_add_rows(ctx, y.view(), rows, x.view());
    EXPECT_EQ(std::vector<Real>(x.data(), x.data() + 6), (std::vector<Real>{0, 2, 2, 3, 8, 10}));
  }
}

TEST(Rows, GatherMayRepeatRows) {
  Context ctx(2);
  StridedMatrix x = test::random_matrix(4, 5, 1);
  const std::vector<LocalId> rows{3, 3, 0, 3};
  StridedMatrix y(4, 5);
  gather_rows(ctx, x.view(), rows, y.view());
  EXPECT_EQ(y.view().at(1, 4), x.view().at(3, 4));
  EXPECT_EQ(y.view().at(2, 0), x.view().at(0, 0));
}

TEST(Rows, GatherAndScatterAddAreAdjoint) {
  std::vector<LocalId> rows;
  for (LocalId r = 1; r < 500; r += 3)
    rows.push_back(r);
  const auto num_listed = static_cast<std::int64_t>(rows.size());
  for (const std::int64_t width : {1, 7, 33, 128}) {
    StridedMatrix x = test::random_matrix(500, width, 2);
    StridedMatrix y = test::random_matrix(num_listed, width, 3);
    test::for_every_cpu_setting([&](Context& ctx) {
      StridedMatrix gathered(num_listed, width);
      gather_rows(ctx, x.view(), rows, gathered.view());
      Matrix scattered(500, width);
      scattered.fill(0);
      scatter_add_rows(ctx, y.view(), rows, scattered.view());
      EXPECT_NEAR(dot(gathered.view(), y.view()), dot(x.view(), scattered.view()), 1e-9);
    });
  }
}

TEST(Rows, ShapesThatDoNotFitAreRefused) {
  Context ctx(1);
  Matrix x(3, 2);
  Matrix y(1, 2);
  const std::vector<LocalId> rows{0, 1};
  EXPECT_THROW(gather_rows(ctx, x.view(), rows, y.view()), InputError);
  EXPECT_THROW(scatter_add_rows(ctx, y.view(), rows, x.view()), InputError);
}

}  // namespace
}  // namespace weft::kernels
