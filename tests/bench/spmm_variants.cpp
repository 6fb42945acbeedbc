// SPDX-License-Identifier: MIT
// Compiled once for each instruction set, with
//   WEFT_VECTOR_BYTES    bytes of a register
//   WEFT_VARIANTS_TABLE  name of the table
// Nothing here may call what has external linkage: the linker keeps one copy of an inline function.
#include "tests/bench/spmm_variants.hpp"

namespace weft::bench {
namespace {

using Vector =
    Real __attribute__((vector_size(WEFT_VECTOR_BYTES), aligned(sizeof(Real)), may_alias));

constexpr int lanes = WEFT_VECTOR_BYTES / static_cast<int>(sizeof(Real));
constexpr std::int64_t cache_line_bytes = 64;

/// Most registers of sums: half of those there are, so that the compiler spills none.
constexpr int tile_vectors = WEFT_VECTOR_BYTES == 64 ? 16 : 8;

/// Rows that are fetched ahead: 12 to 16 were best in each width and order, 8 up to a third slower.
constexpr int rows_ahead = 16;

inline Vector load(const Real* from) {
  return *reinterpret_cast<const Vector*>(from);
}

/// Sums `count` registers of columns, the last of which begins at column `last`.
template <int count, int ahead>
inline void sum_tile(const GatherProblem& p,
                     std::int64_t row,
                     std::int64_t column,
                     std::int64_t last) {
  Vector sums[count] = {};
  const EdgeOffset end = p.row_ptr[row + 1];
  const Real* x = p.x + column;
  for (EdgeOffset e = p.row_ptr[row]; e < end; ++e) {
    if constexpr (ahead > 0) {
      const EdgeOffset later = e + ahead < p.num_entries ? e + ahead : e;
      const auto* bytes = reinterpret_cast<const char*>(x + p.col_idx[later] * p.width);
      for (std::int64_t byte = 0; byte < std::int64_t{count} * WEFT_VECTOR_BYTES;
           byte += cache_line_bytes)
        __builtin_prefetch(bytes + byte);
    }
    const Real* from = x + p.col_idx[e] * p.width;
    const Vector value = p.values[e] - Vector{};
    for (int t = 0; t + 1 < count; ++t)
      sums[t] += value * load(from + t * lanes);
    sums[count - 1] += value * load(from + last);
  }
  Real* y = p.y + row * p.width + column;
  // Where the last register overlaps the one before, both have the same sums.
  *reinterpret_cast<Vector*>(y + last) = sums[count - 1];
  for (int t = 0; t + 1 < count; ++t)
    *reinterpret_cast<Vector*>(y + t * lanes) = sums[t];
}

template <int ahead, int count = tile_vectors>
inline void sum_columns(
    const GatherProblem& p, std::int64_t row, std::int64_t column, std::int64_t last, int wanted) {
  if (wanted == count) return sum_tile<count, ahead>(p, row, column, last);
  if constexpr (count > 1) sum_columns<ahead, count - 1>(p, row, column, last, wanted);
}

template <int ahead>
void sum_rows(const GatherProblem& p, std::int64_t begin, std::int64_t end) {
  const std::int64_t num_vectors = (p.width + lanes - 1) / lanes;
  const std::int64_t passes = (num_vectors + tile_vectors - 1) / tile_vectors;
  for (std::int64_t row = begin; row < end; ++row) {
    std::int64_t first = 0;
    for (std::int64_t pass = passes; pass > 0; --pass) {
      const std::int64_t count = (num_vectors - first + pass - 1) / pass;
      const std::int64_t column = first * lanes;
      const std::int64_t whole = (count - 1) * lanes;
      const std::int64_t last =
          column + whole + lanes <= p.width ? whole : p.width - lanes - column;
      sum_columns<ahead>(p, row, column, last, static_cast<int>(count));
      first += count;
    }
  }
}

constexpr int panel_vectors = static_cast<int>(panel_width) / lanes;

void sum_panel(const GatherProblem& p, std::int64_t begin, std::int64_t end) {
  for (std::int64_t row = begin; row < end; ++row) {
    if constexpr (panel_vectors <= tile_vectors) {
      sum_tile<panel_vectors, rows_ahead>(p, row, 0, panel_width - lanes);
    } else {
      for (int first = 0; first < panel_vectors; first += tile_vectors)
        sum_tile<tile_vectors, rows_ahead>(p, row, first * lanes, (tile_vectors - 1) * lanes);
    }
  }
}

}  // namespace

extern const SpmmVariants WEFT_VARIANTS_TABLE;
const SpmmVariants WEFT_VARIANTS_TABLE = {sum_rows<0>, sum_rows<rows_ahead>, sum_panel};

}  // namespace weft::bench
