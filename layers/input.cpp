// SPDX-License-Identifier: MIT
// Sparse input: the transpose's pattern is made once, its values are permuted when they change.
#include "layers/input.hpp"

#include <algorithm>
#include <utility>

#include "kernels/spmm.hpp"

namespace weft::layers {

using kernels::RowSet;

SparseInput::SparseInput(kernels::SparseMatrix features)
    : features_(std::move(features)),
      transposed_(kernels::transpose(features_.view(), &source_entry_)) {}

void SparseInput::use_all_values() {
  transposed_is_current_ = transposed_is_current_ && !uses_dropped_values_;
  uses_dropped_values_ = false;
}

void SparseInput::use_dropped_values(kernels::Context& ctx,
                                     const kernels::DropoutMask& mask,
                                     std::span<const GlobalId> global_ids) {
  dropped_values_.resize(features_.values.size());
  kernels::dropout_sparse(ctx, mask, global_ids, features_.view(), dropped_values_);
  uses_dropped_values_ = true;
  transposed_is_current_ = false;
}

kernels::SparseView SparseInput::view() const {
  kernels::SparseView view = features_.view();
  if (uses_dropped_values_) view.values = dropped_values_;
  return view;
}

kernels::SparseView SparseInput::transposed_view(kernels::Context& ctx, std::int64_t num_rows) {
  if (!transposed_is_current_) {
    kernels::gather_values(ctx, view().values, source_entry_, transposed_.values);
    transposed_is_current_ = true;
  }
  kernels::SparseView view = transposed_.view();
  if (num_rows == transposed_.num_columns) return view;
  if (num_rows != num_cut_rows_) cut_transposed(num_rows);
  view.num_columns = num_rows;
  view.row_end = row_end_;
  return view;
}

// Entries of a transposed row rise by column, so that those of the first rows are its first ones.
void SparseInput::cut_transposed(std::int64_t num_rows) {
  num_cut_rows_ = num_rows;
  row_end_.resize(static_cast<std::size_t>(transposed_.num_rows));
  for (std::size_t r = 0; r < row_end_.size(); ++r) {
    const auto begin = transposed_.col_idx.begin() + transposed_.row_ptr[r];
    const auto end = transposed_.col_idx.begin() + transposed_.row_ptr[r + 1];
    row_end_[r] = std::lower_bound(begin, end, num_rows) - transposed_.col_idx.begin();
  }
}

namespace {

/// Rows 0 .. num_rows-1.
kernels::SparseView first_rows(kernels::SparseView view, std::int64_t num_rows) {
  view.num_rows = num_rows;
  view.row_ptr = view.row_ptr.first(static_cast<std::size_t>(num_rows) + 1);
  const auto num_entries = static_cast<std::size_t>(view.row_ptr.back());
  view.col_idx = view.col_idx.first(num_entries);
  if (!view.values.empty()) view.values = view.values.first(num_entries);
  return view;
}

}  // namespace

void multiply_input(kernels::Context& ctx,
                    const LayerInput& x,
                    kernels::ConstMatrixView w,
                    const ProductRows& result) {
  const auto& [y, rows, write, epilogue] = result;
  if (x.sparse == nullptr) {
    kernels::multiply(ctx, x.dense, w, y, rows, write, epilogue);
  } else if (write == kernels::Write::overwrite) {
    kernels::spmm(ctx, first_rows(x.sparse->view(), y.num_rows), w, y, rows, epilogue);
  } else {
    kernels::spmm_add(ctx, first_rows(x.sparse->view(), y.num_rows), w, y, rows, epilogue);
  }
}

void input_weight_gradient(kernels::Context& ctx,
                           const LayerInput& x,
                           kernels::ConstMatrixView g,
                           kernels::MatrixView grad_w,
                           std::span<Real> grad_b) {
  const RowSet rows = RowSet::range(0, g.num_rows);
  if (x.sparse == nullptr) {
    kernels::weight_gradient(ctx, x.dense, g, grad_w, rows, grad_b);
    return;
  }
  kernels::spmm(ctx, x.sparse->transposed_view(ctx, g.num_rows), g, grad_w,
                RowSet::range(0, grad_w.num_rows));
  if (!grad_b.empty()) kernels::bias_gradient(ctx, g, grad_b, rows);
}

}  // namespace weft::layers
