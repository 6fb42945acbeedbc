// SPDX-License-Identifier: MIT
// Epilogues of rows that are in place already.
#include "kernels/epilogue.hpp"

#include "kernels/backends.hpp"
#include "kernels/cpu/row_finisher.hpp"
#include "kernels/cpu/tasks.hpp"

namespace weft::kernels::cpu {

void finish_rows(Context& ctx, const Epilogue& epilogue, MatrixView y, RowSet rows) {
  const RowFinisher finisher(vector_kernels(ctx.instruction_set()), epilogue, y.num_columns);
  for_rows(ctx, rows, y.num_columns, [&](std::int64_t r) { finisher.finish(r, y.row(r)); });
}

}  // namespace weft::kernels::cpu
