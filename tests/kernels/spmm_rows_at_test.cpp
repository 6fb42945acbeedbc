// SPDX-License-Identifier: MIT
// Aggregation of rows that lie anywhere: the bits of the matrix that they would make, at awkward
// widths, for hubs too, and whichever rows and threads do it.
#include <numeric>
#include <vector>

#include "kernels/bfloat16.hpp"
#include "kernels/spmm.hpp"
#include "tests/kernels/kernel_test_support.hpp"

namespace weft::kernels {
namespace {

using test::StridedMatrix;

/// The rows of a matrix in turn in two tables, in backward order: no two are side by side.
class ScatteredRows {
 public:
  explicit ScatteredRows(ConstMatrixView x)
      : tables_{Matrix(x.num_rows, x.num_columns + 1, x.storage),
                Matrix(x.num_rows, x.num_columns + 1, x.storage)},
        num_columns_(x.num_columns),
        storage_(x.storage) {
    for (std::int64_t r = 0; r < x.num_rows; ++r) {
      std::byte* row = tables_[r % 2].view().row_begin(x.num_rows - 1 - r);
      std::copy_n(x.row_begin(r), x.row_bytes(), row);
      rows_.push_back(reinterpret_cast<const Real*>(row));
    }
  }
  [[nodiscard]] RowPointers pointers() const { return {rows_, num_columns_, storage_}; }

 private:
  Matrix tables_[2];
  std::vector<const Real*> rows_;
  std::int64_t num_columns_;
  Storage storage_;
};

/// Both operations on every cpu setting and on the reference, to the same bits.
void expect_same_bits(const SparseMatrix& a, ConstMatrixView x, RowSet rows) {
  const ScatteredRows scattered(x);
  const auto compare = [&](Context& ctx) {
    StridedMatrix expected = test::random_matrix(a.num_rows, x.num_columns, 3);
    StridedMatrix y = expected;
    spmm_add(ctx, a.view(), x, expected.view(), rows);
    spmm_add_rows_at(ctx, a.view(), scattered.pointers(), y.view(), rows);
    EXPECT_TRUE(test::same_bits(y.storage(), expected.storage()));
  };
  test::for_every_cpu_setting(compare);
  Context reference(1, Backend::reference);
  compare(reference);
}

TEST(SpmmAddRowsAt, GivesTheBitsOfTheMatrixAtEveryWidth) {
  const std::int64_t n = 203;
  SparseMatrix a = test::random_sparse(n, n, 10, 1);
  const std::vector<Real> values = a.values;
  for (const std::int64_t width : {1, 2, 3, 5, 7, 31, 33, 64, 127, 128, 129, 602}) {
    for (const bool has_values : {true, false}) {
      SCOPED_TRACE(text("width ", width, has_values ? ", values" : ", no values"));
      a.values = has_values ? values : std::vector<Real>();
      StridedMatrix x = test::random_matrix(n, width, 2);
      expect_same_bits(a, x.view(), RowSet::range(0, n));
    }
  }
}

TEST(SpmmAddRowsAt, ReadsRowsOfBf16) {
  const std::int64_t n = 203;
  const SparseMatrix a = test::random_sparse(n, n, 10, 11);
  for (const std::int64_t width : {1, 3, 15, 16, 17, 33, 64, 129, 602}) {
    SCOPED_TRACE(text("width ", width));
    Matrix x(n, width, Storage::bf16);
    for (std::int64_t i = 0; i < x.size(); ++i)
      x.view().row_bf16(0)[i] = to_bf16(static_cast<float>(i % 1009) / 7);
    expect_same_bits(a, x.view(), RowSet::range(0, n));
  }
}

TEST(SpmmAddRowsAt, AddsToTheRowsOfTheSetOnly) {
  const SparseMatrix a = test::random_sparse(40, 40, 5, 4);
  StridedMatrix x = test::random_matrix(40, 20, 5);
  const std::vector<LocalId> rows{0, 3, 17, 39};
  expect_same_bits(a, x.view(), RowSet::of(rows));
}

// One thread sums a hub of 10,000 neighbors, all of them one of 200,000.
TEST(SpmmAddRowsAt, SumsHubsInBlocks) {
  for (const std::int64_t degree : {10000, 200000}) {
    SparseMatrix a{2, degree, {0, degree, degree + 1}, {}, {}};
    a.col_idx.resize(static_cast<std::size_t>(degree));
    std::iota(a.col_idx.begin(), a.col_idx.end(), LocalId{0});
    a.col_idx.push_back(7);
    Matrix x(degree, 19);
    test::fill_random(x.view(), 6);
    expect_same_bits(a, x.view(), RowSet::range(0, 2));
  }
}

// The last entry of each row is left out.
TEST(SpmmAddRowsAt, TakesRowsCutShortAnEpilogueAndBf16) {
  const std::int64_t n = 41;
  const SparseMatrix a = test::random_sparse(n, n, 6, 8);
  std::vector<EdgeOffset> row_end;
  for (std::size_t r = 0; r + 1 < a.row_ptr.size(); ++r)
    row_end.push_back(std::max(a.row_ptr[r], a.row_ptr[r + 1] - 1));
  SparseView part = a.view();
  part.row_end = row_end;
  StridedMatrix x = test::random_matrix(n, 33, 9);
  StridedMatrix residual = test::random_matrix(n, 33, 10);
  const ScatteredRows scattered(x.view());
  const auto compare = [&](Context& ctx) {
    for (const Storage storage : {Storage::real, Storage::bf16}) {
      Matrix expected(n, 33, storage), y(n, 33, storage);
      expected.fill(Real{0.25});
      y.fill(Real{0.25});
      const Epilogue epilogue{.residual = residual.view(), .relu = true};
      spmm_add(ctx, part, x.view(), expected.view(), RowSet::range(0, n), epilogue);
      spmm_add_rows_at(ctx, part, scattered.pointers(), y.view(), RowSet::range(0, n), epilogue);
      const auto num_bytes = static_cast<std::size_t>(n * y.view().row_bytes());
      EXPECT_EQ(std::memcmp(y.view().row_begin(0), expected.view().row_begin(0), num_bytes), 0);
    }
  };
  test::for_every_cpu_setting(compare);
  Context reference(1, Backend::reference);
  compare(reference);
}

TEST(SpmmAddRowsAt, TakesNoRowsAndNoColumns) {
  Context ctx(2);
  const SparseMatrix none;
  Matrix y(0, 4);
  EXPECT_NO_THROW(spmm_add_rows_at(ctx, none.view(), {{}, 4}, y.view(), RowSet::range(0, 0)));
}

TEST(SpmmAddRowsAt, NamesShapesThatDoNotFit) {
  Context ctx(1);
  const SparseMatrix a = test::random_sparse(3, 3, 2, 7);
  Matrix x(3, 4);
  Matrix y(3, 4);
  const ScatteredRows two(x.view().rows(0, 2));
  try {
    spmm_add_rows_at(ctx, a.view(), two.pointers(), y.view(), RowSet::range(0, 3));
    FAIL() << "accepted";
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("spmm_add_rows_at: rows of x: 2, but columns of a: 3"),
              std::string::npos)
        << message;
  }
  const ScatteredRows three(x.view());
  Matrix narrow(3, 3);
  EXPECT_THROW(
      spmm_add_rows_at(ctx, a.view(), three.pointers(), narrow.view(), RowSet::range(0, 3)),
      InputError);
}

}  // namespace
}  // namespace weft::kernels
