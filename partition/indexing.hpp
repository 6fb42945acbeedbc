// SPDX-License-Identifier: MIT
// Signed ids meet unsigned container positions in one place, so that loops stay readable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft::partition {

/// A non-negative id or count as a container position.
[[nodiscard]] constexpr std::size_t position(std::int64_t id) {
  return static_cast<std::size_t>(id);
}

/// Number of items, signed.
template <typename Container>
[[nodiscard]] std::int64_t count_of(const Container& container) {
  return static_cast<std::int64_t>(container.size());
}

}  // namespace weft::partition
