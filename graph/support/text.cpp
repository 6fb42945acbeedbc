// SPDX-License-Identifier: MIT
// Numbers written for people, and the nearest known word to a mistyped one.
#include "graph/support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace weft {
namespace {

/// Three significant digits for values from 1 to below 1000: 1.50, 15.0, 150.
std::string three_digits(double value) {
  const int digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}", value, digits);
}

/// Insertions, deletions, substitutions and swaps of neighbors that turn `from` into `to`.
/// Source: optimal string alignment distance (Damerau 1964, restricted form).
std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::vector<std::size_t>> cost(from.size() + 1,
                                             std::vector<std::size_t>(to.size() + 1));
  for (std::size_t i = 0; i <= from.size(); ++i)
    cost[i][0] = i;
  for (std::size_t j = 0; j <= to.size(); ++j)
    cost[0][j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t change = cost[i - 1][j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, change});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[from.size()][to.size()];
}

}  // namespace

std::string format_count(std::int64_t value) {
  std::string digits = fmt::format("{}", value);
  const std::size_t first = value < 0 ? 1 : 0;
  for (std::size_t place = digits.size(); place > first + 3;) {
    place -= 3;
    digits.insert(place, 1, ',');
  }
  return digits;
}

std::string format_bytes(std::int64_t bytes) {
  constexpr std::array units{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 0) return fmt::format("-{}", format_bytes(-bytes));
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes) / 1024.0;
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < units.size()) {
    value /= 1024.0;
    ++unit;
  }
  return fmt::format("{} {}", three_digits(value), units[unit]);
}

std::string format_fixed(double value, int digits) {
  return fmt::format("{:.{}f}", value, digits);
}

std::string format_seconds(double seconds) {
  if (!std::isfinite(seconds)) return fmt::format("{}", seconds);
  if (seconds < 0.0) return fmt::format("-{}", format_seconds(-seconds));
  if (seconds == 0.0) return "0 s";
  if (seconds < 0.9995e-6) return fmt::format("{} ns", three_digits(seconds * 1e9));
  if (seconds < 0.9995e-3) return fmt::format("{} us", three_digits(seconds * 1e6));
  if (seconds < 0.9995) return fmt::format("{} ms", three_digits(seconds * 1e3));
  if (seconds < 99.95) return fmt::format("{} s", three_digits(seconds));
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string join(const std::vector<std::string>& words, std::string_view separator) {
  return fmt::format("{}", fmt::join(words, separator));
}

std::string nearest_word(std::string_view word, const std::vector<std::string>& candidates) {
  std::string nearest;
  std::size_t smallest = std::numeric_limits<std::size_t>::max();
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    const std::size_t limit = (std::max(word.size(), candidate.size()) + 2) / 3;
    if (distance > limit || distance >= smallest) continue;
    smallest = distance;
    nearest = candidate;
  }
  return nearest;
}

}  // namespace weft
