// SPDX-License-Identifier: MIT
// What the kernel tests share: random operands with awkward strides, a comparison that shows the
// worst element, and the list of ways in which the cpu backend can run on this machine.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "graph/support/random.hpp"
#include "graph/support/text.hpp"
#include "kernels/context.hpp"
#include "kernels/matrix.hpp"
#include "kernels/row_set.hpp"
#include "kernels/sparse.hpp"

namespace weft::kernels::test {

/// Error allowed in a sum of a few thousand terms, relative to the largest expected element.
inline constexpr double sum_tolerance = sizeof(Real) == 4 ? 1e-5 : 1e-12;

/// A matrix inside a larger block: rows are `padding` elements apart and start unaligned.
class StridedMatrix {
 public:
  StridedMatrix(std::int64_t num_rows, std::int64_t num_columns, std::int64_t padding = 3)
      : values_(static_cast<std::size_t>(1 + num_rows * (num_columns + padding)), Real{77}),
        num_rows_(num_rows),
        num_columns_(num_columns),
        stride_(num_columns + padding) {}

  [[nodiscard]] MatrixView view() { return {values_.data() + 1, num_rows_, num_columns_, stride_}; }
  /// Everything, the padding too: two runs can be compared bit by bit.
  [[nodiscard]] const std::vector<Real>& storage() const { return values_; }

 private:
  std::vector<Real> values_;
  std::int64_t num_rows_;
  std::int64_t num_columns_;
  std::int64_t stride_;
};

/// Fills with uniform numbers in [-1, 1), a function of (seed, row, column).
inline void fill_random(MatrixView x, std::uint64_t seed) {
  const RandomKey key = random_key(seed, RandomPurpose::test);
  for (std::int64_t r = 0; r < x.num_rows; ++r) {
    for (std::int64_t c = 0; c < x.num_columns; ++c) {
      const float uniform =
          random_uniform(key, static_cast<std::uint64_t>(r), static_cast<std::uint32_t>(c));
      x.at(r, c) = static_cast<Real>(2 * static_cast<double>(uniform) - 1);
    }
  }
}

inline StridedMatrix random_matrix(std::int64_t num_rows,
                                   std::int64_t num_columns,
                                   std::uint64_t seed,
                                   std::int64_t padding = 3) {
  StridedMatrix x(num_rows, num_columns, padding);
  fill_random(x.view(), seed);
  return x;
}

inline std::vector<Real> random_vector(std::size_t size, std::uint64_t seed) {
  std::vector<Real> x(size);
  fill_random({x.data(), 1, static_cast<std::int64_t>(size), static_cast<std::int64_t>(size)},
              seed);
  return x;
}

/// A sparse matrix with `degree` entries a row at random columns; every fifth row is empty.
inline SparseMatrix random_sparse(std::int64_t num_rows,
                                  std::int64_t num_columns,
                                  std::int64_t degree,
                                  std::uint64_t seed) {
  const RandomKey key = random_key(seed, RandomPurpose::test, 1);
  SparseMatrix a{num_rows, num_columns, {0}, {}, {}};
  for (std::int64_t r = 0; r < num_rows; ++r) {
    for (std::int64_t e = 0; e < (r % 5 == 4 ? 0 : degree); ++e) {
      const std::uint32_t word =
          random_word(key, static_cast<std::uint64_t>(r), static_cast<std::uint32_t>(e));
      a.col_idx.push_back(static_cast<LocalId>(word % static_cast<std::uint32_t>(num_columns)));
      a.values.push_back(static_cast<Real>(word >> 8) * Real{0x1.0p-24F} - Real{0.5});
    }
    a.row_ptr.push_back(static_cast<EdgeOffset>(a.col_idx.size()));
  }
  return a;
}

/// The first entries of each row of `a`, up to row_end, as a matrix of their own.
inline SparseMatrix first_entries(const SparseMatrix& a, const std::vector<EdgeOffset>& row_end) {
  SparseMatrix result{a.num_rows, a.num_columns, {0}, {}, {}};
  for (std::size_t r = 0; r < row_end.size(); ++r) {
    for (auto e = static_cast<std::size_t>(a.row_ptr[r]); e < static_cast<std::size_t>(row_end[r]);
         ++e) {
      result.col_idx.push_back(a.col_idx[e]);
      if (!a.values.empty()) result.values.push_back(a.values[e]);
    }
    result.row_ptr.push_back(static_cast<EdgeOffset>(result.col_idx.size()));
  }
  return result;
}

/// Expects |actual - expected| <= tolerance * max(1, largest |expected|) everywhere; a failure
/// shows the worst element.
inline void expect_close(ConstMatrixView actual, ConstMatrixView expected, double tolerance) {
  ASSERT_EQ(actual.num_rows, expected.num_rows);
  ASSERT_EQ(actual.num_columns, expected.num_columns);
  double worst = 0;
  double largest = 1;
  std::int64_t worst_row = 0;
  std::int64_t worst_column = 0;
  for (std::int64_t r = 0; r < actual.num_rows; ++r) {
    for (std::int64_t c = 0; c < actual.num_columns; ++c) {
      const auto wanted = static_cast<double>(expected.at(r, c));
      const double difference = std::abs(static_cast<double>(actual.at(r, c)) - wanted);
      largest = std::max(largest, std::abs(wanted));
      if (difference <= worst) continue;
      worst = std::isnan(difference) ? HUGE_VAL : difference;
      worst_row = r;
      worst_column = c;
    }
  }
  if (actual.num_rows * actual.num_columns == 0) return;
  EXPECT_LE(worst, tolerance * largest) << "row " << worst_row << ", column " << worst_column
                                        << ": " << actual.at(worst_row, worst_column)
                                        << " instead of " << expected.at(worst_row, worst_column);
}

inline ConstMatrixView as_row(std::span<const Real> x) {
  const auto size = static_cast<std::int64_t>(x.size());
  return {x.data(), 1, size, size};
}

/// True if both hold the same bits.
inline bool same_bits(const std::vector<Real>& a, const std::vector<Real>& b) {
  if (a.size() != b.size()) return false;
  return a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Real)) == 0;
}

/// A way to run the cpu backend.
struct CpuSetting {
  InstructionSet instruction_set;
  int num_threads;
};

inline std::vector<InstructionSet> instruction_sets_here() {
  std::vector<InstructionSet> sets;
  for (const InstructionSet set :
       {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512}) {
    if (has_instruction_set(set)) sets.push_back(set);
  }
  return sets;
}

/// Calls body(ctx) for every instruction set that this CPU has and for 1, 2 and 8 threads.
template <typename Body>
void for_every_cpu_setting(const Body& body) {
  for (const InstructionSet set : instruction_sets_here()) {
    for (const int num_threads : {1, 2, 8}) {
      SCOPED_TRACE(text(instruction_set_name(set), ", ", num_threads, " threads"));
      Context ctx(num_threads);
      ctx.set_instruction_set(set);
      body(ctx);
    }
  }
}

/// Row sets that cover 0 .. num_rows - 1 between them, split in ways that cut tiles of rows.
inline std::vector<RowSet> awkward_split(std::int64_t num_rows, std::vector<LocalId>& storage) {
  const std::int64_t third = num_rows / 3;
  storage.clear();
  for (std::int64_t r = third; r < num_rows; r += 2)
    storage.push_back(static_cast<LocalId>(r));
  const std::size_t num_first = storage.size();
  for (std::int64_t r = third + 1; r < num_rows; r += 2) {
    storage.push_back(static_cast<LocalId>(r));
  }
  const std::span<const LocalId> lists(storage);
  return {RowSet::range(0, third), RowSet::of(lists.first(num_first)),
          RowSet::of(lists.subspan(num_first))};
}

/// Runs run(ctx, rows, y) over the whole of y and over an awkward split, on every instruction set
/// with 1, 2 and 8 threads, and expects the same bits for one instruction set.
template <typename Run>
void expect_rows_are_independent(std::int64_t num_rows, std::int64_t num_columns, const Run& run) {
  for (const InstructionSet set : instruction_sets_here()) {
    std::vector<Real> expected;
    for (const int num_threads : {1, 2, 8}) {
      SCOPED_TRACE(text(instruction_set_name(set), ", ", num_threads, " threads"));
      Context ctx(num_threads);
      ctx.set_instruction_set(set);
      StridedMatrix whole(num_rows, num_columns);
      run(ctx, RowSet::range(0, num_rows), whole.view());
      if (expected.empty()) expected = whole.storage();
      EXPECT_TRUE(same_bits(whole.storage(), expected)) << "whole matrix";
      StridedMatrix pieces(num_rows, num_columns);
      std::vector<LocalId> storage;
      for (const RowSet rows : awkward_split(num_rows, storage))
        run(ctx, rows, pieces.view());
      EXPECT_TRUE(same_bits(pieces.storage(), expected)) << "split rows";
    }
  }
}

}  // namespace weft::kernels::test
