// SPDX-License-Identifier: MIT
// Checksums (XXH3, 64 bits) of bytes: file checksums, fingerprints, weight hashes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace weft {

/// Checksum of `bytes` in one call.
[[nodiscard]] std::uint64_t checksum(std::span<const std::byte> bytes);

/// Checksum of the objects in `values`.
template <typename T>
[[nodiscard]] std::uint64_t checksum_of(std::span<const T> values) {
  return checksum(std::as_bytes(values));
}

/// A checksum that is fed piece by piece; equal to `checksum` of the concatenation.
class Checksum {
 public:
  Checksum();
  ~Checksum();
  Checksum(Checksum&&) noexcept;
  Checksum& operator=(Checksum&&) noexcept;

  void update(std::span<const std::byte> bytes);
  [[nodiscard]] std::uint64_t value() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// 16 lower-case hexadecimal digits.
[[nodiscard]] std::string checksum_text(std::uint64_t value);

}  // namespace weft
