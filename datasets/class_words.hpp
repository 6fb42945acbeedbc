// SPDX-License-Identifier: MIT
// Words that name classes: numbers from 0, or names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/edge_chunk.hpp"

namespace weft::datasets {

class ClassWords {
 public:
  /// Numbers above are refused: they are codes or ids, and a model would have as many outputs.
  static constexpr std::int64_t most_classes = std::int64_t{1} << 20;

  /// The number that stands for `word` until `finish`, -1 for unknown ("-1"). Fills `problem` and
  /// returns -2 where it is no class.
  std::int32_t add(std::string_view word, std::string& problem);

  /// Renumbers names by their bytes: `final_of()[number]` replaces `number`. Empty for numbers.
  [[nodiscard]] std::vector<std::int32_t> final_of() const;
  [[nodiscard]] std::vector<std::string> sorted_names() const;
  [[nodiscard]] int num_classes() const;

 private:
  enum class Kind { undecided, numbers, names };
  Kind kind_ = Kind::undecided;
  std::int64_t largest_ = -1;
  StringTable names_;
};

}  // namespace weft::datasets
