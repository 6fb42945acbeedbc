// SPDX-License-Identifier: MIT
// What a layer reads: a dense matrix, or (first layer only) the sparse input features.
//
// Sparse features stay sparse: products with them cost their nonzeros, and dropout touches stored
// values only, element by element as it would touch the dense form.
#pragma once

#include <span>
#include <vector>

#include "kernels/dropout.hpp"
#include "kernels/gemm.hpp"
#include "kernels/matrix.hpp"
#include "kernels/sparse.hpp"

namespace weft::layers {

/// Sparse input features with their explicit transpose, and the values of this epoch.
class SparseInput {
 public:
  explicit SparseInput(kernels::SparseMatrix features);

  /// Uses the stored values.
  void use_all_values();
  /// Uses the values that `mask` keeps, scaled.
  void use_dropped_values(kernels::Context& ctx,
                          const kernels::DropoutMask& mask,
                          std::span<const GlobalId> global_ids);

  /// [num_owned x num_features] with the values in use.
  [[nodiscard]] kernels::SparseView view() const;
  /// The transpose of the first `num_rows` rows, [num_features x num_rows], with the values in use.
  /// Cost: where num_rows has changed, O(features * log(rows)) time; permuting values that have
  [[nodiscard]] kernels::SparseView transposed_view(kernels::Context& ctx, std::int64_t num_rows);

 private:
  void cut_transposed(std::int64_t num_rows);

  kernels::SparseMatrix features_;
  std::vector<EdgeOffset> source_entry_;  ///< entry of features_ behind each entry of transposed_
  kernels::SparseMatrix transposed_;      ///< made with source_entry_, so declared after it
  std::vector<Real> dropped_values_;
  bool uses_dropped_values_ = false;
  bool transposed_is_current_ = true;
  std::vector<EdgeOffset> row_end_;  ///< ends of the rows of transposed_, cut at num_cut_rows_
  std::int64_t num_cut_rows_ = -1;
};

/// Borrows one of the two forms.
struct LayerInput {
  kernels::ConstMatrixView dense;
  SparseInput* sparse = nullptr;

  [[nodiscard]] std::int64_t num_rows() const {
    return sparse != nullptr ? sparse->view().num_rows : dense.num_rows;
  }
  [[nodiscard]] std::int64_t num_columns() const {
    return sparse != nullptr ? sparse->view().num_columns : dense.num_columns;
  }
};

/// Rows of a product's result, and how they are written.
struct ProductRows {
  kernels::MatrixView y;
  kernels::RowSet rows;
  kernels::Write write = kernels::Write::overwrite;
  kernels::Epilogue epilogue = {};
};

/// y[r] (+)= x[r] w, for r in `rows`, then the steps of the epilogue.
///
/// Shapes   x [n x k], w [k x m], y [at most n x m]
void multiply_input(kernels::Context& ctx,
                    const LayerInput& x,
                    kernels::ConstMatrixView w,
                    const ProductRows& result);

/// grad_w = x^T g over the rows of g, the first ones of x; grad_b = column sums of g, where given.
///
/// Shapes   x [n x k], g [at most n x m], grad_w [k x m], grad_b [m] or empty
void input_weight_gradient(kernels::Context& ctx,
                           const LayerInput& x,
                           kernels::ConstMatrixView g,
                           kernels::MatrixView grad_w,
                           std::span<Real> grad_b = {});

}  // namespace weft::layers
