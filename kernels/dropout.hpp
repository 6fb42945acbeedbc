// SPDX-License-Identifier: MIT
// Dropout whose mask is a function of (seed, layer, epoch, global id, column), so that every rank
// count, thread count and partition drops the same elements and no mask is stored.
#pragma once

#include <span>

#include "graph/support/random.hpp"
#include "kernels/context.hpp"
#include "kernels/matrix.hpp"
#include "kernels/row_set.hpp"
#include "kernels/sparse.hpp"

namespace weft::kernels {

struct DropoutMask {
  RandomKey key;  ///< random_key(seed, RandomPurpose::dropout, layer)
  std::uint32_t epoch = 0;
  float probability = 0;  ///< of dropping an element, in [0, 1)

  /// True if the element survives: uniform(key, id, column, epoch) >= probability.
  [[nodiscard]] bool keeps(GlobalId id, std::uint32_t column) const {
    return random_uniform(key, static_cast<std::uint64_t>(id), column, epoch) >= probability;
  }
  [[nodiscard]] Real scale() const {
    return static_cast<Real>(1.0 / (1.0 - static_cast<double>(probability)));
  }
};

/// Throws InputError unless the mask's probability lies in [0, 1).
void require_probability(const char* operation, const DropoutMask& mask);

/// y[r] = x[r] * scale where the mask keeps, else 0, for r in `rows`; row r has the global id
/// global_ids[r]. Its own gradient: apply it to grad_y. y may be x.
///
/// Shapes   x, y [n x dim], global_ids [>= n]
/// Cost     O(n dim) time, one Philox block for four columns, no allocation
void dropout(Context& ctx,
             const DropoutMask& mask,
             std::span<const GlobalId> global_ids,
             ConstMatrixView x,
             MatrixView y,
             RowSet rows);

/// The same for the stored values of a sparse matrix: element (r, c) of row r is kept or dropped
/// exactly as `dropout` would; zeros stay zeros.
///
/// Shapes   x [n x dim] sparse, dropped_values [nonzeros of x], global_ids [>= n]
/// Cost     O(nonzeros) time, no allocation
void dropout_sparse(Context& ctx,
                    const DropoutMask& mask,
                    std::span<const GlobalId> global_ids,
                    const SparseView& x,
                    std::span<Real> dropped_values);

}  // namespace weft::kernels
