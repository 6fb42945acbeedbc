// SPDX-License-Identifier: MIT
// Random numbers as a function, never a stream: Philox4x32-10.
//
// Source: Salmon, Moraes, Dror, Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3", SC'11.
//
// Invariant: a number depends on (seed, purpose, layer, global id, column, epoch) only, so it is
// the same for every rank count, thread count and partition.
//   key     = hash(seed, purpose, layer)
//   counter = (id low, id high, column / 4, epoch); the column's low two bits pick the word
#pragma once

#include <array>
#include <cstdint>

namespace weft {

/// What a random number is for; numbers of different purposes are independent.
enum class RandomPurpose : std::uint32_t {
  weights = 1,
  dropout = 2,
  partition = 3,
  generate_edges = 4,
  generate_features = 5,
  generate_labels = 6,
  generate_split = 7,
  test = 8,
};

/// Key of the Philox function; made by `random_key`.
struct RandomKey {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
};

/// Mixes seed, purpose and layer into a key.
[[nodiscard]] RandomKey random_key(std::uint64_t seed,
                                   RandomPurpose purpose,
                                   std::uint32_t layer = 0);

/// Ten rounds of Philox4x32: four independent 32-bit words.
[[nodiscard]] inline std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                                         RandomKey key) {
  constexpr std::uint64_t multiplier0 = 0xD2511F53U;
  constexpr std::uint64_t multiplier1 = 0xCD9E8D57U;
  constexpr std::uint32_t weyl0 = 0x9E3779B9U;
  constexpr std::uint32_t weyl1 = 0xBB67AE85U;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = multiplier0 * counter[0];
    const std::uint64_t product1 = multiplier1 * counter[2];
    counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key.low,
               static_cast<std::uint32_t>(product1),
               static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key.high,
               static_cast<std::uint32_t>(product0)};
    key.low += weyl0;
    key.high += weyl1;
  }
  return counter;
}

/// The four words of columns 4 * block .. 4 * block + 3 of row `id` at `epoch`.
[[nodiscard]] inline std::array<std::uint32_t, 4> random_block(RandomKey key,
                                                               std::uint64_t id,
                                                               std::uint32_t block,
                                                               std::uint32_t epoch = 0) {
  return philox(
      {static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(id >> 32), block, epoch}, key);
}

/// One word: row `id`, column `column`, `epoch`.
[[nodiscard]] inline std::uint32_t random_word(RandomKey key,
                                               std::uint64_t id,
                                               std::uint32_t column = 0,
                                               std::uint32_t epoch = 0) {
  return random_block(key, id, column / 4, epoch)[column % 4];
}

/// Uniform in [0, 1) with 24 bits, exact in `float`.
[[nodiscard]] inline float uniform_from_word(std::uint32_t word) {
  return static_cast<float>(word >> 8) * 0x1.0p-24F;
}

/// Uniform in [0, 1) with 24 bits.
[[nodiscard]] inline float random_uniform(RandomKey key,
                                          std::uint64_t id,
                                          std::uint32_t column = 0,
                                          std::uint32_t epoch = 0) {
  return uniform_from_word(random_word(key, id, column, epoch));
}

/// Standard normal number by the Box-Muller transform of one block's first two words.
[[nodiscard]] double random_normal(RandomKey key, std::uint64_t id, std::uint32_t column);

}  // namespace weft
