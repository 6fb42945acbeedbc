// SPDX-License-Identifier: MIT
// Applies an epilogue to finished rows, one at a time, on the thread that finished the row.
#pragma once

#include <cstdint>

#include "kernels/context.hpp"
#include "kernels/cpu/dropout_row.hpp"
#include "kernels/cpu/stored_rows.hpp"
#include "kernels/cpu/vector_kernels.hpp"
#include "kernels/epilogue.hpp"
#include "kernels/layer_norm.hpp"

namespace weft::kernels::cpu {

/// Borrows the stored rows and the epilogue. Stays where it is made: what it hands to the loops
/// points into it.
class RowFinisher {
 public:
  RowFinisher(const VectorKernels& vectors,
              const StoredRows& stored,
              const Epilogue& epilogue,
              std::int64_t dim)
      : stored_(stored), epilogue_(epilogue), dim_(dim), has_work_(!epilogue.is_empty()) {
    finish_row_ = vectors.finish_row;
    if (epilogue.dropout == nullptr) return;
    keys_ = keys_of(epilogue.dropout->key);
    dropout_ = any_row(*epilogue.dropout, keys_);
  }
  RowFinisher(const RowFinisher&) = delete;
  RowFinisher& operator=(const RowFinisher&) = delete;

  /// `y` holds row r of the result; slot 0 of the stored rows stays as it is.
  void finish(std::int64_t r, Real* y) const {
    if (!has_work_) return;
    FinishedRow row{};
    DropoutRow dropout = dropout_;
    if (!epilogue_.bias.empty()) row.bias = epilogue_.bias.data();
    if (epilogue_.residual.data != nullptr) row.residual = stored_.read(epilogue_.residual, r, 1);
    if (epilogue_.has_layer_norm()) {
      row.gamma = epilogue_.gamma.data();
      row.beta = epilogue_.beta.data();
      row.epsilon = static_cast<Real>(layer_norm_epsilon);
      row.normalized = stored_.target(epilogue_.normalized, r, 2);
    }
    row.relu = epilogue_.relu;
    if (epilogue_.dropout != nullptr) {
      dropout.id = static_cast<std::uint64_t>(epilogue_.global_ids[static_cast<std::size_t>(r)]);
      row.dropout = &dropout;
    }
    if (epilogue_.gate.data != nullptr) row.gate = stored_.read(epilogue_.gate, r, 3);
    row.gate_scale = epilogue_.gate_scale;
    finish_row_(row, dim_, y);
    if (epilogue_.has_layer_norm()) stored_.store(epilogue_.normalized, r, 2);
  }

 private:
  const StoredRows& stored_;
  const Epilogue& epilogue_;
  std::int64_t dim_;
  bool has_work_;
  void (*finish_row_)(const FinishedRow& row, std::int64_t dim, Real* y) = nullptr;
  PhiloxKeys keys_{};
  DropoutRow dropout_{};
};

}  // namespace weft::kernels::cpu
