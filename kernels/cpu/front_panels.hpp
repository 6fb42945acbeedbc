// SPDX-License-Identifier: MIT
// When and how an aggregation goes panel by panel: all rows of a result for some columns, then for
// the next. The first rows of x, to which most entries lead in an order by falling degree, are
// copied before each pass, so that they lie side by side and stay in the last-level cache.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/context.hpp"
#include "kernels/cpu/vector_kernels.hpp"
#include "kernels/epilogue.hpp"
#include "kernels/matrix.hpp"
#include "kernels/row_set.hpp"
#include "kernels/sparse.hpp"

namespace weft::kernels::cpu {

/// Columns 0 .. dim-1 in the fewest panels of at most 64, which differ by 16 columns at most, so
/// that none is so narrow that its pass costs more for entries than for numbers.
class ColumnPanels {
 public:
  static constexpr std::int64_t most_columns = 64;
  static constexpr std::int64_t unit = 16;

  explicit ColumnPanels(std::int64_t dim)
      : dim_(dim), num_panels_((dim + most_columns - 1) / most_columns) {
    if (num_panels_ == 0) return;
    const std::int64_t num_units = (dim + unit - 1) / unit;
    least_units_ = num_units / num_panels_;
    num_larger_ = num_units % num_panels_;
  }
  [[nodiscard]] std::int64_t size() const { return num_panels_; }
  [[nodiscard]] std::int64_t begin(std::int64_t panel) const {
    return std::min(dim_, (panel * least_units_ + std::min(panel, num_larger_)) * unit);
  }
  [[nodiscard]] std::int64_t end(std::int64_t panel) const { return begin(panel + 1); }

 private:
  std::int64_t dim_;
  std::int64_t num_panels_;
  std::int64_t least_units_ = 0;
  std::int64_t num_larger_ = 0;
};

/// Rows of x to copy for each panel: as many as take half of the context's cache, at most all; 0
/// where rows are to be summed whole. Panels pay where x does not fit the cache, most entries lead
/// to the copied rows, and there are many entries for each row that is copied.
///
/// Cost   reads about a thousand columns of entries; no allocation
[[nodiscard]] std::int64_t front_rows(const Context& ctx,
                                      const SparseView& a,
                                      ConstMatrixView x,
                                      RowSet rows);

/// Copies the first `num_rows` rows of x, whose columns are those of a panel, to scratch.
[[nodiscard]] FrontedMatrix copy_front(Context& ctx, ConstMatrixView x, std::int64_t num_rows);

}  // namespace weft::kernels::cpu
