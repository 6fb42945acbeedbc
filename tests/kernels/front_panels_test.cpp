// SPDX-License-Identifier: MIT
// Aggregation panel by panel: the bits of the aggregation of whole rows at every width, in both
// storages, with values and without, added, finished by an epilogue, for sets of rows and for hubs.
// And when it is chosen.
#include "kernels/cpu/front_panels.hpp"

#include <numeric>
#include <vector>

#include "kernels/bfloat16.hpp"
#include "kernels/spmm.hpp"
#include "tests/kernels/kernel_test_support.hpp"

namespace weft::kernels {
namespace {

using test::StridedMatrix;

constexpr std::int64_t no_panels = std::int64_t{1} << 60;

/// A cache of which half holds `num_rows` rows of a panel.
constexpr std::int64_t cache_for(std::int64_t num_rows, Storage storage) {
  return 2 * num_rows * cpu::ColumnPanels::most_columns * element_bytes(storage);
}

/// 203 rows of which most entries lead to the first 16.
SparseMatrix matrix_with_front(bool has_values) {
  SparseMatrix a = test::random_sparse(203, 203, 20, 1);
  for (std::size_t e = 0; e < a.col_idx.size(); ++e) {
    if (e % 16 != 3) a.col_idx[e] %= 16;
  }
  if (!has_values) a.values.clear();
  return a;
}

Matrix random_table(std::int64_t num_rows, std::int64_t width, Storage storage) {
  Matrix x(num_rows, width, storage);
  const std::vector<Real> numbers = test::random_vector(static_cast<std::size_t>(x.size()), 2);
  for (std::int64_t i = 0; i < x.size(); ++i) {
    const Real number = numbers[static_cast<std::size_t>(i)];
    if (storage == Storage::real) x.data()[i] = number;
    if (storage == Storage::bf16) x.view().row_bf16(0)[i] = to_bf16(static_cast<float>(number));
  }
  return x;
}

/// None, one and more panels, of full vectors and of every kind of remainder.
constexpr std::int64_t widths[] = {1,   16,  63,  64,  65,  66,  67,  68,  71,  72,  73,
                                   79,  80,  81,  96,  127, 128, 129, 130, 145, 191, 192,
                                   193, 201, 255, 256, 257, 300, 383, 449, 602, 640, 700};

/// Runs run(ctx) with and without panels on every cpu setting, and expects the same bytes; run
/// returns a matrix.
template <typename Run>
void expect_same_bytes(std::int64_t cache_bytes, const Run& run) {
  test::for_every_cpu_setting([&](Context& ctx) {
    ctx.set_cache_bytes(no_panels);
    const Matrix expected = run(ctx);
    ctx.set_cache_bytes(cache_bytes);
    const Matrix y = run(ctx);
    ASSERT_EQ(y.size(), expected.size());
    const auto num_bytes = static_cast<std::size_t>(y.num_rows() * y.view().row_bytes());
    EXPECT_EQ(std::memcmp(y.view().row_begin(0), expected.view().row_begin(0), num_bytes), 0);
  });
}

/// y = a x for some rows, then y += a x for others, finished.
struct Sums {
  SparseView a;
  ConstMatrixView x;
  Storage storage = Storage::real;
  Epilogue epilogue = {};

  Matrix operator()(Context& ctx) const {
    Matrix y(a.num_rows, x.num_columns, storage);
    y.fill(Real{0.25});
    std::vector<LocalId> list;
    for (LocalId r = 0; r < a.num_rows; r += r % 7 == 0 ? 1 : 3)
      list.push_back(r);
    spmm(ctx, a, x, y.view(), RowSet::range(1, a.num_rows), epilogue);
    spmm_add(ctx, a, x, y.view(), RowSet::of(list), epilogue);
    return y;
  }
};

TEST(SpmmPanels, GiveTheBitsOfWholeRowsAtEveryWidth) {
  for (const Storage storage : {Storage::real, Storage::bf16}) {
    const std::int64_t cache = cache_for(16, storage);
    for (const std::int64_t width : widths) {
      SCOPED_TRACE(text(storage_name(storage), ", width ", width));
      const SparseMatrix a = matrix_with_front(width % 2 == 0);
      const Matrix x = random_table(203, width, storage);
      Context ctx(1);
      ctx.set_cache_bytes(cache);
      const RowSet all = RowSet::range(0, 203);
      EXPECT_EQ(cpu::front_rows(ctx, a.view(), x.view(), all), width > 64 ? 16 : 0);
      expect_same_bytes(cache, Sums{a.view(), x.view(), storage});
    }
  }
}

TEST(SpmmPanels, FinishRowsAfterTheLastPanel) {
  constexpr std::int64_t width = 150;
  const SparseMatrix a = matrix_with_front(true);
  const std::vector<Real> vector = test::random_vector(width, 3);
  StridedMatrix residual = test::random_matrix(203, width, 4);
  std::vector<GlobalId> ids(203);
  std::iota(ids.begin(), ids.end(), GlobalId{5});
  const DropoutMask mask{{1, 2}, 3, 0.5F};
  for (const Storage storage : {Storage::real, Storage::bf16}) {
    const Matrix x = random_table(203, width, storage);
    for (const bool has_norm : {false, true}) {
      SCOPED_TRACE(text(storage_name(storage), has_norm ? ", norm" : ""));
      Matrix normalized(203, width);
      normalized.fill(0);
      Epilogue epilogue{.bias = vector,
                        .residual = residual.view(),
                        .relu = true,
                        .dropout = &mask,
                        .global_ids = ids,
                        .gate = residual.view()};
      if (has_norm) {
        epilogue.gamma = vector;
        epilogue.beta = vector;
        epilogue.normalized = normalized.view();
      }
      expect_same_bytes(cache_for(16, storage), Sums{a.view(), x.view(), storage, epilogue});
      if (!has_norm) continue;
      expect_same_bytes(cache_for(16, storage), [&](Context& ctx) {
        (void)Sums{a.view(), x.view(), Storage::real, epilogue}(ctx);
        Matrix copy(203, width);
        std::copy_n(normalized.data(), copy.size(), copy.data());
        return copy;
      });
    }
  }
}

// One thread sums a hub of 10,000 neighbors, all of them one of 200,000; the last entries of each
// row are left out.
TEST(SpmmPanels, SumHubsInBlocksAndRowsCutShort) {
  for (const std::int64_t degree : {10000, 200000}) {
    SparseMatrix a{3, 300, {0, 2, degree + 2, degree + 4}, {}, {}};
    for (std::int64_t e = 0; e < degree + 4; ++e)
      a.col_idx.push_back(static_cast<LocalId>(e % 10 == 0 ? e % 300 : e % 16));
    a.values = test::random_vector(a.col_idx.size(), 5);
    const std::vector<EdgeOffset> row_end{1, degree - 3, degree + 3};
    SparseView part = a.view();
    part.row_end = row_end;
    for (const Storage storage : {Storage::real, Storage::bf16}) {
      SCOPED_TRACE(text(storage_name(storage), ", degree ", degree));
      const Matrix x = random_table(300, 83, storage);
      expect_same_bytes(cache_for(16, storage), Sums{part, x.view(), storage});
    }
  }
}

TEST(SpmmPanels, AreChosenWhereEntriesLeadToRowsThatFitTheCache) {
  Context ctx(1);
  const RowSet all = RowSet::range(0, 203);
  const Matrix x = random_table(203, 128, Storage::real);
  const SparseMatrix a = matrix_with_front(true);
  const SparseMatrix scattered = test::random_sparse(203, 203, 20, 1);
  ctx.set_cache_bytes(cache_for(16, Storage::real));
  EXPECT_EQ(cpu::front_rows(ctx, a.view(), x.view(), all), 16);
  EXPECT_EQ(cpu::front_rows(ctx, scattered.view(), x.view(), all), 0) << "no locality";
  EXPECT_EQ(cpu::front_rows(ctx, a.view(), x.view(), RowSet::range(7, 12)), 0) << "few entries";
  EXPECT_EQ(cpu::front_rows(ctx, a.view(), x.view(), RowSet::range(7, 7)), 0) << "no rows";
  ctx.set_cache_bytes(203 * 128 * std::int64_t{sizeof(Real)});
  EXPECT_EQ(cpu::front_rows(ctx, a.view(), x.view(), all), 0) << "x fits the cache";
}

TEST(SpmmPanels, ColumnsAreCutEvenly) {
  for (std::int64_t width = 65; width <= 700; ++width) {
    const cpu::ColumnPanels panels(width);
    EXPECT_EQ(panels.begin(0), 0);
    EXPECT_EQ(panels.end(panels.size() - 1), width);
    for (std::int64_t p = 0; p < panels.size(); ++p) {
      EXPECT_GE(panels.end(p) - panels.begin(p), 17) << width;
      EXPECT_LE(panels.end(p) - panels.begin(p), 64) << width;
    }
  }
}

}  // namespace
}  // namespace weft::kernels
