// SPDX-License-Identifier: MIT
// The matrix of a neighborhood aggregation on one part, split by where its columns live.
//
//   y[boundary] = owned[boundary] x_owned + halo x_halo       y[interior] = owned[interior] x_owned
//
// `owned` is multiplied while the halo travels, `halo` after. The transposes are explicit:
// backward multiplies with them, and nothing assumes that the graph is symmetric.
#pragma once

#include "kernels/sparse.hpp"
#include "partition/part.hpp"

namespace weft::layers {

enum class Normalization {
  symmetric,  ///< GCN: weight / sqrt(d(u) d(v)), d = weighted in-degrees, the loop counted
  mean,       ///< weight / sum of the weights of the row
  sum,        ///< weight
};

struct AggregationOptions {
  Normalization normalization = Normalization::symmetric;
  bool add_self_loops = true;  ///< a loop of weight 1 where the graph has none
};

/// Shapes   owned [num_owned x num_owned], halo [num_boundary x num_halo] (row i belongs to owned
///          row num_interior + i), and their transposes
struct Aggregation {
  LocalId num_interior = 0;
  kernels::SparseMatrix owned;
  kernels::SparseMatrix halo;
  kernels::SparseMatrix owned_transposed;  ///< empty where `owned` is its own transpose
  bool owned_is_symmetric = false;         ///< found by comparing every entry, never assumed
  kernels::SparseMatrix halo_transposed;

  [[nodiscard]] const kernels::SparseMatrix& transpose_of_owned() const {
    return owned_is_symmetric ? owned : owned_transposed;
  }
};

/// Builds the matrix from the part's arcs and the global degrees that it carries.
///
/// A row's entries rise by global id in `owned`, by (owner, global id) in `halo`; rows of
/// the transposes rise by global id too. Coefficients are computed in double precision.
/// A degree that is not positive gives coefficients of 0.
///
/// Cost     O(arcs of the part * log(degree)) time
[[nodiscard]] Aggregation build_aggregation(const partition::Part& part,
                                            const AggregationOptions& options);

}  // namespace weft::layers
