// SPDX-License-Identifier: MIT
// Reads and writes `.npy` files. Source: the format description in NumPy's documentation
// (NEP 1 and numpy.lib.format).
//
// The header is parsed as the small literal that it is, never by searching for substrings: files of
// other writers order the keys differently, and a text match would take an object array for
// numbers.
#include "datasets/npy.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <type_traits>

#include "datasets/npy_header_text.hpp"
#include "graph/support/checksum.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"

namespace weft::datasets {

static_assert(std::endian::native == std::endian::little, "arrays are mapped as they lie on disk");

namespace {

constexpr std::string_view magic("\x93NUMPY", 6);

/// Reads the header's length: 2 bytes in version 1, 4 bytes in versions 2 and 3.
std::size_t header_length(std::span<const std::byte> bytes, int version) {
  const std::size_t width = version == 1 ? 2 : 4;
  std::size_t length = 0;
  for (std::size_t i = 0; i < width; ++i) {
    length |= std::to_integer<std::size_t>(bytes[8 + i]) << (8 * i);
  }
  return length;
}

[[noreturn]] void fail(const std::string& name, std::size_t offset, const std::string& message) {
  throw InputError(text(name, ":@", offset, ": ", message));
}

/// Number of items times their width; throws where that overflows 63 bits.
std::uint64_t data_bytes(const NpyHeader& header, const std::string& name, std::size_t offset) {
  std::uint64_t total = static_cast<std::uint64_t>(header.item_bytes);
  if (std::find(header.shape.begin(), header.shape.end(), 0) != header.shape.end()) return 0;
  for (const std::int64_t extent : header.shape) {
    const auto count = static_cast<std::uint64_t>(extent);
    if (total > (std::uint64_t{1} << 62) / count) {
      fail(name, offset, "the shape's size overflows 64 bits");
    }
    total *= count;
  }
  return total;
}

template <typename T>
NpyHeader header_of_type() {
  NpyHeader header;
  header.item_bytes = static_cast<int>(sizeof(T));
  if constexpr (std::is_floating_point_v<T>) {
    header.kind = 'f';
  } else {
    header.kind = std::is_signed_v<T> ? 'i' : 'u';
  }
  return header;
}

/// The bytes of a version 1 header, padded so that the data begin at a multiple of 64.
std::string header_bytes(const NpyHeader& header) {
  std::string dict =
      text("{'descr': '", header.type_name(), "', 'fortran_order': False, 'shape': (");
  for (const std::int64_t extent : header.shape)
    dict += text(extent, ", ");
  if (header.shape.size() > 1) dict.resize(dict.size() - 2);
  if (header.shape.size() == 1) dict.resize(dict.size() - 1);
  dict += "), }";
  constexpr std::size_t prefix = 10;
  const std::size_t total = (prefix + dict.size() + 1 + 63) / 64 * 64;
  dict.append(total - prefix - dict.size() - 1, ' ');
  dict.push_back('\n');
  std::string bytes(magic);
  bytes += std::string("\x01\x00", 2);
  bytes.push_back(static_cast<char>(dict.size() & 0xFF));
  bytes.push_back(static_cast<char>(dict.size() >> 8));
  return bytes + dict;
}

}  // namespace

std::int64_t NpyHeader::num_items() const {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;  // others may be huge
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

std::string NpyHeader::type_name() const {
  const char order = item_bytes == 1 ? '|' : (big_endian ? '>' : '<');
  return text(order, kind, item_bytes);
}

NpyHeader parse_npy_header(std::span<const std::byte> bytes, const std::string& name) {
  const std::string_view characters(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!characters.starts_with(magic)) {
    fail(name, 0, "no NumPy array: the first six bytes are not \\x93NUMPY");
  }
  if (bytes.size() < 12) fail(name, bytes.size(), "the file ends inside the header");
  const int version = std::to_integer<int>(bytes[6]);
  if (version < 1 || version > 3) {
    fail(name, 6, text("unknown format version ", version, ", expected 1, 2 or 3"));
  }
  const std::size_t begin = version == 1 ? 10 : 12;
  const std::size_t length = header_length(bytes, version);
  if (length > bytes.size() - begin) fail(name, bytes.size(), "the file ends inside the header");
  NpyHeader header = parse_npy_header_text(characters.substr(begin, length), name, begin);
  header.data_offset = begin + length;
  const std::uint64_t expected = data_bytes(header, name, begin);
  const std::uint64_t found = bytes.size() - header.data_offset;
  if (found != expected) {
    fail(name, std::min<std::uint64_t>(bytes.size(), header.data_offset + expected),
         text(found < expected ? "data end early: " : "bytes after the data: ", found,
              " bytes of data, expected ", expected, " by the shape"));
  }
  return header;
}

template <typename T>
NpyArray<T> map_npy(const std::filesystem::path& path) {
  auto file = std::make_shared<const MappedFile>(path);
  const NpyHeader header = parse_npy_header(file->bytes(), path.string());
  const NpyHeader wanted = header_of_type<T>();
  if (header.type_name() != wanted.type_name()) {
    fail(path.string(), 10, text("type ", header.type_name(), ", expected ", wanted.type_name()));
  }
  if (header.fortran_order && header.shape.size() > 1) {
    fail(path.string(), 10, "Fortran order, expected C order");
  }
  NpyArray<T> array;
  array.shape = header.shape;
  const std::byte* data = file->bytes().data() + header.data_offset;
  const auto count = static_cast<std::size_t>(header.num_items());
  if (header.data_offset % alignof(T) == 0) {
    array.values = {reinterpret_cast<const T*>(data), count};
    array.storage = std::move(file);
  } else {
    auto copy = std::make_shared<std::vector<T>>(count);
    std::memcpy(copy->data(), data, count * sizeof(T));
    array.values = *copy;
    array.storage = std::move(copy);
  }
  return array;
}

template <typename T>
std::uint64_t write_npy(const std::filesystem::path& path,
                        std::span<const T> values,
                        const std::vector<std::int64_t>& shape) {
  NpyHeader header = header_of_type<T>();
  header.shape = shape;
  if (header.num_items() != static_cast<std::int64_t>(values.size())) {
    throw RuntimeError(text(path.string(), ": ", values.size(), " values, but the shape has ",
                            header.num_items()));
  }
  const std::string head = header_bytes(header);
  AtomicFile file(path);
  Checksum sum;
  file.write(head);
  sum.update(std::as_bytes(std::span(head.data(), head.size())));
  file.write(std::as_bytes(values));
  sum.update(std::as_bytes(values));
  file.commit();
  return sum.value();
}

#define WEFT_NPY_TYPE(T)                                                             \
  template NpyArray<T> map_npy(const std::filesystem::path&);                        \
  template std::uint64_t write_npy(const std::filesystem::path&, std::span<const T>, \
                                   const std::vector<std::int64_t>&);
WEFT_NPY_TYPE(std::int8_t)
WEFT_NPY_TYPE(std::uint8_t)
WEFT_NPY_TYPE(std::int32_t)
WEFT_NPY_TYPE(std::int64_t)
WEFT_NPY_TYPE(float)
WEFT_NPY_TYPE(double)
#undef WEFT_NPY_TYPE

}  // namespace weft::datasets
