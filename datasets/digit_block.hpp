// SPDX-License-Identifier: MIT
// Recognizes a line of two numbers in one step where the processor has SSE2.
//
// A loop over digits mispredicts a branch at the end of most numbers, for their lengths vary. Here
// the ends are found by a mask, and the digits of a number are added up in pairs, then in fours,
// then in eights inside one 64-bit word.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace weft::datasets {

#if defined(__SSE2__)
inline constexpr bool has_digit_blocks = true;
#else
inline constexpr bool has_digit_blocks = false;
#endif

/// Bytes behind the start of a line that `read_short_pair` may read.
inline constexpr std::ptrdiff_t digit_block_bytes = 32;

/// The value of `length` digits at `p`, 1 to 8; reads 8 bytes.
inline std::uint32_t value_of_digits(const char* p, int length) {
  std::uint64_t word = 0;
  std::memcpy(&word, p, sizeof(word));
  word = (word - 0x3030303030303030U) << (64 - 8 * length);  // leading zeros in front
  word = (word * 10 + (word >> 8)) & 0x00FF00FF00FF00FFU;
  word = (word * 100 + (word >> 16)) & 0x0000FFFF0000FFFFU;
  return static_cast<std::uint32_t>(word * 10000 + (word >> 32));
}

#if defined(__SSE2__)
/// Bit i is set where byte i of the 16 at `p` is no digit.
inline std::uint32_t other_bytes(const char* p) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  const __m128i values = _mm_sub_epi8(bytes, _mm_set1_epi8('0'));
  const __m128i is_digit = _mm_cmpeq_epi8(_mm_min_epu8(values, _mm_set1_epi8(9)), values);
  return static_cast<std::uint32_t>(~_mm_movemask_epi8(is_digit)) & 0xFFFFU;
}
#endif

/// Recognizes `number blank number \n` at `p`, numbers of at most eight digits, and moves behind
/// it. False for anything else, which a slower parser judges. `digit_block_bytes` bytes at `p` must
/// be readable.
inline bool read_short_pair(const char*& p, std::uint32_t& source, std::uint32_t& destination) {
#if defined(__SSE2__)
  std::uint32_t others = other_bytes(p);
  std::uint32_t behind_first = others & (others - 1);
  if (behind_first == 0) {  // the line is longer than 16 bytes
    others |= other_bytes(p + 16) << 16;
    behind_first = others & (others - 1);
    if (behind_first == 0) return false;
  }
  const int first = std::countr_zero(others);
  const int second = std::countr_zero(behind_first) - first - 1;
  const char blank = p[first];
  const char* line_end = p + first + 1 + second;
  const bool is_short = first >= 1 && first <= 8 && second >= 1 && second <= 8;
  if (!is_short || (blank != '\t' && blank != ' ') || *line_end != '\n') return false;
  source = value_of_digits(p, first);
  destination = value_of_digits(p + first + 1, second);
  p = line_end + 1;
  return true;
#else
  (void)p, (void)source, (void)destination;
  return false;
#endif
}

}  // namespace weft::datasets
