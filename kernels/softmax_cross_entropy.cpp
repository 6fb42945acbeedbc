// SPDX-License-Identifier: MIT
// Classification loss: checks the arguments and passes on to the backend.
#include "kernels/softmax_cross_entropy.hpp"

#include "graph/support/text.hpp"
#include "kernels/backends.hpp"
#include "kernels/shape_check.hpp"

namespace weft::kernels {
namespace {

void check_labels(const char* operation,
                  ConstMatrixView logits,
                  std::span<const std::int32_t> labels,
                  std::span<const LocalId> rows) {
  require_rows(operation, RowSet::of(rows), {"rows of logits", logits.num_rows});
  require_rows(operation, RowSet::of(rows), {"labels", static_cast<std::int64_t>(labels.size())});
  for (const LocalId row : rows) {
    const std::int32_t label = labels[static_cast<std::size_t>(row)];
    if (label >= 0 && label < logits.num_columns) continue;
    throw InputError(text(operation, ": label ", label, " of row ", row, " is outside 0..",
                          logits.num_columns - 1,
                          "; list labelled rows only, and give the model one output a class"));
  }
}

}  // namespace

double softmax_cross_entropy(Context& ctx,
                             ConstMatrixView logits,
                             std::span<const std::int32_t> labels,
                             std::span<const LocalId> rows,
                             double scale,
                             MatrixView grad_logits) {
  check_labels("softmax_cross_entropy", logits, labels, rows);
  if (grad_logits.data != nullptr) {
    require_equal("softmax_cross_entropy", {"rows of grad_logits", grad_logits.num_rows},
                  {"rows of logits", logits.num_rows}, "pass a gradient of the shape of logits");
    require_equal("softmax_cross_entropy", {"columns of grad_logits", grad_logits.num_columns},
                  {"columns of logits", logits.num_columns},
                  "pass a gradient of the shape of logits");
  }
  return choose_backend(ctx, "softmax_cross_entropy", reference::softmax_cross_entropy,
                        cpu::softmax_cross_entropy)(ctx, logits, labels, rows, scale, grad_logits);
}

std::int64_t count_correct(Context& ctx,
                           ConstMatrixView logits,
                           std::span<const std::int32_t> labels,
                           std::span<const LocalId> rows) {
  check_labels("count_correct", logits, labels, rows);
  return choose_backend(ctx, "count_correct", reference::count_correct, cpu::count_correct)(
      ctx, logits, labels, rows);
}

}  // namespace weft::kernels
