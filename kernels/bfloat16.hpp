// SPDX-License-Identifier: MIT
// The upper half of a float: its sign, its exponent and the first 7 bits of its mantissa.
#pragma once

#include <bit>
#include <cstdint>

namespace weft::kernels {

/// The nearest number that fits, of two equally near the even one; NaN stays NaN, infinity and
/// what rounds past the largest number become infinity.
[[nodiscard]] inline std::uint16_t to_bf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (value != value) return static_cast<std::uint16_t>((bits >> 16) | 0x40U);
  return static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16);
}

/// Exact.
[[nodiscard]] inline float from_bf16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

}  // namespace weft::kernels
