// SPDX-License-Identifier: MIT
// Matrices of any storage as matrices of Real, so that a specification is written once.
#pragma once

#include "kernels/matrix.hpp"

namespace weft::kernels::reference {

/// Reads `x` as Real: x itself, or a widened copy.
class RealInput {
 public:
  explicit RealInput(ConstMatrixView x);
  [[nodiscard]] ConstMatrixView view() const { return view_; }

 private:
  Matrix copy_;
  ConstMatrixView view_;
};

/// Stands in for `y`: y itself, or a widened copy that `store` rounds back.
class RealOutput {
 public:
  explicit RealOutput(MatrixView y);
  [[nodiscard]] MatrixView view() const { return view_; }
  void store() const;

 private:
  MatrixView y_;
  Matrix copy_;
  MatrixView view_;
};

}  // namespace weft::kernels::reference
