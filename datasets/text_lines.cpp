// SPDX-License-Identifier: MIT
// Line by line through the chunks of a text source.
#include "datasets/text_lines.hpp"

#include "datasets/input_problems.hpp"
#include "datasets/text_fields.hpp"

namespace weft::datasets {

bool TextLines::next(std::string_view& line) {
  constexpr std::size_t chunk_bytes = std::size_t{1} << 20;
  if (rest_.empty()) {
    source_.release_before(chunk_.source_end);
    if (!source_.next(chunk_bytes, chunk_)) return false;
    rest_ = chunk_.text;
  }
  const std::size_t end = rest_.find('\n');
  line = without_line_end(rest_.substr(0, end));
  rest_.remove_prefix(end + 1);
  ++number_;
  const std::string problem = problem_of_bytes(line);
  if (!problem.empty()) fail_at_line(source_.name(), number_, problem);
  return true;
}

}  // namespace weft::datasets
