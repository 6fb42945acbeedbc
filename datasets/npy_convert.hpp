// SPDX-License-Identifier: MIT
// Numbers of any NumPy type to the types that datasets store.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "datasets/npy.hpp"

namespace weft::datasets {

/// A `.npy` array where it lies: a file or a member of an archive.
struct NpyBytes {
  std::string name;
  NpyHeader header;
  std::span<const std::byte> data;

  /// Extents of the array as a matrix: [N] counts as [N x 1].
  [[nodiscard]] std::int64_t num_rows() const { return header.shape[0]; }
  [[nodiscard]] std::int64_t num_columns() const {
    return header.shape.size() > 1 ? header.shape[1] : 1;
  }
};

/// Parses the header of `bytes`. Errors   those of parse_npy_header
[[nodiscard]] NpyBytes view_npy(std::span<const std::byte> bytes, const std::string& name);

/// Throws InputError unless the array has one or two dimensions.
void require_matrix(const NpyBytes& array, const char* what);

/// The array as float32 in row-major order; one or two dimensions.
/// Errors   InputError "NAME: row R, column C: ..." for NaN, infinity and what float32 cannot hold
[[nodiscard]] std::vector<float> to_floats(const NpyBytes& array, const char* what);

/// The array as integers in row-major order; floats are taken where they are whole.
/// Errors   InputError "NAME: row R...: ..." for a fraction, NaN, and what 64 bits cannot hold
[[nodiscard]] std::vector<std::int64_t> to_integers(const NpyBytes& array, const char* what);

/// Throws as `to_floats` does if one of `values`, row-major with `num_columns`, is not finite.
/// Cost     one pass on all threads
void require_finite(std::span<const float> values,
                    std::int64_t num_columns,
                    const std::string& name,
                    const char* what);

}  // namespace weft::datasets
