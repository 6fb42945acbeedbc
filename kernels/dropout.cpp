// SPDX-License-Identifier: MIT
// Dropout: checks the arguments and passes on to the backend.
#include "kernels/dropout.hpp"

#include "graph/support/text.hpp"
#include "kernels/backends.hpp"
#include "kernels/shape_check.hpp"

namespace weft::kernels {

void require_probability(const char* operation, const DropoutMask& mask) {
  if (mask.probability >= 0 && mask.probability < 1) return;
  throw InputError(text(operation, ": probability ", mask.probability,
                        " is outside [0, 1); pass the share of elements to drop"));
}

namespace {

void check_mask(const char* operation,
                const DropoutMask& mask,
                std::span<const GlobalId> global_ids,
                RowSet rows) {
  require_probability(operation, mask);
  require_rows(operation, rows, {"global ids", static_cast<std::int64_t>(global_ids.size())});
}

}  // namespace

void dropout(Context& ctx,
             const DropoutMask& mask,
             std::span<const GlobalId> global_ids,
             ConstMatrixView x,
             MatrixView y,
             RowSet rows) {
  check_mask("dropout", mask, global_ids, rows);
  require_equal("dropout", {"columns of x", x.num_columns}, {"columns of y", y.num_columns},
                "pass matrices of one width");
  require_rows("dropout", rows, {"rows of x", x.num_rows});
  require_rows("dropout", rows, {"rows of y", y.num_rows});
  choose_backend(ctx, "dropout", reference::dropout, cpu::dropout)(ctx, mask, global_ids, x, y,
                                                                   rows);
}

void dropout_sparse(Context& ctx,
                    const DropoutMask& mask,
                    std::span<const GlobalId> global_ids,
                    const SparseView& x,
                    std::span<Real> dropped_values) {
  check_mask("dropout_sparse", mask, global_ids, RowSet::range(0, x.num_rows));
  require_sparse("dropout_sparse", x);
  require_equal("dropout_sparse",
                {"length of dropped_values", static_cast<std::int64_t>(dropped_values.size())},
                {"nonzeros of x", x.num_nonzeros()}, "pass one value for each stored entry");
  choose_backend(ctx, "dropout_sparse", reference::dropout_sparse, cpu::dropout_sparse)(
      ctx, mask, global_ids, x, dropped_values);
}

}  // namespace weft::kernels
