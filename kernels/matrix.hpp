// SPDX-License-Identifier: MIT
// Row-major matrices: a Matrix owns memory, views borrow it.
//
// All offsets are 64-bit: rows x columns passes 2^31 on real graphs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "graph/support/error.hpp"
#include "graph/support/types.hpp"
#include "kernels/buffer.hpp"

namespace weft::kernels {

/// Borrows a matrix for reading. `stride` is the distance of two rows in elements.
struct ConstMatrixView {
  const Real* data = nullptr;
  std::int64_t num_rows = 0;
  std::int64_t num_columns = 0;
  std::int64_t stride = 0;

  [[nodiscard]] const Real* row(std::int64_t r) const { return data + r * stride; }
  [[nodiscard]] Real at(std::int64_t r, std::int64_t c) const { return data[r * stride + c]; }
  /// Rows begin .. end-1.
  [[nodiscard]] ConstMatrixView rows(std::int64_t begin, std::int64_t end) const {
    WEFT_ASSERT(0 <= begin && begin <= end && end <= num_rows);
    return {data + begin * stride, end - begin, num_columns, stride};
  }
};

/// Borrows a matrix for writing.
struct MatrixView {
  Real* data = nullptr;
  std::int64_t num_rows = 0;
  std::int64_t num_columns = 0;
  std::int64_t stride = 0;

  [[nodiscard]] Real* row(std::int64_t r) const { return data + r * stride; }
  [[nodiscard]] Real& at(std::int64_t r, std::int64_t c) const { return data[r * stride + c]; }
  [[nodiscard]] MatrixView rows(std::int64_t begin, std::int64_t end) const {
    WEFT_ASSERT(0 <= begin && begin <= end && end <= num_rows);
    return {data + begin * stride, end - begin, num_columns, stride};
  }
  operator ConstMatrixView() const {  // NOLINT(google-explicit-constructor)
    return {data, num_rows, num_columns, stride};
  }
};

/// Owns a matrix: 64-byte aligned, rows contiguous (stride = num_columns), 2 MiB pages where large.
/// Memory is kept when the shape shrinks, so that buffers are allocated once and reused.
class Matrix {
 public:
  Matrix() = default;
  Matrix(std::int64_t num_rows, std::int64_t num_columns);
  Matrix(Matrix&& other) noexcept
      : buffer_(std::move(other.buffer_)),
        num_rows_(std::exchange(other.num_rows_, 0)),
        num_columns_(std::exchange(other.num_columns_, 0)) {}
  Matrix& operator=(Matrix&& other) noexcept {
    buffer_ = std::move(other.buffer_);
    num_rows_ = std::exchange(other.num_rows_, 0);
    num_columns_ = std::exchange(other.num_columns_, 0);
    return *this;
  }

  /// Makes the shape num_rows x num_columns; contents are undefined after a change of shape.
  /// Allocates only where the capacity is too small.
  void resize(std::int64_t num_rows, std::int64_t num_columns);
  void fill(Real value);

  [[nodiscard]] std::int64_t num_rows() const { return num_rows_; }
  [[nodiscard]] std::int64_t num_columns() const { return num_columns_; }
  [[nodiscard]] std::int64_t size() const { return num_rows_ * num_columns_; }
  [[nodiscard]] Real* data() { return static_cast<Real*>(buffer_.data()); }
  [[nodiscard]] const Real* data() const { return static_cast<const Real*>(buffer_.data()); }
  [[nodiscard]] Real& at(std::int64_t r, std::int64_t c) { return data()[r * num_columns_ + c]; }
  [[nodiscard]] Real at(std::int64_t r, std::int64_t c) const {
    return data()[r * num_columns_ + c];
  }
  [[nodiscard]] std::span<Real> values() { return {data(), static_cast<std::size_t>(size())}; }
  [[nodiscard]] std::span<const Real> values() const {
    return {data(), static_cast<std::size_t>(size())};
  }
  [[nodiscard]] MatrixView view() { return {data(), num_rows_, num_columns_, num_columns_}; }
  [[nodiscard]] ConstMatrixView view() const {
    return {data(), num_rows_, num_columns_, num_columns_};
  }

 private:
  Buffer buffer_;
  std::int64_t num_rows_ = 0;
  std::int64_t num_columns_ = 0;
};

/// Times that a Matrix or a context's scratch has allocated memory in this process: a run that
/// claims to allocate nothing after its first epoch proves it with this.
[[nodiscard]] std::int64_t num_matrix_allocations();

}  // namespace weft::kernels
