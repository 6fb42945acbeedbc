// SPDX-License-Identifier: MIT
// Aggregation by extremes: hand values on both backends, the cpu backend equal to the reference to
// the bit, passes over parts of the columns equal to one pass, and gradients against differences.
#include "kernels/extreme_aggregation.hpp"

#include <limits>

#include "tests/kernels/kernel_test_support.hpp"

namespace weft::kernels {
namespace {

using test::StridedMatrix;

constexpr std::int64_t awkward_widths[] = {1, 3, 8, 33, 64, 100, 128, 602};
constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
constexpr Real infinity = std::numeric_limits<Real>::infinity();

/// Values and arguments with padding that must stay as it is.
class Extremes {
 public:
  Extremes(std::int64_t num_rows, std::int64_t num_columns)
      : values_(num_rows, num_columns),
        argument_(static_cast<std::size_t>(num_rows * (num_columns + 2)), 77),
        num_rows_(num_rows),
        num_columns_(num_columns) {}

  [[nodiscard]] ExtremeView view(Extreme kind) { return {kind, values_.view(), argument()}; }
  [[nodiscard]] MatrixView values() { return values_.view(); }
  [[nodiscard]] ArgumentView argument() {
    return {argument_.data(), num_rows_, num_columns_, num_columns_ + 2};
  }
  [[nodiscard]] bool same_as(const Extremes& other) const {
    return test::same_bits(values_.storage(), other.values_.storage()) &&
           argument_ == other.argument_;
  }

 private:
  StridedMatrix values_;
  std::vector<LocalId> argument_;
  std::int64_t num_rows_;
  std::int64_t num_columns_;
};

/// Numbers of which many are equal, so that ties are common.
StridedMatrix coarse_matrix(std::int64_t num_rows, std::int64_t num_columns, std::uint64_t seed) {
  StridedMatrix x = test::random_matrix(num_rows, num_columns, seed);
  for (std::int64_t r = 0; r < num_rows; ++r) {
    for (std::int64_t c = 0; c < num_columns; ++c)
      x.view().at(r, c) = std::round(x.view().at(r, c) * 16) / 16;
  }
  return x;
}

/// Ten random entries a row, every fifth row empty; row 1 has `hub_degree` entries.
SparseMatrix matrix_with_hub(std::int64_t n, std::int64_t hub_degree, std::uint64_t seed) {
  const SparseMatrix plain = test::random_sparse(n, n, 10, seed);
  const SparseMatrix hub = test::random_sparse(1, n, hub_degree, seed + 1);
  SparseMatrix a{n, n, plain.row_ptr, plain.col_idx, {}};
  a.col_idx.insert(a.col_idx.begin() + plain.row_ptr[1], hub.col_idx.begin(), hub.col_idx.end());
  for (std::size_t r = 2; r < a.row_ptr.size(); ++r)
    a.row_ptr[r] += hub_degree;
  return a;
}

/// The columns begin .. end-1 of `a`, numbered from 0, in the order of its entries.
SparseMatrix columns_of(const SparseMatrix& a, LocalId begin, LocalId end) {
  SparseMatrix some{a.num_rows, end - begin, {0}, {}, {}};
  for (std::size_t r = 0; r + 1 < a.row_ptr.size(); ++r) {
    for (EdgeOffset e = a.row_ptr[r]; e < a.row_ptr[r + 1]; ++e) {
      const LocalId column = a.col_idx[static_cast<std::size_t>(e)];
      if (column >= begin && column < end) some.col_idx.push_back(column - begin);
    }
    some.row_ptr.push_back(static_cast<EdgeOffset>(some.col_idx.size()));
  }
  return some;
}

void sort_rows(SparseMatrix& a) {
  for (std::size_t r = 0; r + 1 < a.row_ptr.size(); ++r)
    std::sort(a.col_idx.begin() + a.row_ptr[r], a.col_idx.begin() + a.row_ptr[r + 1]);
}

/// Calls body(ctx) for the reference backend and for every setting of the cpu backend.
template <typename Body>
void for_every_backend(const Body& body) {
  {
    SCOPED_TRACE("reference");
    Context ctx(1, Backend::reference);
    body(ctx);
  }
  test::for_every_cpu_setting(body);
}

/// The extremes over all of one row's entries, whose x have one column each.
std::pair<Real, LocalId> extreme_of(Context& ctx, Extreme kind, const std::vector<Real>& numbers) {
  const auto n = static_cast<std::int64_t>(numbers.size());
  SparseMatrix a{1, n, {0, n}, {}, {}};
  for (LocalId u = 0; u < n; ++u)
    a.col_idx.push_back(u);
  // Nine columns: a vector and its tail where it has one.
  Matrix x(n, 9);
  for (std::int64_t u = 0; u < n; ++u)
    std::fill_n(x.data() + 9 * u, 9, numbers[static_cast<std::size_t>(u)]);
  Extremes y(1, 9);
  aggregate_extreme(ctx, a.view(), x.view(), y.view(kind), RowSet::range(0, 1));
  for (std::int64_t c = 1; c < 9; ++c)
    EXPECT_EQ(y.argument().at(0, c), y.argument().at(0, 0));
  return {y.values().at(0, 8), y.argument().at(0, 0)};
}

TEST(ExtremeAggregation, GivesHandValues) {
  // Row 0 reads 2 and 0, row 1 nothing, row 2 reads 1.
  const SparseMatrix a{3, 3, {0, 2, 2, 3}, {2, 0, 1}, {5, -7, 0}};
  for_every_backend([&](Context& ctx) {
    Matrix x(3, 2);
    const Real numbers[] = {1, 200, 10, -20, 100, 2};
    std::copy_n(numbers, 6, x.data());
    Extremes y(3, 2);
    aggregate_extreme(ctx, a.view(), x.view(), y.view(Extreme::max), RowSet::range(0, 3));
    const Real largest[] = {100, 200, 0, 0, 10, -20};
    const LocalId holders[] = {2, 0, no_argument, no_argument, 1, 1};
    for (std::int64_t i = 0; i < 6; ++i) {
      EXPECT_EQ(y.values().at(i / 2, i % 2), largest[i]) << i;
      EXPECT_EQ(y.argument().at(i / 2, i % 2), holders[i]) << i;
    }
    aggregate_extreme(ctx, a.view(), x.view(), y.view(Extreme::min), RowSet::range(0, 1));
    EXPECT_EQ(y.values().at(0, 0), 1);
    EXPECT_EQ(y.values().at(0, 1), 2);
    EXPECT_EQ(y.argument().at(0, 0), 0);
    EXPECT_EQ(y.argument().at(0, 1), 2);
  });
}

TEST(ExtremeAggregation, TiesStayWithTheFirst) {
  using Held = std::pair<Real, LocalId>;
  for_every_backend([](Context& ctx) {
    EXPECT_EQ(extreme_of(ctx, Extreme::max, {1, 4, 4, 3, 4}), (Held{4, 1}));
    EXPECT_EQ(extreme_of(ctx, Extreme::min, {5, 4, 4, 6, 4}), (Held{4, 1}));
    EXPECT_EQ(extreme_of(ctx, Extreme::max, {-0.0, 0.0}).second, 0);
    EXPECT_EQ(extreme_of(ctx, Extreme::min, {0.0, -0.0}).second, 0);
    EXPECT_EQ(extreme_of(ctx, Extreme::max, {-infinity, -infinity}), (Held{-infinity, 0}));
    EXPECT_EQ(extreme_of(ctx, Extreme::min, {infinity, infinity}), (Held{infinity, 0}));
  });
}

TEST(ExtremeAggregation, TheFirstNanWins) {
  for_every_backend([](Context& ctx) {
    for (const Extreme kind : {Extreme::max, Extreme::min}) {
      for (const auto& [numbers, holder] :
           {std::pair<std::vector<Real>, LocalId>{{1, nan, 3, nan, infinity, -infinity}, 1},
            {{nan, 5}, 0},
            {{infinity, -infinity, nan}, 2}}) {
        const auto [value, argument] = extreme_of(ctx, kind, numbers);
        EXPECT_TRUE(std::isnan(value));
        EXPECT_EQ(argument, holder);
      }
    }
  });
}

TEST(ExtremeAggregation, CpuEqualsReferenceAtEveryWidth) {
  Context reference(1, Backend::reference);
  const std::int64_t n = 203;
  const SparseMatrix a = matrix_with_hub(n, 2500, 1);
  const std::vector<LocalId> list{0, 1, 4, 57, 202};
  for (const std::int64_t width : awkward_widths) {
    for (const Extreme kind : {Extreme::max, Extreme::min}) {
      for (const RowSet rows : {RowSet::range(0, n), RowSet::of(list)}) {
        StridedMatrix x = coarse_matrix(n, width, 2);
        Extremes expected(n, width);
        aggregate_extreme(reference, a.view(), x.view(), expected.view(kind), rows);
        test::for_every_cpu_setting([&](Context& ctx) {
          Extremes y(n, width);
          aggregate_extreme(ctx, a.view(), x.view(), y.view(kind), rows);
          EXPECT_TRUE(y.same_as(expected)) << "width " << width;
        });
      }
    }
  }
}

// A row long enough to be shared out among threads, forward and (transposed) backward.
TEST(ExtremeAggregation, SharedHubsEqualTheReference) {
  Context reference(1, Backend::reference);
  const std::int64_t n = 103;
  const SparseMatrix a = matrix_with_hub(n, 70000, 3);
  for (const std::int64_t width : {1, 33, 100}) {
    StridedMatrix x = coarse_matrix(n, width, 4);
    Extremes expected(n, width);
    aggregate_extreme(reference, a.view(), x.view(), expected.view(Extreme::max),
                      RowSet::range(0, n));
    StridedMatrix expected_gradient(n, width);
    const ExtremeGradient gradient{x.view(), expected.argument(), 0};
    extreme_backward(reference, a.view(), gradient, expected_gradient.view(), RowSet::range(0, n),
                     Write::overwrite);
    for (const int num_threads : {1, 3}) {
      Context ctx(num_threads);
      Extremes y(n, width);
      aggregate_extreme(ctx, a.view(), x.view(), y.view(Extreme::max), RowSet::range(0, n));
      EXPECT_TRUE(y.same_as(expected)) << "width " << width;
      StridedMatrix grad_x(n, width);
      extreme_backward(ctx, a.view(), gradient, grad_x.view(), RowSet::range(0, n),
                       Write::overwrite);
      EXPECT_TRUE(test::same_bits(grad_x.storage(), expected_gradient.storage()));
    }
  }
}

// Row 1 is a hub, shared out among threads with and without its last entries.
TEST(ExtremeAggregation, EntriesBehindTheEndOfARowAreLeftOut) {
  const std::int64_t n = 60;
  const SparseMatrix a = matrix_with_hub(n, 90000, 21);
  std::vector<EdgeOffset> row_end;
  for (std::size_t r = 0; r + 1 < a.row_ptr.size(); ++r)
    row_end.push_back(a.row_ptr[r] + (a.row_ptr[r + 1] - a.row_ptr[r]) * 8 / 9);
  SparseView part = a.view();
  part.row_end = row_end;
  const SparseMatrix copy = test::first_entries(a, row_end);
  StridedMatrix x = test::random_matrix(n, 19, 22);
  const RowSet all = RowSet::range(0, n);
  for_every_backend([&](Context& ctx) {
    Extremes expected(n, 19), y(n, 19);
    aggregate_extreme(ctx, copy.view(), x.view(), expected.view(Extreme::max), all);
    aggregate_extreme(ctx, part, x.view(), y.view(Extreme::max), all);
    EXPECT_TRUE(y.same_as(expected));
    StridedMatrix expected_gradient(n, 19), grad_x(n, 19);
    const ExtremeGradient gradient{x.view(), y.argument(), 0};
    extreme_backward(ctx, copy.view(), gradient, expected_gradient.view(), all, Write::overwrite);
    extreme_backward(ctx, part, gradient, grad_x.view(), all, Write::overwrite);
    EXPECT_TRUE(test::same_bits(grad_x.storage(), expected_gradient.storage()));
  });
}

TEST(ExtremeAggregation, RowBitsDependOnNothingButTheRow) {
  const std::int64_t n = 601;
  const SparseMatrix a = matrix_with_hub(n, 3000, 5);
  for (const std::int64_t width : {1, 7, 16, 33, 130}) {
    StridedMatrix x = coarse_matrix(n, width, 6);
    std::vector<LocalId> argument(static_cast<std::size_t>(n * width));
    const ArgumentView holders{argument.data(), n, width, width};
    test::expect_rows_are_independent(n, width, [&](Context& ctx, RowSet rows, MatrixView y) {
      aggregate_extreme(ctx, a.view(), x.view(), {Extreme::min, y, holders}, rows);
    });
    test::expect_rows_are_independent(n, width, [&](Context& ctx, RowSet rows, MatrixView y) {
      extreme_backward(ctx, a.view(), {x.view(), holders, 0}, y, rows, Write::add);
    });
  }
}

TEST(ExtremeAggregation, OnlyRowsOfTheSetAreWritten) {
  const SparseMatrix a = test::random_sparse(12, 12, 3, 7);
  StridedMatrix x = test::random_matrix(12, 9, 8);
  const std::vector<LocalId> rows{1, 4, 11};
  test::for_every_cpu_setting([&](Context& ctx) {
    Extremes y(12, 9);
    aggregate_extreme(ctx, a.view(), x.view(), y.view(Extreme::max), RowSet::of(rows));
    for (LocalId r = 0; r < 12; ++r) {
      const bool listed = std::find(rows.begin(), rows.end(), r) != rows.end();
      EXPECT_EQ(y.values().at(r, 8) == Real{77}, !listed) << "row " << r;
      EXPECT_EQ(y.argument().at(r, 8) == 77, !listed) << "row " << r;
    }
  });
}

TEST(ExtremeAggregation, TwoPassesOverTheColumnsEqualOne) {
  const LocalId n = 203;
  SparseMatrix a = matrix_with_hub(n, 1000, 9);
  sort_rows(a);
  for (const LocalId border : {0, 1, 77, 203}) {
    const SparseMatrix near = columns_of(a, 0, border);
    const SparseMatrix far = columns_of(a, border, n);
    for (const std::int64_t width : {1, 8, 33, 100}) {
      StridedMatrix x = coarse_matrix(n, width, 10);
      x.view().at(150, 0) = nan;
      const RowSet all = RowSet::range(0, n);
      for_every_backend([&](Context& ctx) {
        Extremes whole(n, width);
        aggregate_extreme(ctx, a.view(), x.view(), whole.view(Extreme::max), all);
        Extremes parts(n, width);
        const ExtremeView y = parts.view(Extreme::max);
        aggregate_extreme(ctx, near.view(), x.view().rows(0, border), y, all);
        extreme_continue(ctx, far.view(), x.view().rows(border, n), border, y, all);
        EXPECT_TRUE(parts.same_as(whole)) << "border " << border << ", width " << width;
      });
    }
  }
}

/// Sum over all elements of the product of two matrices.
double inner_product(ConstMatrixView a, ConstMatrixView b) {
  double sum = 0;
  for (std::int64_t r = 0; r < a.num_rows; ++r) {
    for (std::int64_t c = 0; c < a.num_columns; ++c)
      sum += static_cast<double>(a.at(r, c)) * static_cast<double>(b.at(r, c));
  }
  return sum;
}

// Numbers lie at least 1/8 apart in each column, so a step of 1/32 changes no argument.
TEST(ExtremeBackward, EqualsFiniteDifferences) {
  constexpr std::int64_t n = 11;
  constexpr std::int64_t width = 9;
  constexpr double step = 1.0 / 32;
  const SparseMatrix a = test::random_sparse(n, n, 4, 11);
  const SparseMatrix a_transposed = transpose(a.view());
  StridedMatrix grad_y = test::random_matrix(n, width, 12);
  const RowSet all = RowSet::range(0, n);
  for_every_backend([&](Context& ctx) {
    for (const Extreme kind : {Extreme::max, Extreme::min}) {
      Matrix x(n, width);
      for (std::int64_t i = 0; i < n * width; ++i)
        x.data()[i] = static_cast<Real>((7 * (i / width) + i % width) % n) / 8;
      Extremes y(n, width);
      const auto loss = [&] {
        aggregate_extreme(ctx, a.view(), x.view(), y.view(kind), all);
        return inner_product(y.values(), grad_y.view());
      };
      loss();
      StridedMatrix grad_x(n, width);
      extreme_backward(ctx, a_transposed.view(), {grad_y.view(), y.argument(), 0}, grad_x.view(),
                       all, Write::overwrite);
      for (std::int64_t i = 0; i < n * width; ++i) {
        const Real kept = x.data()[i];
        x.data()[i] = kept + static_cast<Real>(step);
        const double above = loss();
        x.data()[i] = kept - static_cast<Real>(step);
        const double below = loss();
        x.data()[i] = kept;
        EXPECT_NEAR(static_cast<double>(grad_x.view().at(i / width, i % width)),
                    (above - below) / (2 * step), 1e-5)
            << "element " << i;
      }
    }
  });
}

TEST(ExtremeBackward, CpuEqualsReferenceAtEveryWidth) {
  Context reference(1, Backend::reference);
  const std::int64_t n = 203;
  const SparseMatrix a = matrix_with_hub(n, 2500, 13);
  const SparseMatrix a_transposed = transpose(a.view());
  const std::vector<LocalId> list{0, 1, 4, 57, 202};
  for (const std::int64_t width : awkward_widths) {
    StridedMatrix x = coarse_matrix(n, width, 14);
    StridedMatrix grad_y = test::random_matrix(n, width, 15);
    Extremes y(n, width);
    aggregate_extreme(reference, a.view(), x.view(), y.view(Extreme::max), RowSet::range(0, n));
    const ExtremeGradient gradient{grad_y.view(), y.argument(), 0};
    for (const Write write : {Write::overwrite, Write::add}) {
      for (const RowSet rows : {RowSet::range(0, n), RowSet::of(list)}) {
        StridedMatrix expected(n, width);
        extreme_backward(reference, a_transposed.view(), gradient, expected.view(), rows, write);
        test::for_every_cpu_setting([&](Context& ctx) {
          StridedMatrix grad_x(n, width);
          extreme_backward(ctx, a_transposed.view(), gradient, grad_x.view(), rows, write);
          EXPECT_TRUE(test::same_bits(grad_x.storage(), expected.storage())) << "width " << width;
        });
      }
    }
  }
}

TEST(ExtremeBackward, PassesGiveTheirRowsOfOneGradient) {
  const LocalId n = 60;
  SparseMatrix a = test::random_sparse(n, n, 8, 16);
  sort_rows(a);
  StridedMatrix x = coarse_matrix(n, 33, 17);
  StridedMatrix grad_y = test::random_matrix(n, 33, 18);
  for_every_backend([&](Context& ctx) {
    Extremes y(n, 33);
    aggregate_extreme(ctx, a.view(), x.view(), y.view(Extreme::max), RowSet::range(0, n));
    StridedMatrix whole(n, 33);
    extreme_backward(ctx, transpose(a.view()).view(), {grad_y.view(), y.argument(), 0},
                     whole.view(), RowSet::range(0, n), Write::overwrite);
    StridedMatrix parts(n, 33);
    const auto pass = [&](LocalId begin, LocalId end) {
      const SparseMatrix some = transpose(columns_of(a, begin, end).view());
      extreme_backward(ctx, some.view(), {grad_y.view(), y.argument(), begin},
                       parts.view().rows(begin, end), RowSet::range(0, end - begin),
                       Write::overwrite);
    };
    pass(0, 23);
    pass(23, n);
    EXPECT_TRUE(test::same_bits(parts.storage(), whole.storage()));
  });
}

template <typename Call>
void expect_error(const Call& call, const std::string& words) {
  try {
    call();
    FAIL() << "accepted; wanted: " << words;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(ExtremeAggregation, ShapesThatDoNotFitAreNamed) {
  Context ctx(1);
  const SparseMatrix a = test::random_sparse(3, 4, 2, 19);
  Matrix x(4, 5);
  Extremes y(3, 5);
  const ExtremeView good = y.view(Extreme::max);
  const auto run = [&](ConstMatrixView operand, ExtremeView out, std::int64_t num_rows) {
    return [&ctx, &a, operand, out, num_rows] {
      aggregate_extreme(ctx, a.view(), operand, out, RowSet::range(0, num_rows));
    };
  };
  expect_error(run(x.view().rows(0, 3), good, 3),
               "aggregate_extreme: rows of x: 3, but columns of a: 4");
  expect_error(run(x.view(), good, 4), "rows of a: 3");
  ExtremeView bad = good;
  bad.values.num_rows = 2;
  expect_error(run(x.view(), bad, 3), "rows of y: 2, but rows of a: 3");
  bad = good;
  bad.values.num_columns = 4;
  expect_error(run(x.view(), bad, 3), "columns of y: 4, but columns of x: 5");
  bad = good;
  bad.argument.num_rows = 2;
  expect_error(run(x.view(), bad, 3), "rows of argument: 2, but rows of y: 3");
  bad = good;
  bad.argument.num_columns = 4;
  expect_error(run(x.view(), bad, 3), "columns of argument: 4, but columns of y: 5");
  for (const LocalId offset : {-1, std::numeric_limits<LocalId>::max() - 3}) {
    expect_error(
        [&] { extreme_continue(ctx, a.view(), x.view(), offset, good, RowSet::range(0, 3)); },
        text("extreme_continue: column offset ", offset, " with 4 columns"));
  }
}

TEST(ExtremeBackward, ShapesThatDoNotFitAreNamed) {
  Context ctx(1);
  const SparseMatrix a_transposed = test::random_sparse(4, 3, 2, 20);
  Matrix x(4, 5);
  Extremes y(3, 5);
  const ExtremeGradient good{y.values(), y.argument(), 0};
  const auto run = [&](const ExtremeGradient& gradient, MatrixView grad_x, std::int64_t num_rows) {
    return [&ctx, &a_transposed, gradient, grad_x, num_rows] {
      extreme_backward(ctx, a_transposed.view(), gradient, grad_x, RowSet::range(0, num_rows),
                       Write::overwrite);
    };
  };
  EXPECT_NO_THROW(aggregate_extreme(ctx, transpose(a_transposed.view()).view(), x.view(),
                                    y.view(Extreme::max), RowSet::range(0, 3)));
  EXPECT_NO_THROW(run(good, x.view(), 4)());
  expect_error(run(good, x.view(), 5), "rows of a_transposed: 4");
  expect_error(run(good, x.view().rows(0, 3), 3), "rows of grad_x: 3");
  ExtremeGradient bad = good;
  bad.grad_y.num_rows = 2;
  expect_error(run(bad, x.view(), 4), "extreme_backward: rows of grad_y: 2");
  bad = good;
  bad.argument.num_rows = 2;
  expect_error(run(bad, x.view(), 4), "rows of argument: 2");
  bad = good;
  bad.argument.num_columns = 4;
  expect_error(run(bad, x.view(), 4), "columns of argument: 4");
  Matrix narrow(4, 4);
  expect_error(run(good, narrow.view(), 4), "columns of grad_x: 4");
  bad = good;
  bad.column_offset = -1;
  expect_error(run(bad, x.view(), 4), "extreme_backward: column offset -1");
}

TEST(ExtremeAggregation, MatricesMustBeReal) {
  Context ctx(1);
  const SparseMatrix a = test::random_sparse(3, 3, 2, 23);
  Matrix real(3, 5), bf16(3, 5, Storage::bf16);
  Extremes y(3, 5);
  const RowSet all = RowSet::range(0, 3);
  expect_error(
      [&] { aggregate_extreme(ctx, a.view(), bf16.view(), y.view(Extreme::max), all); },
      "aggregate_extreme: x is stored as bf16, but this operation takes it as real only; store it "
      "as real");
  const ExtremeView out{Extreme::max, bf16.view(), y.argument()};
  expect_error([&] { extreme_continue(ctx, a.view(), real.view(), 0, out, all); },
               "extreme_continue: y is stored as bf16");
  const auto backward = [&](ConstMatrixView grad_y, MatrixView grad_x) {
    return [&ctx, &a, &y, grad_y, grad_x, all] {
      extreme_backward(ctx, a.view(), {grad_y, y.argument(), 0}, grad_x, all, Write::overwrite);
    };
  };
  expect_error(backward(bf16.view(), real.view()), "extreme_backward: grad_y is stored as bf16");
  expect_error(backward(real.view(), bf16.view()), "extreme_backward: grad_x is stored as bf16");
}

TEST(ExtremeAggregation, EmptyMatricesAreFine) {
  Context ctx(2);
  const SparseMatrix none;
  Extremes y(0, 4);
  Matrix x(0, 4);
  const RowSet no_rows = RowSet::range(0, 0);
  EXPECT_NO_THROW(aggregate_extreme(ctx, none.view(), x.view(), y.view(Extreme::max), no_rows));
  EXPECT_NO_THROW(extreme_backward(ctx, none.view(), {x.view(), y.argument(), 0}, x.view(), no_rows,
                                   Write::overwrite));
}

}  // namespace
}  // namespace weft::kernels
