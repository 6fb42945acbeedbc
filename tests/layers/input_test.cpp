// SPDX-License-Identifier: MIT
// Sparse input gives what its dense form gives, dropout included.
#include "layers/input.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "graph/support/random.hpp"

namespace weft::layers {
namespace {

constexpr std::int64_t num_rows = 13;
constexpr std::int64_t num_columns = 9;
constexpr std::int64_t num_outputs = 5;

struct Both {
  kernels::Matrix dense{num_rows, num_columns};
  kernels::SparseMatrix sparse;
};

Both make_both() {
  Both both;
  both.dense.fill(0);
  both.sparse.num_rows = num_rows;
  both.sparse.num_columns = num_columns;
  const RandomKey key = random_key(1, RandomPurpose::test);
  for (std::int64_t r = 0; r < num_rows; ++r) {
    for (std::int64_t c = r % 3; c < num_columns; c += 2) {
      const auto value = static_cast<Real>(
          random_uniform(key, static_cast<std::uint64_t>(r), static_cast<std::uint32_t>(c)) + 0.1F);
      both.dense.at(r, c) = value;
      both.sparse.col_idx.push_back(static_cast<LocalId>(c));
      both.sparse.values.push_back(value);
    }
    both.sparse.row_ptr.push_back(static_cast<EdgeOffset>(both.sparse.col_idx.size()));
  }
  return both;
}

void expect_near(const kernels::Matrix& a, const kernels::Matrix& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::int64_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(a.data()[i]), static_cast<double>(b.data()[i]), 1e-5) << i;
  }
}

class SparseEqualsDense : public ::testing::TestWithParam<bool> {};

TEST_P(SparseEqualsDense, ForwardAndWeightGradient) {
  kernels::Context ctx(2);
  Both both = make_both();
  SparseInput sparse(std::move(both.sparse));
  std::vector<GlobalId> ids(static_cast<std::size_t>(num_rows));
  std::iota(ids.begin(), ids.end(), GlobalId{100});
  if (GetParam()) {
    const kernels::DropoutMask mask{random_key(3, RandomPurpose::dropout), 2, 0.4F};
    kernels::dropout(ctx, mask, ids, both.dense.view(), both.dense.view(),
                     kernels::RowSet::range(0, num_rows));
    sparse.use_dropped_values(ctx, mask, ids);
  } else {
    sparse.use_all_values();
  }
  kernels::Matrix w(num_columns, num_outputs);
  kernels::Matrix g(num_rows, num_outputs);
  for (std::int64_t i = 0; i < w.size(); ++i)
    w.data()[i] = static_cast<Real>(i % 7) - 3;
  for (std::int64_t i = 0; i < g.size(); ++i)
    g.data()[i] = static_cast<Real>(i % 5) - 2;
  kernels::Matrix y_dense(num_rows, num_outputs);
  kernels::Matrix y_sparse(num_rows, num_outputs);
  kernels::Matrix gw_dense(num_columns, num_outputs);
  kernels::Matrix gw_sparse(num_columns, num_outputs);
  const LayerInput dense_input{both.dense.view(), nullptr};
  const LayerInput sparse_input{{}, &sparse};
  EXPECT_EQ(sparse_input.num_rows(), num_rows);
  EXPECT_EQ(sparse_input.num_columns(), num_columns);
  const kernels::RowSet rows = kernels::RowSet::range(0, y_dense.num_rows());
  multiply_input(ctx, dense_input, w.view(), {y_dense.view(), rows});
  multiply_input(ctx, sparse_input, w.view(), {y_sparse.view(), rows});
  expect_near(y_dense, y_sparse);
  multiply_input(ctx, dense_input, w.view(), {y_dense.view(), rows, kernels::Write::add});
  multiply_input(ctx, sparse_input, w.view(), {y_sparse.view(), rows, kernels::Write::add});
  expect_near(y_dense, y_sparse);
  input_weight_gradient(ctx, dense_input, g.view(), gw_dense.view());
  input_weight_gradient(ctx, sparse_input, g.view(), gw_sparse.view());
  expect_near(gw_dense, gw_sparse);
}

INSTANTIATE_TEST_SUITE_P(Input, SparseEqualsDense, ::testing::Bool());

TEST(SparseInput, GoesBackToAllValues) {
  kernels::Context ctx(1);
  Both both = make_both();
  const std::vector<Real> values = both.sparse.values;
  SparseInput sparse(std::move(both.sparse));
  const std::vector<GlobalId> ids(static_cast<std::size_t>(num_rows), 0);
  sparse.use_dropped_values(ctx, {random_key(3, RandomPurpose::dropout), 2, 0.9F}, ids);
  static_cast<void>(sparse.transposed_view(ctx, num_rows));
  sparse.use_all_values();
  EXPECT_TRUE(std::equal(values.begin(), values.end(), sparse.view().values.begin()));
  double sum = 0;
  for (const Real v : sparse.transposed_view(ctx, num_rows).values)
    sum += static_cast<double>(v);
  EXPECT_NEAR(sum, std::accumulate(values.begin(), values.end(), 0.0), 1e-4);
}

}  // namespace
}  // namespace weft::layers
