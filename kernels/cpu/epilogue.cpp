// SPDX-License-Identifier: MIT
// Epilogues of rows that are in place already.
#include "kernels/epilogue.hpp"

#include "kernels/backends.hpp"
#include "kernels/cpu/row_finisher.hpp"
#include "kernels/cpu/stored_rows.hpp"
#include "kernels/cpu/tasks.hpp"

namespace weft::kernels::cpu {

void finish_rows(Context& ctx, const Epilogue& epilogue, MatrixView y, RowSet rows) {
  if (epilogue.is_empty()) return;
  const StoredRows stored(ctx, y.num_columns);
  const RowFinisher finisher(vector_kernels(ctx.instruction_set()), stored, epilogue,
                             y.num_columns);
  for_rows(ctx, rows, y.num_columns, [&](std::int64_t r) {
    finisher.finish(r, stored.update(y, r, 0));
    stored.store(y, r, 0);
  });
}

}  // namespace weft::kernels::cpu
