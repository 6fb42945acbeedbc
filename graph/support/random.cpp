// SPDX-License-Identifier: MIT
// Keys and normal numbers on top of Philox; the function itself is inline in the header.
#include "graph/support/random.hpp"

#include <cmath>
#include <numbers>

namespace weft {
namespace {

/// A bijection of 64 bits in which every input bit moves about half of the output bits.
/// Source: finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
std::uint64_t mix(std::uint64_t bits) {
  bits += 0x9E3779B97F4A7C15U;
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9U;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBU;
  return bits ^ (bits >> 31);
}

}  // namespace

RandomKey random_key(std::uint64_t seed, RandomPurpose purpose, std::uint32_t layer) {
  const std::uint64_t place = static_cast<std::uint64_t>(purpose) << 32 | layer;
  const std::uint64_t bits = mix(mix(seed) ^ place);
  return {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)};
}

double random_normal(RandomKey key, std::uint64_t id, std::uint32_t column) {
  const auto words = random_block(key, id, column);
  const double radius_uniform = (static_cast<double>(words[0]) + 1.0) * 0x1.0p-32;  // in (0, 1]
  const double angle = 2.0 * std::numbers::pi * static_cast<double>(words[1]) * 0x1.0p-32;
  return std::sqrt(-2.0 * std::log(radius_uniform)) * std::cos(angle);
}

}  // namespace weft
