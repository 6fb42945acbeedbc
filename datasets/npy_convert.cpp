// SPDX-License-Identifier: MIT
// One loop for each type, chosen once per array: the order of bytes and of dimensions is undone and
// values are judged as they are converted.
#include "datasets/npy_convert.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "graph/parallel.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"

namespace weft::datasets {

namespace {

/// IEEE 754 half precision, of which C++20 has no type.
struct Half {
  std::uint16_t bits;
};

double value_of(Half half) {
  const int exponent = half.bits >> 10 & 31;
  const double fraction = (half.bits & 1023) / 1024.0;
  double magnitude = 0.0;
  if (exponent == 31) {
    magnitude = fraction == 0.0 ? std::numeric_limits<double>::infinity()
                                : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    magnitude = std::ldexp(fraction, -14);
  } else {
    magnitude = std::ldexp(1.0 + fraction, exponent - 15);
  }
  return (half.bits & 0x8000) != 0 ? -magnitude : magnitude;
}

template <typename T>
T value_of(T value) {
  return value;
}

template <typename T>
T load(const std::byte* at, bool swap) {
  std::array<std::byte, sizeof(T)> bytes;
  std::memcpy(bytes.data(), at, sizeof(T));
  if (swap) std::reverse(bytes.begin(), bytes.end());
  return std::bit_cast<T>(bytes);
}

std::string place(const NpyBytes& array, std::int64_t row, std::int64_t column) {
  const bool is_matrix = array.header.shape.size() > 1;
  return text(array.name, ": row ", row, is_matrix ? text(", column ", column) : "");
}

/// Calls `take(value, row, column)` for every value of type T in row-major order.
template <typename T, typename Take>
void for_each_as(const NpyBytes& array, Take take) {
  const std::int64_t rows = array.num_rows();
  const std::int64_t columns = array.num_columns();
  const bool by_column = array.header.fortran_order;
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      const std::int64_t at = by_column ? column * rows + row : row * columns + column;
      const auto offset = static_cast<std::size_t>(at) * sizeof(T);
      take(value_of(load<T>(array.data.data() + offset, array.header.big_endian)), row, column);
    }
  }
}

template <typename Take>
void for_each_value(const NpyBytes& array, Take take) {
  const int bytes = array.header.item_bytes;
  switch (array.header.kind) {
    case 'f':
      if (bytes == 2) return for_each_as<Half>(array, take);
      return bytes == 4 ? for_each_as<float>(array, take) : for_each_as<double>(array, take);
    case 'i':
      if (bytes == 1) return for_each_as<std::int8_t>(array, take);
      if (bytes == 2) return for_each_as<std::int16_t>(array, take);
      return bytes == 4 ? for_each_as<std::int32_t>(array, take)
                        : for_each_as<std::int64_t>(array, take);
    case 'u':
      if (bytes == 2) return for_each_as<std::uint16_t>(array, take);
      if (bytes == 4) return for_each_as<std::uint32_t>(array, take);
      if (bytes == 8) return for_each_as<std::uint64_t>(array, take);
      return for_each_as<std::uint8_t>(array, take);
    default:
      return for_each_as<std::uint8_t>(array, take);
  }
}

[[noreturn]] void fail_not_finite(const std::string& where, const char* what, double value) {
  throw InputError(text(where, ": ", what, " ", value,
                        ", expected a finite number within the range of float32"));
}

}  // namespace

NpyBytes view_npy(std::span<const std::byte> bytes, const std::string& name) {
  NpyBytes array{name, parse_npy_header(bytes, name), {}};
  array.data = bytes.subspan(array.header.data_offset);
  return array;
}

void require_matrix(const NpyBytes& array, const char* what) {
  const std::size_t dimensions = array.header.shape.size();
  if (dimensions == 1 || dimensions == 2) return;
  throw InputError(text(array.name, ": ", dimensions, " dimensions, expected 1 or 2 for ", what,
                        "; reshape the array"));
}

std::vector<float> to_floats(const NpyBytes& array, const char* what) {
  require_matrix(array, what);
  std::vector<float> out;
  out.reserve(static_cast<std::size_t>(array.header.num_items()));
  for_each_value(array, [&](auto value, std::int64_t row, std::int64_t column) {
    const auto number = static_cast<double>(value);
    if (!(std::abs(number) <= static_cast<double>(std::numeric_limits<float>::max()))) {
      fail_not_finite(place(array, row, column), what, number);
    }
    out.push_back(static_cast<float>(number));
  });
  return out;
}

std::vector<std::int64_t> to_integers(const NpyBytes& array, const char* what) {
  require_matrix(array, what);
  std::vector<std::int64_t> out;
  out.reserve(static_cast<std::size_t>(array.header.num_items()));
  for_each_value(array, [&](auto value, std::int64_t row, std::int64_t column) {
    bool is_whole = true;
    if constexpr (std::is_floating_point_v<decltype(value)>) {
      constexpr double limit = 0x1.0p63;
      const auto number = static_cast<double>(value);
      is_whole = number == std::trunc(number) && number >= -limit && number < limit;
    } else if constexpr (std::is_same_v<decltype(value), std::uint64_t>) {
      is_whole = value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    }
    if (!is_whole) {
      throw InputError(text(place(array, row, column), ": ", what, " ", +value,
                            ", expected a whole number of 64 bits"));
    }
    out.push_back(static_cast<std::int64_t>(value));
  });
  return out;
}

void require_finite(std::span<const float> values,
                    std::int64_t num_columns,
                    const std::string& name,
                    const char* what) {
  std::atomic<std::int64_t> first{std::ssize(values)};
  graph::parallel_ranges(std::ssize(values), 1 << 18, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      if (std::isfinite(values[static_cast<std::size_t>(i)])) continue;
      std::int64_t seen = first.load();
      while (i < seen && !first.compare_exchange_weak(seen, i)) {
      }
      return;
    }
  });
  const std::int64_t at = first.load();
  if (at == std::ssize(values)) return;
  fail_not_finite(text(name, ": row ", at / num_columns, ", column ", at % num_columns), what,
                  values[static_cast<std::size_t>(at)]);
}

}  // namespace weft::datasets
