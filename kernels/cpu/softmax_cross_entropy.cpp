// SPDX-License-Identifier: MIT
// Classification loss: rows in chunks of a fixed number, whose losses are added in order.
#include "kernels/softmax_cross_entropy.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/backends.hpp"
#include "kernels/cpu/stored_rows.hpp"
#include "kernels/cpu/tasks.hpp"
#include "kernels/cpu/vector_kernels.hpp"

namespace weft::kernels::cpu {
namespace {

/// Labelled rows whose losses are summed before the sum joins the others.
constexpr std::int64_t loss_chunk = 256;

struct LabelledRow {
  const Real* logits;
  std::int64_t num_classes;
  std::int32_t label;
};

/// Loss of one row; writes its gradient where `grad` is given.
double row_loss(const VectorKernels& vectors, LabelledRow row, double scale, Real* grad) {
  const SoftmaxSums sums = vectors.softmax_row(row.logits, row.num_classes, grad);
  const auto sum = static_cast<double>(sums.sum);
  if (grad != nullptr) {
    const double at_label = (static_cast<double>(grad[row.label]) / sum - 1.0) * scale;
    const auto factor = static_cast<Real>(scale / sum);
    for (std::int64_t c = 0; c < row.num_classes; ++c)
      grad[c] *= factor;
    grad[row.label] = static_cast<Real>(at_label);
  }
  return static_cast<double>(sums.largest) + std::log(sum) -
         static_cast<double>(row.logits[row.label]);
}

void clear(Context& ctx, MatrixView x) {
  for_rows(ctx, RowSet::range(0, x.num_rows), x.num_columns,
           [&](std::int64_t r) { std::fill_n(x.row_begin(r), x.row_bytes(), std::byte{0}); });
}

}  // namespace

double softmax_cross_entropy(Context& ctx,
                             ConstMatrixView logits,
                             std::span<const std::int32_t> labels,
                             std::span<const LocalId> rows,
                             double scale,
                             MatrixView grad_logits) {
  if (grad_logits.data != nullptr) clear(ctx, grad_logits);
  const auto num_rows = static_cast<std::int64_t>(rows.size());
  const std::int64_t num_chunks = (num_rows + loss_chunk - 1) / loss_chunk;
  const VectorKernels& vectors = vector_kernels(ctx.instruction_set());
  const auto losses = ctx.scratch<double>(ScratchSlot::totals, num_chunks);
  const StoredRows stored(ctx, logits.num_columns);
  ctx.parallel_for(num_chunks, [&](std::int64_t chunk) {
    double loss = 0;
    const std::int64_t end = std::min(num_rows, (chunk + 1) * loss_chunk);
    for (std::int64_t i = chunk * loss_chunk; i < end; ++i) {
      const LocalId r = rows[static_cast<std::size_t>(i)];
      const std::int32_t label = labels[static_cast<std::size_t>(r)];
      Real* grad = grad_logits.data == nullptr ? nullptr : stored.target(grad_logits, r, 1);
      loss +=
          row_loss(vectors, {stored.read(logits, r, 0), logits.num_columns, label}, scale, grad);
      if (grad != nullptr) stored.store(grad_logits, r, 1);
    }
    losses[static_cast<std::size_t>(chunk)] = loss;
  });
  return std::accumulate(losses.begin(), losses.end(), 0.0);
}

std::int64_t count_correct(Context& ctx,
                           ConstMatrixView logits,
                           std::span<const std::int32_t> labels,
                           std::span<const LocalId> rows) {
  const auto num_rows = static_cast<std::int64_t>(rows.size());
  const std::int64_t num_chunks = (num_rows + loss_chunk - 1) / loss_chunk;
  const auto counts = ctx.scratch<std::int64_t>(ScratchSlot::totals, num_chunks);
  const StoredRows stored(ctx, logits.num_columns);
  ctx.parallel_for(num_chunks, [&](std::int64_t chunk) {
    std::int64_t count = 0;
    const std::int64_t end = std::min(num_rows, (chunk + 1) * loss_chunk);
    for (std::int64_t i = chunk * loss_chunk; i < end; ++i) {
      const LocalId r = rows[static_cast<std::size_t>(i)];
      const Real* row = stored.read(logits, r, 0);
      const auto largest = std::max_element(row, row + logits.num_columns) - row;
      count += largest == labels[static_cast<std::size_t>(r)] ? 1 : 0;
    }
    counts[static_cast<std::size_t>(chunk)] = count;
  });
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

}  // namespace weft::kernels::cpu
