// SPDX-License-Identifier: MIT
// Three aggregations that the library's is compared with, written apart from it and as fast as they
// can be made. One source is compiled once for each instruction set, like the library's own inner
// loops; plain data only crosses its border.
#pragma once

#include <cstdint>

#include "graph/support/types.hpp"

namespace weft::bench {

/// Numbers in a row of a panel.
inline constexpr std::int64_t panel_width = 64;

/// A sparse matrix with values, and a dense one whose rows it gathers.
struct GatherProblem {
  const EdgeOffset* row_ptr;
  const LocalId* col_idx;
  const Real* values;
  EdgeOffset num_entries;
  const Real* x;       ///< first number of row 0
  Real* y;             ///< the same of the result
  std::int64_t width;  ///< numbers in a row of x and y, and their distance
};

/// Each writes rows begin .. end-1 of y = A x.
using SumRows = void (*)(const GatherProblem& problem, std::int64_t begin, std::int64_t end);

struct SpmmVariants {
  SumRows row_by_row;   ///< the row in registers, nothing fetched ahead
  SumRows prefetching;  ///< the same with the rows of later neighbors fetched ahead
  SumRows panel;        ///< one panel: x and y have panel_width numbers a row
};

/// Those for the instruction set that the library chooses on this machine.
[[nodiscard]] const SpmmVariants& spmm_variants();

}  // namespace weft::bench
