// SPDX-License-Identifier: MIT
#include "datasets/sparse_rows.hpp"

#include "tests/datasets/file_makers.hpp"

namespace weft::datasets::tests {

TEST(SparseRows, SortsAndAddsUp) {
  SparseRows rows{5, {0, 3, 3, 7}, {4, 0, 4, 1, 2, 1, 1}, {1, 2, 3, 10, 20, 30, 40}};
  EXPECT_EQ(sort_and_merge(rows), 3);
  EXPECT_EQ(rows.row_ptr, (std::vector<std::int64_t>{0, 2, 2, 4}));
  EXPECT_EQ(rows.col_idx, (std::vector<std::int32_t>{0, 4, 1, 2}));
  EXPECT_EQ(rows.values, (std::vector<float>{2, 4, 80, 20}));
}

TEST(SparseRows, LeavesSortedRows) {
  SparseRows rows{3, {0, 2, 3}, {0, 2, 1}, {1, 2, 3}};
  const SparseRows before = rows;
  EXPECT_EQ(sort_and_merge(rows), 0);
  EXPECT_EQ(rows.row_ptr, before.row_ptr);
  EXPECT_EQ(rows.col_idx, before.col_idx);
  EXPECT_EQ(rows.values, before.values);
}

}  // namespace weft::datasets::tests
