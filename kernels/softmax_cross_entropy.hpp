// SPDX-License-Identifier: MIT
// Classification: loss and its gradient for labelled rows, and counting correct predictions.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/context.hpp"
#include "kernels/matrix.hpp"

namespace weft::kernels {

/// Sum over `rows` of -log softmax(logits[r])[labels[r]], in double precision, stable (the row's
/// maximum is subtracted), summed in a fixed order. Where `grad_logits` has data, its rows in
/// `rows` become (softmax - onehot) * scale and all its other rows 0.
///
/// Shapes   logits, grad_logits [n x classes], labels [n], rows [m] rising
/// Units    the sum, not the mean: the caller divides by the global count
/// Cost     O(m classes) time, O(n classes) writes for the gradient
[[nodiscard]] double softmax_cross_entropy(Context& ctx,
                                           ConstMatrixView logits,
                                           std::span<const std::int32_t> labels,
                                           std::span<const LocalId> rows,
                                           double scale,
                                           MatrixView grad_logits);

/// Rows in `rows` whose largest logit (the first of equals) is at labels[r].
///
/// Shapes   logits [n x classes], labels [n], rows [m]
/// Cost     O(m classes) time, no allocation
[[nodiscard]] std::int64_t count_correct(Context& ctx,
                                         ConstMatrixView logits,
                                         std::span<const std::int32_t> labels,
                                         std::span<const LocalId> rows);

}  // namespace weft::kernels
