// SPDX-License-Identifier: MIT
// Fetches rows of a matrix into the second-level cache while others are worked on.
#pragma once

#include <cstdint>

#include "kernels/matrix.hpp"
#include "kernels/row_set.hpp"

namespace weft::kernels::cpu {

/// Spreads the cache lines of rows begin .. end-1 of a row set over `num_steps` calls of `step`:
/// memory is read all the time, and not in bursts for which the multiply-adds wait.
class FetchAhead {
 public:
  FetchAhead(
      ConstMatrixView x, RowSet rows, std::int64_t begin, std::int64_t end, std::int64_t num_steps)
      : x_(x), rows_(rows), row_(begin), end_(end) {
    const std::int64_t lines_of_row = (x.row_bytes() + line_bytes - 1) / line_bytes;
    if (num_steps == 0) return;
    lines_of_step_ = ((end - begin) * lines_of_row + num_steps - 1) / num_steps;
  }

  void step() {
    for (std::int64_t i = 0; i < lines_of_step_ && row_ < end_; ++i) {
      __builtin_prefetch(x_.row_begin(rows_[row_]) + byte_, 0, 2);
      byte_ += line_bytes;
      if (byte_ < x_.row_bytes()) continue;
      byte_ = 0;
      ++row_;
    }
  }

 private:
  static constexpr std::int64_t line_bytes = 64;

  ConstMatrixView x_;
  RowSet rows_;
  std::int64_t row_;
  std::int64_t end_;
  std::int64_t byte_ = 0;  ///< of row_
  std::int64_t lines_of_step_ = 0;
};

}  // namespace weft::kernels::cpu
