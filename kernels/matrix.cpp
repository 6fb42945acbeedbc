// SPDX-License-Identifier: MIT
// Matrices that own their memory.
#include "kernels/matrix.hpp"

#include <algorithm>

#include "graph/support/text.hpp"
#include "kernels/bfloat16.hpp"

namespace weft::kernels {

const char* storage_name(Storage storage) {
  return storage == Storage::bf16 ? "bf16" : "real";
}

Matrix::Matrix(std::int64_t num_rows, std::int64_t num_columns, Storage storage) {
  resize(num_rows, num_columns, storage);
}

void Matrix::resize(std::int64_t num_rows, std::int64_t num_columns, Storage storage) {
  if (num_rows < 0 || num_columns < 0) {
    throw InputError(text("matrix: a shape of ", num_rows, " x ", num_columns,
                          " was asked for; both must be 0 or more"));
  }
  std::int64_t num_bytes = 0;
  if (__builtin_mul_overflow(num_rows, num_columns, &num_bytes) ||
      __builtin_mul_overflow(num_bytes, element_bytes(storage), &num_bytes)) {
    throw InputError(text("matrix: a shape of ", num_rows, " x ", num_columns,
                          " was asked for; its size passes 2^63 bytes"));
  }
  buffer_.reserve(num_bytes);
  num_rows_ = num_rows;
  num_columns_ = num_columns;
  storage_ = storage;
}

void Matrix::fill(Real value) {
  if (storage_ == Storage::bf16) {
    std::fill_n(view().row_bf16(0), size(), to_bf16(static_cast<float>(value)));
  } else {
    std::fill_n(data(), size(), value);
  }
}

void Matrix::use(MemorySource& source, std::int64_t max_rows, std::int64_t max_columns) {
  buffer_ = Buffer(source);
  resize(max_rows, max_columns);
  num_rows_ = 0;
  num_columns_ = 0;
  storage_ = Storage::real;
}

std::int64_t num_matrix_allocations() {
  return num_buffer_allocations();
}

}  // namespace weft::kernels
