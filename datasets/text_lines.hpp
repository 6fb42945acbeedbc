// SPDX-License-Identifier: MIT
// The lines of a side file (labels, splits, ids) one after the other, with their true numbers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "datasets/text_source.hpp"

namespace weft::datasets {

class TextLines {
 public:
  TextLines(const std::filesystem::path& path, std::int64_t max_decompressed_bytes)
      : source_(path, max_decompressed_bytes) {}

  /// The next line without its line end; false at the end. The view holds until the next call.
  /// Errors   InputError at a line with a NUL byte or a carriage return inside
  bool next(std::string_view& line);
  /// The number of the line that `next` gave, from 1; afterwards the number of lines.
  [[nodiscard]] std::int64_t number() const { return number_; }
  [[nodiscard]] const std::string& name() const { return source_.name(); }

 private:
  TextSource source_;
  TextChunk chunk_;
  std::string_view rest_;
  std::int64_t number_ = 0;
};

}  // namespace weft::datasets
