// SPDX-License-Identifier: MIT
// Named tensors in one file, in the safetensors format, so that other programs read weights too.
//
// Source: the format section of the README of github.com/huggingface/safetensors. A file is
//   8 bytes   N, the length of the header, unsigned little-endian
//   N bytes   header: a JSON object that begins with '{' and may end in spaces. Each key is a
//             tensor, {"dtype": "F32", "shape": [2, 3], "data_offsets": [BEGIN, END]}, but
//             "__metadata__", which holds texts by name
//   the rest  the values, little-endian, C order; offsets count from the end of the header, and
//             the tensors cover every byte once, without a hole
// Keys are unique; a shape may be empty (one value) or hold zeros (no values).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft {
class MappedFile;
}

namespace weft::trainer {

/// Element types that Weft writes and reads; others are refused by name.
enum class TensorType { f32, f64 };

/// Bytes of one element.
[[nodiscard]] constexpr std::int64_t element_bytes(TensorType type) {
  return type == TensorType::f32 ? 4 : 8;
}

/// A tensor by name; its bytes lie elsewhere (in the writer's memory, or in the mapped file, there
/// without a promise on their alignment).
struct NamedTensor {
  std::string name;
  TensorType type = TensorType::f32;
  std::vector<std::int64_t> shape;
  std::span<const std::byte> bytes;

  [[nodiscard]] std::int64_t num_elements() const;
};

/// A view of `values` as a tensor to be written. Shapes: the product of `shape` = values.size().
[[nodiscard]] NamedTensor make_tensor(std::string name,
                                      std::vector<std::int64_t> shape,
                                      std::span<const float> values);
[[nodiscard]] NamedTensor make_tensor(std::string name,
                                      std::vector<std::int64_t> shape,
                                      std::span<const double> values);

/// Text beside the tensors.
using TensorMetadata = std::map<std::string, std::string>;

/// Writes `tensors` in the given order to `path`, atomically.
///
/// Errors   InputError: two tensors of one name, a reserved name, bytes that do not fit the shape;
///          RuntimeError that names the path if it cannot be written
void write_safetensors(const std::filesystem::path& path,
                       std::span<const NamedTensor> tensors,
                       const TensorMetadata& metadata = {});

/// An open file: its header, read and checked, and views of its tensors.
class SafetensorsFile {
 public:
  /// Maps the file and checks all of its header against its size.
  /// Errors   InputError that names file and place: absent, cut short, foreign, not JSON, a type
  ///          other than F32 and F64, offsets that overlap, leave a hole or do not fit the shape
  explicit SafetensorsFile(const std::filesystem::path& path);
  ~SafetensorsFile();
  SafetensorsFile(SafetensorsFile&&) noexcept;
  SafetensorsFile& operator=(SafetensorsFile&&) noexcept;

  /// In the order of their bytes.
  [[nodiscard]] const std::vector<NamedTensor>& tensors() const { return tensors_; }
  [[nodiscard]] const TensorMetadata& metadata() const { return metadata_; }
  /// Errors   InputError that lists the keys there are
  [[nodiscard]] const std::string& metadata_value(const std::string& key) const;

  /// Copies tensor `name` of shape `shape` to `values`, converted to their type. NaN and infinities
  /// pass.
  ///
  /// Shapes   values [product of `shape`]
  /// Errors   InputError: no such tensor (lists those there are), another shape
  void read(std::string_view name,
            std::span<const std::int64_t> shape,
            std::span<float> values) const;
  void read(std::string_view name,
            std::span<const std::int64_t> shape,
            std::span<double> values) const;

 private:
  [[nodiscard]] const NamedTensor& find(std::string_view name,
                                        std::span<const std::int64_t> shape) const;

  std::filesystem::path path_;
  std::unique_ptr<MappedFile> file_;
  std::vector<NamedTensor> tensors_;
  TensorMetadata metadata_;
};

}  // namespace weft::trainer
