// SPDX-License-Identifier: MIT
// The matrix of a neighborhood aggregation on one part, split by where its columns live.
//
//   y = owned x_owned + halo x_halo
//
// `owned` is multiplied while the halo travels, `halo` (by halo vertex; see border.hpp for what
// travels) after. The transposes are explicit: backward multiplies with them, and nothing assumes
// that the graph is symmetric.
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

/// Shapes   owned [num_owned x num_owned], halo [num_owned x num_halo], owned_transposed
struct Aggregation {
  kernels::SparseMatrix owned;
  kernels::SparseMatrix halo;              ///< may be emptied once the border is made
  kernels::SparseMatrix owned_transposed;  ///< empty where `owned` is its own transpose
  bool owned_is_symmetric = false;         ///< found by comparing every entry, never assumed

  [[nodiscard]] const kernels::SparseMatrix& transpose_of_owned() const {
    return owned_is_symmetric ? owned : owned_transposed;
  }
};

/// Builds the matrix from the part's arcs and the global degrees that it carries.
///
/// Entries of a row rise by local column, in the transpose too: the columns below any bound are the
/// first entries of the row. Coefficients are computed in double precision. A degree that is not
/// positive gives coefficients of 0.
///
/// Cost     O(arcs of the part * log(degree)) time
[[nodiscard]] Aggregation build_aggregation(const partition::Part& part,
                                            const AggregationOptions& options);

}  // namespace weft::layers
