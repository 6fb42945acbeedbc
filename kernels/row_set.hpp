// SPDX-License-Identifier: MIT
// The rows that an operation touches: a range, or a sorted list.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "graph/support/types.hpp"

namespace weft::kernels {

/// Either begin .. end-1, or the rows of `list` (rising, no repeats). Borrows the list.
struct RowSet {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::span<const LocalId> list;
  bool is_list = false;

  [[nodiscard]] static RowSet range(std::int64_t begin, std::int64_t end) {
    return {begin, end, {}, false};
  }
  [[nodiscard]] static RowSet of(std::span<const LocalId> rows) { return {0, 0, rows, true}; }

  [[nodiscard]] std::int64_t size() const {
    return is_list ? static_cast<std::int64_t>(list.size()) : end - begin;
  }
  /// The i-th row of the set.
  [[nodiscard]] std::int64_t operator[](std::int64_t i) const {
    return is_list ? list[static_cast<std::size_t>(i)] : begin + i;
  }
  /// The rows of the set that are smaller than `bound`.
  [[nodiscard]] RowSet below(std::int64_t bound) const {
    if (!is_list) return range(std::min(begin, bound), std::min(end, bound));
    const auto count = std::lower_bound(list.begin(), list.end(), bound) - list.begin();
    return of(list.first(static_cast<std::size_t>(count)));
  }
  /// The other rows.
  [[nodiscard]] RowSet from(std::int64_t bound) const {
    if (!is_list) return range(std::max(begin, bound), std::max(end, bound));
    return of(list.subspan(static_cast<std::size_t>(below(bound).size())));
  }
  /// One past the largest row; 0 for an empty set.
  [[nodiscard]] std::int64_t upper_bound() const {
    if (!is_list) return begin == end ? 0 : end;
    return list.empty() ? 0 : list.back() + std::int64_t{1};
  }
};

}  // namespace weft::kernels
