// SPDX-License-Identifier: MIT
// A dropout mask in the form that the inner loops take.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/cpu/vector_kernels.hpp"
#include "kernels/dropout.hpp"

namespace weft::kernels::cpu {

/// The keys of the ten rounds.
[[nodiscard]] inline PhiloxKeys keys_of(RandomKey key) {
  PhiloxKeys keys{};
  for (int round = 0; round < 10; ++round) {
    keys.low[round] = key.low;
    keys.high[round] = key.high;
    key.low += 0x9E3779B9U;
    key.high += 0xBB67AE85U;
  }
  return keys;
}

/// uniform >= probability, as integers: uniform is (word >> 8) / 2^24, exactly. The id of a row is
/// filled in where it is known.
[[nodiscard]] inline DropoutRow any_row(const DropoutMask& mask, const PhiloxKeys& keys) {
  const double threshold = std::ceil(static_cast<double>(mask.probability) * 0x1.0p24);
  return {&keys, 0, mask.epoch, static_cast<std::uint32_t>(threshold), mask.scale()};
}

}  // namespace weft::kernels::cpu
