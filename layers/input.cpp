// SPDX-License-Identifier: MIT
// Sparse input: the transpose's pattern is made once, its values are permuted when they change.
#include "layers/input.hpp"

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

kernels::SparseView SparseInput::transposed_view(kernels::Context& ctx) {
  if (!transposed_is_current_) {
    kernels::gather_values(ctx, view().values, source_entry_, transposed_.values);
    transposed_is_current_ = true;
  }
  return transposed_.view();
}

void multiply_input(kernels::Context& ctx,
                    const LayerInput& x,
                    kernels::ConstMatrixView w,
                    kernels::MatrixView y,
                    kernels::Write write) {
  const RowSet rows = RowSet::range(0, y.num_rows);
  if (x.sparse == nullptr) {
    kernels::multiply(ctx, x.dense, w, y, rows, write);
  } else if (write == kernels::Write::overwrite) {
    kernels::spmm(ctx, x.sparse->view(), w, y, rows);
  } else {
    kernels::spmm_add(ctx, x.sparse->view(), w, y, rows);
  }
}

void input_weight_gradient(kernels::Context& ctx,
                           const LayerInput& x,
                           kernels::ConstMatrixView g,
                           kernels::MatrixView grad_w) {
  if (x.sparse == nullptr) {
    kernels::weight_gradient(ctx, x.dense, g, grad_w, RowSet::range(0, g.num_rows));
  } else {
    kernels::spmm(ctx, x.sparse->transposed_view(ctx), g, grad_w,
                  RowSet::range(0, grad_w.num_rows));
  }
}

}  // namespace weft::layers
