// SPDX-License-Identifier: MIT
// NumPy's `.npy` files: little-endian, C order; read by mapping, written atomically.
//
// Grammar: magic "\x93NUMPY", version bytes, header length (2 bytes in version 1, 4 in 2 and 3),
// a Python dict literal with 'descr', 'fortran_order' and 'shape', padded to 64 bytes, the data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "graph/support/files.hpp"

namespace weft::datasets {

/// What a `.npy` header says.
struct NpyHeader {
  char kind = 'f';     ///< 'f' float, 'i' signed, 'u' unsigned, 'b' bool
  int item_bytes = 4;  ///< 1, 2, 4 or 8
  bool big_endian = false;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
  std::size_t data_offset = 0;  ///< where the data begin

  [[nodiscard]] std::int64_t num_items() const;
  /// NumPy's name of the type, such as "<f4".
  [[nodiscard]] std::string type_name() const;
};

/// Parses the header of `bytes` and checks that the data have the length that the shape says.
/// Errors   InputError "NAME:@OFFSET: found, expected"; object, record, text and complex types and
///          unknown versions are refused
[[nodiscard]] NpyHeader parse_npy_header(std::span<const std::byte> bytes, const std::string& name);

/// A mapped array of T with its shape. T is one of int8, uint8, int32, int64, float, double.
template <typename T>
struct NpyArray {
  std::vector<std::int64_t> shape;
  std::span<const T> values;
  std::shared_ptr<const void> storage;
};

/// Maps `path`, which must hold exactly T, little-endian, in C order.
/// Errors   InputError as of parse_npy_header, or naming the type found and the one expected
template <typename T>
[[nodiscard]] NpyArray<T> map_npy(const std::filesystem::path& path);

/// Writes `values` with `shape` to `path`, atomically; returns the checksum of the file's bytes.
template <typename T>
std::uint64_t write_npy(const std::filesystem::path& path,
                        std::span<const T> values,
                        const std::vector<std::int64_t>& shape);

}  // namespace weft::datasets
