// SPDX-License-Identifier: MIT
// Aggregation: the reference against hand values, the cpu backend against the reference at awkward
// widths and strides, and the promise that a row's bits depend on nothing but the row.
#include "kernels/spmm.hpp"

#include "tests/kernels/kernel_test_support.hpp"

namespace weft::kernels {
namespace {

using test::StridedMatrix;

constexpr std::int64_t awkward_widths[] = {1, 2, 3, 5, 7, 31, 33, 63, 64, 127, 128, 129, 602};

/// Row 0: 2 x[0] + 3 x[2]; row 1: empty; row 2: -1 x[1].
SparseMatrix small_matrix() {
  return {3, 3, {0, 2, 2, 3}, {0, 2, 1}, {2, 3, -1}};
}

TEST(Spmm, ReferenceGivesHandValues) {
  Context ctx(1, Backend::reference);
  Matrix x(3, 2);
  const Real values[] = {1, 2, 10, 20, 100, 200};
  std::copy_n(values, 6, x.data());
  Matrix y(3, 2);
  y.fill(5);
  const SparseMatrix a = small_matrix();

  spmm(ctx, a.view(), x.view(), y.view(), RowSet::range(0, 3));

  const Real expected[] = {302, 604, 0, 0, -10, -20};
  EXPECT_TRUE(std::equal(expected, expected + 6, y.data()));
}

TEST(Spmm, WithoutValuesEveryEntryCountsOnce) {
  for (const Backend backend : {Backend::reference, Backend::cpu}) {
    Context ctx(1, backend);
    Matrix x(3, 1);
    for (std::int64_t r = 0; r < 3; ++r)
      x.at(r, 0) = static_cast<Real>(r + 1);
    Matrix y(3, 1);
    SparseMatrix a = small_matrix();
    a.values.clear();

    spmm(ctx, a.view(), x.view(), y.view(), RowSet::range(0, 3));

    EXPECT_EQ(y.at(0, 0), 4) << backend_name(backend);
    EXPECT_EQ(y.at(1, 0), 0) << backend_name(backend);
    EXPECT_EQ(y.at(2, 0), 2) << backend_name(backend);
  }
}

TEST(Spmm, CpuEqualsReferenceAtEveryWidth) {
  Context reference(1, Backend::reference);
  const std::int64_t n = 203;
  SparseMatrix a = test::random_sparse(n, n, 10, 1);
  const std::vector<Real> values = a.values;
  for (const std::int64_t width : awkward_widths) {
    for (const bool has_values : {true, false}) {
      a.values = has_values ? values : std::vector<Real>();
      StridedMatrix x = test::random_matrix(n, width, 2);
      StridedMatrix expected(n, width);
      spmm(reference, a.view(), x.view(), expected.view(), RowSet::range(0, n));
      test::for_every_cpu_setting([&](Context& ctx) {
        SCOPED_TRACE(text("width ", width, has_values ? ", values" : ", no values"));
        StridedMatrix y(n, width);
        spmm(ctx, a.view(), x.view(), y.view(), RowSet::range(0, n));
        test::expect_close(y.view(), expected.view(), test::sum_tolerance);
        spmm_add(ctx, a.view(), x.view(), y.view(), RowSet::range(0, n));
        spmm_add(reference, a.view(), x.view(), expected.view(), RowSet::range(0, n));
        test::expect_close(y.view(), expected.view(), test::sum_tolerance);
        spmm(reference, a.view(), x.view(), expected.view(), RowSet::range(0, n));
      });
    }
  }
}

TEST(Spmm, OperandMayStartAtAnyRow) {
  Context reference(1, Backend::reference);
  const std::int64_t n = 1000;
  const SparseMatrix a = test::random_sparse(n, n, 10, 3);
  for (const std::int64_t width : awkward_widths) {
    Matrix table(n + 1, width);
    test::fill_random(table.view(), 4);
    for (const std::int64_t first : {0, 1}) {
      const ConstMatrixView x = table.view().rows(first, first + n);
      Matrix expected(n, width);
      spmm(reference, a.view(), x, expected.view(), RowSet::range(0, n));
      Context ctx(2);
      Matrix y(n, width);
      spmm(ctx, a.view(), x, y.view(), RowSet::range(0, n));
      test::expect_close(y.view(), expected.view(), test::sum_tolerance);
    }
  }
}

TEST(Spmm, RowBitsDependOnNothingButTheRow) {
  const std::int64_t n = 601;
  const SparseMatrix a = test::random_sparse(n, n, 37, 5);
  for (const std::int64_t width : {1, 7, 16, 33, 128, 130}) {
    SCOPED_TRACE(text("width ", width));
    StridedMatrix x = test::random_matrix(n, width, 6);
    test::expect_rows_are_independent(n, width, [&](Context& ctx, RowSet rows, MatrixView y) {
      spmm(ctx, a.view(), x.view(), y, rows);
    });
    test::expect_rows_are_independent(n, width, [&](Context& ctx, RowSet rows, MatrixView y) {
      spmm_add(ctx, a.view(), x.view(), y, rows);
    });
  }
}

TEST(Spmm, OnlyRowsOfTheSetAreWritten) {
  const std::int64_t n = 12;
  const SparseMatrix a = test::random_sparse(n, n, 3, 7);
  StridedMatrix x = test::random_matrix(n, 9, 8);
  const std::vector<LocalId> rows{1, 4, 11};
  test::for_every_cpu_setting([&](Context& ctx) {
    StridedMatrix y(n, 9);
    spmm(ctx, a.view(), x.view(), y.view(), RowSet::of(rows));
    for (LocalId r = 0; r < n; ++r) {
      const bool listed = std::find(rows.begin(), rows.end(), r) != rows.end();
      EXPECT_EQ(y.view().at(r, 8) == Real{77}, !listed) << "row " << r;
    }
  });
}

TEST(Spmm, EmptyRowsGiveZeroAndAddNothing) {
  SparseMatrix a;
  a.num_rows = 40;
  a.num_columns = 3;
  a.row_ptr.assign(41, 0);
  test::for_every_cpu_setting([&](Context& ctx) {
    StridedMatrix x = test::random_matrix(3, 17, 9);
    StridedMatrix y(40, 17);
    spmm_add(ctx, a.view(), x.view(), y.view(), RowSet::range(0, 40));
    EXPECT_EQ(y.view().at(39, 16), 77);
    spmm(ctx, a.view(), x.view(), y.view(), RowSet::range(0, 40));
    EXPECT_EQ(y.view().at(0, 0), 0);
    EXPECT_EQ(y.view().at(39, 16), 0);
  });
}

TEST(Spmm, EmptyMatricesAreFine) {
  Context ctx(2);
  const SparseMatrix none;
  Matrix x(0, 4);
  Matrix y(0, 4);
  EXPECT_NO_THROW(spmm(ctx, none.view(), x.view(), y.view(), RowSet::range(0, 0)));
  const SparseMatrix a = small_matrix();
  Matrix no_columns(3, 0);
  EXPECT_NO_THROW(spmm(ctx, a.view(), no_columns.view(), no_columns.view(), RowSet::range(0, 3)));
}

/// The sum of column `column` over `degree` rows of x, in blocks of 4,096: it keeps what a single
/// running sum of floats of that size would lose in part.
Real sum_in_blocks(const Matrix& x, std::int64_t degree, std::int64_t column) {
  Real total = 0;
  for (std::int64_t begin = 0; begin < degree; begin += summation_block) {
    Real block = 0;
    for (std::int64_t c = begin; c < std::min(degree, begin + summation_block); ++c) {
      block += x.at(c, column);
    }
    total = begin == 0 ? block : total + block;
  }
  return total;
}

// A hub of 10,000 neighbors is summed by one thread, one of 200,000 by all: by the same blocks, so
// to the same bits. It stands between rows of one neighbor.
TEST(Spmm, HubsAreSummedInBlocks) {
  constexpr std::int64_t width = 35;
  for (const std::int64_t degree : {10000, 200000}) {
    SparseMatrix a{3, degree, {0, 1, degree + 1, degree + 2}, {7}, {}};
    for (std::int64_t c = 0; c < degree; ++c)
      a.col_idx.push_back(static_cast<LocalId>(c));
    a.col_idx.push_back(8);
    Matrix x(degree, width);
    test::fill_random(x.view(), 10);
    test::for_every_cpu_setting([&](Context& ctx) {
      Matrix y(3, width);
      spmm(ctx, a.view(), x.view(), y.view(), RowSet::range(0, 3));
      for (const std::int64_t column : {std::int64_t{0}, width - 1}) {
        const Real expected = sum_in_blocks(x, degree, column);
        EXPECT_EQ(y.at(1, column), expected) << degree;
        EXPECT_EQ(y.at(0, column), x.at(7, column));
        EXPECT_EQ(y.at(2, column), x.at(8, column));
      }
      y.fill(Real{0.5});
      const std::vector<LocalId> only_hub{1};
      spmm_add(ctx, a.view(), x.view(), y.view(), RowSet::of(only_hub));
      EXPECT_EQ(y.at(1, 0), Real{0.5} + sum_in_blocks(x, degree, 0));
      EXPECT_EQ(y.at(2, 0), Real{0.5});
    });
  }
}

// Row 3 is a hub, shared out among threads with and without its last entries.
TEST(Spmm, EntriesBehindTheEndOfARowAreLeftOut) {
  constexpr std::int64_t n = 60;
  SparseMatrix a = test::random_sparse(n, n, 9, 13);
  std::vector<LocalId> hub;
  for (LocalId e = 0; e < 90000; ++e)
    hub.push_back(e % static_cast<LocalId>(n));
  a.col_idx.insert(a.col_idx.begin() + a.row_ptr[3], hub.begin(), hub.end());
  a.values.insert(a.values.begin() + a.row_ptr[3], hub.size(), Real{0.25});
  for (std::size_t r = 4; r < a.row_ptr.size(); ++r)
    a.row_ptr[r] += 90000;
  std::vector<EdgeOffset> row_end;
  for (std::size_t r = 0; r < static_cast<std::size_t>(n); ++r) {
    row_end.push_back(a.row_ptr[r] + (a.row_ptr[r + 1] - a.row_ptr[r]) * 8 / 9);
  }
  SparseView part = a.view();
  part.row_end = row_end;
  const SparseMatrix copy = test::first_entries(a, row_end);
  StridedMatrix x = test::random_matrix(n, 19, 14);
  const auto run = [&](Context& ctx, const SparseView& matrix) {
    StridedMatrix y(n, 19);
    spmm(ctx, matrix, x.view(), y.view(), RowSet::range(0, n));
    spmm_add(ctx, matrix, x.view(), y.view(), RowSet::range(1, n));
    return y;
  };
  Context reference(1, Backend::reference);
  EXPECT_TRUE(
      test::same_bits(run(reference, part).storage(), run(reference, copy.view()).storage()));
  test::for_every_cpu_setting([&](Context& ctx) {
    EXPECT_TRUE(test::same_bits(run(ctx, part).storage(), run(ctx, copy.view()).storage()));
  });
}

TEST(Spmm, SparseFeaturesTimesWeightsAndTheirGradient) {
  Context reference(1, Backend::reference);
  Context ctx(2);
  const SparseMatrix features = test::random_sparse(50, 300, 6, 11);
  StridedMatrix w = test::random_matrix(300, 16, 12);
  StridedMatrix expected(50, 16);
  StridedMatrix y(50, 16);
  spmm(reference, features.view(), w.view(), expected.view(), RowSet::range(0, 50));
  spmm(ctx, features.view(), w.view(), y.view(), RowSet::range(0, 50));
  test::expect_close(y.view(), expected.view(), test::sum_tolerance);

  const SparseMatrix transposed = transpose(features.view());
  StridedMatrix grad_w(300, 16);
  spmm(ctx, transposed.view(), y.view(), grad_w.view(), RowSet::range(0, 300));

  double through_w = 0;
  double through_y = 0;
  for (std::int64_t c = 0; c < 16; ++c) {
    for (std::int64_t k = 0; k < 300; ++k) {
      through_w +=
          static_cast<double>(w.view().at(k, c)) * static_cast<double>(grad_w.view().at(k, c));
    }
    for (std::int64_t r = 0; r < 50; ++r) {
      through_y += std::pow(static_cast<double>(y.view().at(r, c)), 2);
    }
  }
  EXPECT_NEAR(through_w, through_y, test::sum_tolerance * through_y);
}

TEST(Spmm, ShapesThatDoNotFitAreNamed) {
  Context ctx(1);
  const SparseMatrix a = small_matrix();
  Matrix x(2, 4);
  Matrix y(3, 4);
  try {
    spmm(ctx, a.view(), x.view(), y.view(), RowSet::range(0, 3));
    FAIL() << "accepted";
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("spmm: rows of x: 2, but columns of a: 3"), std::string::npos)
        << message;
  }
  Matrix good_x(3, 4);
  EXPECT_THROW(spmm(ctx, a.view(), good_x.view(), y.view(), RowSet::range(0, 4)), InputError);
  EXPECT_THROW(spmm(ctx, a.view(), good_x.view(), y.view(), RowSet::range(-1, 2)), InputError);
  Matrix narrow_y(3, 3);
  EXPECT_THROW(spmm_add(ctx, a.view(), good_x.view(), narrow_y.view(), RowSet::range(0, 3)),
               InputError);
}

}  // namespace
}  // namespace weft::kernels
