// SPDX-License-Identifier: MIT
// The explicit transpose: hand values, order of entries, and new values for a fixed pattern.
#include "kernels/sparse.hpp"

#include "tests/kernels/kernel_test_support.hpp"

namespace weft::kernels {
namespace {

TEST(Sparse, TransposeHandValues) {
  // 0: (2, 5) (0, 6)   1: none   2: (2, 7)
  const SparseMatrix a{3, 4, {0, 2, 2, 3}, {2, 0, 2}, {5, 6, 7}};
  std::vector<EdgeOffset> source;
  const SparseMatrix t = transpose(a.view(), &source);
  EXPECT_EQ(t.num_rows, 4);
  EXPECT_EQ(t.num_columns, 3);
  EXPECT_EQ(t.row_ptr, (std::vector<EdgeOffset>{0, 1, 1, 3, 3}));
  EXPECT_EQ(t.col_idx, (std::vector<LocalId>{0, 0, 2}));
  EXPECT_EQ(t.values, (std::vector<Real>{6, 5, 7}));
  EXPECT_EQ(source, (std::vector<EdgeOffset>{1, 0, 2}));
}

TEST(Sparse, TransposingTwiceSortsTheColumnsOfARow) {
  const SparseMatrix a = test::random_sparse(70, 50, 8, 1);
  const SparseMatrix once = transpose(a.view());
  const SparseMatrix sorted = transpose(once.view());
  EXPECT_EQ(sorted.row_ptr, a.row_ptr);
  const SparseMatrix again = transpose(transpose(sorted.view()).view());
  EXPECT_EQ(again.col_idx, sorted.col_idx);
  EXPECT_EQ(again.values, sorted.values);
}

TEST(Sparse, PatternsHaveNoValues) {
  const SparseMatrix a{2, 2, {0, 1, 2}, {1, 0}, {}};
  EXPECT_TRUE(transpose(a.view()).values.empty());
  const SparseMatrix none;
  EXPECT_EQ(transpose(none.view()).row_ptr, std::vector<EdgeOffset>{0});
}

TEST(Sparse, TransposeTakesNoEntryBehindTheEndOfItsRow) {
  const SparseMatrix a{3, 4, {0, 2, 2, 3}, {2, 0, 2}, {5, 6, 7}};
  const std::vector<EdgeOffset> row_end{1, 2, 3};
  SparseView view = a.view();
  view.row_end = row_end;
  std::vector<EdgeOffset> source;
  const SparseMatrix t = transpose(view, &source);
  EXPECT_EQ(t.row_ptr, (std::vector<EdgeOffset>{0, 0, 0, 2, 2}));
  EXPECT_EQ(t.col_idx, (std::vector<LocalId>{0, 2}));
  EXPECT_EQ(t.values, (std::vector<Real>{5, 7}));
  EXPECT_EQ(source, (std::vector<EdgeOffset>{0, 2}));
}

TEST(Sparse, GatherValuesBringsNewValuesIntoTransposedOrder) {
  SparseMatrix a = test::random_sparse(400, 300, 20, 2);
  std::vector<EdgeOffset> source;
  static_cast<void>(transpose(a.view(), &source));
  a.values = test::random_vector(a.values.size(), 3);
  const std::vector<Real> expected = transpose(a.view()).values;
  Context reference(1, Backend::reference);
  std::vector<Real> moved(expected.size());
  gather_values(reference, a.values, source, moved);
  EXPECT_EQ(moved, expected);
  test::for_every_cpu_setting([&](Context& ctx) {
    std::fill(moved.begin(), moved.end(), Real{0});
    gather_values(ctx, a.values, source, moved);
    EXPECT_EQ(moved, expected);
  });
  std::vector<Real> short_out(3);
  EXPECT_THROW(gather_values(reference, a.values, source, short_out), InputError);
}

TEST(Sparse, BrokenArraysAreNamed) {
  SparseMatrix a{3, 3, {0, 1, 1}, {0}, {1}};
  EXPECT_THROW(static_cast<void>(transpose(a.view())), InputError);
  a.row_ptr = {0, 1, 1, 2};
  EXPECT_THROW(static_cast<void>(transpose(a.view())), InputError);
}

}  // namespace
}  // namespace weft::kernels
