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

/// How the elements of a matrix lie in memory. Numbers are computed as Real whatever their storage:
/// an operation widens what it reads, and rounds what it writes once, to the nearest, of two
/// equally near to the even one (bfloat16.hpp).
enum class Storage : std::uint8_t { real, bf16 };

/// Bytes of one element.
[[nodiscard]] constexpr std::int64_t element_bytes(Storage storage) {
  return storage == Storage::bf16 ? 2 : std::int64_t{sizeof(Real)};
}

/// "real", "bf16".
[[nodiscard]] const char* storage_name(Storage storage);

/// Borrows a matrix for reading. `stride` is the distance of two rows in elements. `data`, `row`
/// and `at` are for storage `real`; `data` of another storage only says where the memory begins.
struct ConstMatrixView {
  const Real* data = nullptr;
  std::int64_t num_rows = 0;
  std::int64_t num_columns = 0;
  std::int64_t stride = 0;
  Storage storage = Storage::real;

  [[nodiscard]] const Real* row(std::int64_t r) const {
    WEFT_ASSERT(storage == Storage::real);
    return data + r * stride;
  }
  [[nodiscard]] Real at(std::int64_t r, std::int64_t c) const { return row(r)[c]; }
  [[nodiscard]] const std::uint16_t* row_bf16(std::int64_t r) const {
    WEFT_ASSERT(storage == Storage::bf16);
    return reinterpret_cast<const std::uint16_t*>(data) + r * stride;
  }
  /// Where row r begins, and the bytes of a row, for code that moves bytes.
  [[nodiscard]] const std::byte* row_begin(std::int64_t r) const {
    return reinterpret_cast<const std::byte*>(data) + r * stride * element_bytes(storage);
  }
  [[nodiscard]] std::int64_t row_bytes() const { return num_columns * element_bytes(storage); }
  /// Rows begin .. end-1.
  [[nodiscard]] ConstMatrixView rows(std::int64_t begin, std::int64_t end) const {
    WEFT_ASSERT(0 <= begin && begin <= end && end <= num_rows);
    return {reinterpret_cast<const Real*>(row_begin(begin)), end - begin, num_columns, stride,
            storage};
  }
  /// Columns begin .. end-1.
  [[nodiscard]] ConstMatrixView columns(std::int64_t begin, std::int64_t end) const {
    WEFT_ASSERT(0 <= begin && begin <= end && end <= num_columns);
    const std::byte* first = row_begin(0) + begin * element_bytes(storage);
    return {reinterpret_cast<const Real*>(first), num_rows, end - begin, stride, storage};
  }
};

/// Borrows a matrix for writing.
struct MatrixView {
  Real* data = nullptr;
  std::int64_t num_rows = 0;
  std::int64_t num_columns = 0;
  std::int64_t stride = 0;
  Storage storage = Storage::real;

  [[nodiscard]] Real* row(std::int64_t r) const {
    WEFT_ASSERT(storage == Storage::real);
    return data + r * stride;
  }
  [[nodiscard]] Real& at(std::int64_t r, std::int64_t c) const { return row(r)[c]; }
  [[nodiscard]] std::uint16_t* row_bf16(std::int64_t r) const {
    WEFT_ASSERT(storage == Storage::bf16);
    return reinterpret_cast<std::uint16_t*>(data) + r * stride;
  }
  [[nodiscard]] std::byte* row_begin(std::int64_t r) const {
    return reinterpret_cast<std::byte*>(data) + r * stride * element_bytes(storage);
  }
  [[nodiscard]] std::int64_t row_bytes() const { return num_columns * element_bytes(storage); }
  [[nodiscard]] MatrixView rows(std::int64_t begin, std::int64_t end) const {
    WEFT_ASSERT(0 <= begin && begin <= end && end <= num_rows);
    return {reinterpret_cast<Real*>(row_begin(begin)), end - begin, num_columns, stride, storage};
  }
  [[nodiscard]] MatrixView columns(std::int64_t begin, std::int64_t end) const {
    WEFT_ASSERT(0 <= begin && begin <= end && end <= num_columns);
    std::byte* first = row_begin(0) + begin * element_bytes(storage);
    return {reinterpret_cast<Real*>(first), num_rows, end - begin, stride, storage};
  }
  operator ConstMatrixView() const {  // NOLINT(google-explicit-constructor)
    return {data, num_rows, num_columns, stride, storage};
  }
};

/// Borrows the rows of a matrix that lie anywhere, row r at rows[r]: some here, some in the memory
/// of another process. Pointers of another storage than `real` only say where the rows begin.
struct RowPointers {
  std::span<const Real* const> rows;
  std::int64_t num_columns = 0;
  Storage storage = Storage::real;
};

/// Owns a matrix: 64-byte aligned, rows contiguous (stride = num_columns), 2 MiB pages where large.
/// Memory is kept when the shape shrinks, so that buffers are allocated once and reused. `data`,
/// `at` and `values` are for storage `real`.
class Matrix {
 public:
  Matrix() = default;
  Matrix(std::int64_t num_rows, std::int64_t num_columns, Storage storage = Storage::real);
  Matrix(Matrix&& other) noexcept
      : buffer_(std::move(other.buffer_)),
        num_rows_(std::exchange(other.num_rows_, 0)),
        num_columns_(std::exchange(other.num_columns_, 0)),
        storage_(std::exchange(other.storage_, Storage::real)) {}
  Matrix& operator=(Matrix&& other) noexcept {
    buffer_ = std::move(other.buffer_);
    num_rows_ = std::exchange(other.num_rows_, 0);
    num_columns_ = std::exchange(other.num_columns_, 0);
    storage_ = std::exchange(other.storage_, Storage::real);
    return *this;
  }

  /// Makes the shape num_rows x num_columns in `storage`; contents are undefined after a change.
  /// Allocates only where the capacity is too small.
  void resize(std::int64_t num_rows, std::int64_t num_columns, Storage storage = Storage::real);
  void fill(Real value);
  /// Has its memory from `source` from now on, which must outlive it: room for shapes up to
  /// max_rows x max_columns, taken at once. The matrix is empty after.
  void use(MemorySource& source, std::int64_t max_rows, std::int64_t max_columns);

  [[nodiscard]] std::int64_t num_rows() const { return num_rows_; }
  [[nodiscard]] std::int64_t num_columns() const { return num_columns_; }
  [[nodiscard]] std::int64_t size() const { return num_rows_ * num_columns_; }
  [[nodiscard]] Storage storage() const { return storage_; }
  [[nodiscard]] Real* data() {
    WEFT_ASSERT(storage_ == Storage::real);
    return static_cast<Real*>(buffer_.data());
  }
  [[nodiscard]] const Real* data() const {
    WEFT_ASSERT(storage_ == Storage::real);
    return static_cast<const Real*>(buffer_.data());
  }
  [[nodiscard]] Real& at(std::int64_t r, std::int64_t c) { return data()[r * num_columns_ + c]; }
  [[nodiscard]] Real at(std::int64_t r, std::int64_t c) const {
    return data()[r * num_columns_ + c];
  }
  [[nodiscard]] std::span<Real> values() { return {data(), static_cast<std::size_t>(size())}; }
  [[nodiscard]] std::span<const Real> values() const {
    return {data(), static_cast<std::size_t>(size())};
  }
  [[nodiscard]] MatrixView view() {
    return {static_cast<Real*>(buffer_.data()), num_rows_, num_columns_, num_columns_, storage_};
  }
  [[nodiscard]] ConstMatrixView view() const {
    return {static_cast<const Real*>(buffer_.data()), num_rows_, num_columns_, num_columns_,
            storage_};
  }

 private:
  Buffer buffer_;
  std::int64_t num_rows_ = 0;
  std::int64_t num_columns_ = 0;
  Storage storage_ = Storage::real;
};

/// Times that a Matrix or a context's scratch has allocated memory in this process: a run that
/// claims to allocate nothing after its first epoch proves it with this.
[[nodiscard]] std::int64_t num_matrix_allocations();

}  // namespace weft::kernels
