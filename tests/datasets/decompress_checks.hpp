// SPDX-License-Identifier: MIT
// Reads a compressed stream in pieces, as the text source does.
#pragma once

#include <string>

#include "datasets/decompress.hpp"

namespace weft::datasets::tests {

/// All that comes out of `bytes`, read `piece` bytes at a time.
inline std::string decompressed(Encoding encoding, const std::string& bytes, std::size_t piece) {
  const auto decompressor = make_decompressor(encoding, std::as_bytes(std::span(bytes)), "f");
  std::string all;
  std::string buffer(piece, '\0');
  while (const std::size_t count = decompressor->read(buffer))
    all.append(buffer, 0, count);
  return all;
}

/// Lines of numbers, `bytes` long or a little more.
inline std::string numbered_lines(std::size_t bytes) {
  std::string lines;
  for (int i = 0; lines.size() < bytes; ++i)
    lines += std::to_string(i) + "\t" + "7\n";
  return lines;
}

}  // namespace weft::datasets::tests
