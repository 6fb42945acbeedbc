// SPDX-License-Identifier: MIT
// Dropout: the same mask from every path, dense and sparse, for any split of rows over parts.
#include "kernels/dropout.hpp"

#include <limits>

#include "tests/kernels/kernel_test_support.hpp"

namespace weft::kernels {
namespace {

using test::StridedMatrix;

DropoutMask mask_of(float probability, std::uint32_t epoch = 4) {
  return {random_key(1, RandomPurpose::dropout, 2), epoch, probability};
}

std::vector<GlobalId> scattered_ids(std::int64_t count) {
  std::vector<GlobalId> ids;
  for (std::int64_t i = 0; i < count; ++i)
    ids.push_back((i * 7919 + 13) << (i % 3 == 0 ? 32 : 0));
  return ids;
}

TEST(Dropout, ReferenceFollowsTheMask) {
  Context ctx(1, Backend::reference);
  const DropoutMask mask = mask_of(0.25F);
  const std::vector<GlobalId> ids{5, 1000};
  StridedMatrix x = test::random_matrix(2, 40, 1);
  StridedMatrix y(2, 40);
  dropout(ctx, mask, ids, x.view(), y.view(), RowSet::range(0, 2));
  for (std::int64_t r = 0; r < 2; ++r) {
    for (std::uint32_t c = 0; c < 40; ++c) {
      const Real kept = x.view().at(r, c) * static_cast<Real>(1 / 0.75);
      EXPECT_EQ(y.view().at(r, c), mask.keeps(ids[static_cast<std::size_t>(r)], c) ? kept : 0);
    }
  }
}

TEST(Dropout, CpuEqualsReferenceBitByBit) {
  Context reference(1, Backend::reference);
  const std::vector<GlobalId> ids = scattered_ids(60);
  for (const float probability : {0.0F, 0.5F, 0.1F, 1.0F / 3, 0.999F, 0x1.0p-30F}) {
    for (const std::int64_t width : {1, 3, 4, 7, 31, 32, 33, 64, 127, 602}) {
      SCOPED_TRACE(text("probability ", probability, ", width ", width));
      StridedMatrix x = test::random_matrix(60, width, 2);
      StridedMatrix expected(60, width);
      dropout(reference, mask_of(probability), ids, x.view(), expected.view(),
              RowSet::range(0, 60));
      test::expect_rows_are_independent(60, width, [&](Context& ctx, RowSet rows, MatrixView y) {
        dropout(ctx, mask_of(probability), ids, x.view(), y, rows);
      });
      test::for_every_cpu_setting([&](Context& ctx) {
        StridedMatrix y(60, width);
        dropout(ctx, mask_of(probability), ids, x.view(), y.view(), RowSet::range(0, 60));
        EXPECT_TRUE(test::same_bits(y.storage(), expected.storage()));
      });
    }
  }
}

TEST(Dropout, InPlaceAndDroppedInfinitiesBecomeZero) {
  const DropoutMask mask = mask_of(0.5F);
  const std::vector<GlobalId> ids{9};
  test::for_every_cpu_setting([&](Context& ctx) {
    Matrix x(1, 64);
    x.fill(std::numeric_limits<Real>::infinity());
    dropout(ctx, mask, ids, x.view(), x.view(), RowSet::range(0, 1));
    for (std::uint32_t c = 0; c < 64; ++c) {
      EXPECT_EQ(x.at(0, c), mask.keeps(9, c) ? std::numeric_limits<Real>::infinity() : Real{0});
    }
  });
}

TEST(Dropout, SparseDropsTheSameElements) {
  const SparseMatrix pattern = test::random_sparse(40, 300, 25, 3);
  const std::vector<GlobalId> ids = scattered_ids(40);
  const DropoutMask mask = mask_of(0.4F, 77);
  Context reference(1, Backend::reference);
  std::vector<Real> expected(pattern.values.size());
  dropout_sparse(reference, mask, ids, pattern.view(), expected);
  test::for_every_cpu_setting([&](Context& ctx) {
    std::vector<Real> dropped(pattern.values.size());
    dropout_sparse(ctx, mask, ids, pattern.view(), dropped);
    EXPECT_TRUE(test::same_bits(dropped, expected));

    Matrix dense(40, 300);
    dense.fill(1);
    dropout(ctx, mask, ids, dense.view(), dense.view(), RowSet::range(0, 40));
    SparseMatrix ones = pattern;
    ones.values.clear();
    dropout_sparse(ctx, mask, ids, ones.view(), dropped);
    for (std::size_t r = 0; r < 40; ++r) {
      for (auto e = static_cast<std::size_t>(pattern.row_ptr[r]);
           e < static_cast<std::size_t>(pattern.row_ptr[r + 1]); ++e) {
        EXPECT_EQ(dropped[e], dense.at(static_cast<std::int64_t>(r), pattern.col_idx[e]));
      }
    }
  });
}

TEST(Dropout, KeepsTheAskedShareAndTheMean) {
  Context ctx(2);
  const std::int64_t n = 4000;
  std::vector<GlobalId> ids(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < ids.size(); ++i)
    ids[i] = static_cast<GlobalId>(i);
  Matrix x(n, 50);
  x.fill(1);
  dropout(ctx, mask_of(0.3F), ids, x.view(), x.view(), RowSet::range(0, n));
  std::int64_t kept = 0;
  for (const Real value : x.values())
    kept += value != 0 ? 1 : 0;
  const double share = static_cast<double>(kept) / static_cast<double>(x.size());
  EXPECT_NEAR(share, 0.7, 4 * std::sqrt(0.7 * 0.3 / static_cast<double>(x.size())));
}

TEST(Dropout, AnotherEpochDropsOthers) {
  Context ctx(1);
  const std::vector<GlobalId> ids{3};
  Matrix first(1, 256);
  Matrix second(1, 256);
  first.fill(1);
  second.fill(1);
  dropout(ctx, mask_of(0.5F, 1), ids, first.view(), first.view(), RowSet::range(0, 1));
  dropout(ctx, mask_of(0.5F, 2), ids, second.view(), second.view(), RowSet::range(0, 1));
  EXPECT_FALSE(std::equal(first.data(), first.data() + 256, second.data()));
}

TEST(Dropout, BadArgumentsAreRefused) {
  Context ctx(1);
  Matrix x(3, 2);
  const std::vector<GlobalId> ids{1, 2};
  const RowSet all = RowSet::range(0, 3);
  EXPECT_THROW(dropout(ctx, mask_of(0.5F), ids, x.view(), x.view(), all), InputError);
  EXPECT_THROW(dropout(ctx, mask_of(1.0F), ids, x.view(), x.view(), RowSet::range(0, 2)),
               InputError);
  EXPECT_THROW(dropout(ctx, mask_of(-0.1F), ids, x.view(), x.view(), RowSet::range(0, 2)),
               InputError);
}

}  // namespace
}  // namespace weft::kernels
