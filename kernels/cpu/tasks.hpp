// SPDX-License-Identifier: MIT
// How the work of an operation is cut into tasks for the pool.
//
// A task is 10 to 500 us of work: long enough that its start costs nothing, short enough that the
// threads end together and that `poll` runs often.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/context.hpp"
#include "kernels/row_set.hpp"

namespace weft::kernels::cpu {

/// Matrix elements that a task streams through.
inline constexpr std::int64_t elements_per_task = 32768;

/// Calls body(begin, end) on the pool for pieces of 0 .. num_rows - 1 whose rows have
/// `row_elements` elements of work each.
template <typename Body>
void for_row_blocks(Context& ctx,
                    std::int64_t num_rows,
                    std::int64_t row_elements,
                    const Body& body) {
  const std::int64_t rows_per_task =
      std::max<std::int64_t>(1, elements_per_task / std::max<std::int64_t>(1, row_elements));
  const std::int64_t num_tasks = (num_rows + rows_per_task - 1) / rows_per_task;
  ctx.parallel_for(num_tasks, [&](std::int64_t task) {
    body(task * rows_per_task, std::min(num_rows, (task + 1) * rows_per_task));
  });
}

/// Calls body(row) on the pool for every row of the set.
template <typename Body>
void for_rows(Context& ctx, RowSet rows, std::int64_t row_elements, const Body& body) {
  for_row_blocks(ctx, rows.size(), row_elements, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      body(rows[i]);
  });
}

}  // namespace weft::kernels::cpu
