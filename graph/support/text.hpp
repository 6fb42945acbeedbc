// SPDX-License-Identifier: MIT
// Small pieces of text: messages are joined from parts, numbers are written for people.
#pragma once

#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Joins its arguments, each as `operator<<` writes it: text("part ", 3, " of ", 4).
template <typename... Parts>
[[nodiscard]] std::string text(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return std::move(out).str();
}

/// 1234567 -> "1,234,567".
[[nodiscard]] std::string format_count(std::int64_t value);

/// Bytes with a binary unit and three significant digits: 1536 -> "1.50 KiB".
[[nodiscard]] std::string format_bytes(std::int64_t bytes);

/// Fixed notation with `digits` digits after the point.
[[nodiscard]] std::string format_fixed(double value, int digits);

/// Seconds with the unit that reads best: 0.0123 -> "12.3 ms".
[[nodiscard]] std::string format_seconds(double seconds);

/// "a, b, c".
[[nodiscard]] std::string join(const std::vector<std::string>& words, std::string_view separator);

/// The candidate with the smallest edit distance to `word`; empty if none is near.
[[nodiscard]] std::string nearest_word(std::string_view word,
                                       const std::vector<std::string>& candidates);

}  // namespace weft
