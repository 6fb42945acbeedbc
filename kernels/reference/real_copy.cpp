// SPDX-License-Identifier: MIT
// Widened copies, element by element.
#include "kernels/reference/real_copy.hpp"

#include "kernels/bfloat16.hpp"

namespace weft::kernels::reference {
namespace {

Matrix widened(ConstMatrixView x) {
  Matrix copy;
  if (x.storage == Storage::real || x.data == nullptr) return copy;
  copy.resize(x.num_rows, x.num_columns);
  for (std::int64_t r = 0; r < x.num_rows; ++r) {
    for (std::int64_t c = 0; c < x.num_columns; ++c) {
      copy.at(r, c) = static_cast<Real>(from_bf16(x.row_bf16(r)[c]));
    }
  }
  return copy;
}

}  // namespace

RealInput::RealInput(ConstMatrixView x)
    : copy_(widened(x)), view_(x.storage == Storage::real ? x : std::as_const(copy_).view()) {}

RealOutput::RealOutput(MatrixView y)
    : y_(y), copy_(widened(y)), view_(y.storage == Storage::real ? y : copy_.view()) {}

void RealOutput::store() const {
  if (y_.storage == Storage::real) return;
  for (std::int64_t r = 0; r < view_.num_rows; ++r) {
    for (std::int64_t c = 0; c < view_.num_columns; ++c) {
      y_.row_bf16(r)[c] = to_bf16(static_cast<float>(view_.at(r, c)));
    }
  }
}

}  // namespace weft::kernels::reference
