// SPDX-License-Identifier: MIT
// MatrixMarket's banner and size line, and the values of array files.
#include "datasets/matrix_market.hpp"

#include <algorithm>
#include <cctype>

#include "datasets/input_problems.hpp"
#include "datasets/text_fields.hpp"
#include "graph/support/text.hpp"
#include "graph/support/types.hpp"

namespace weft::datasets {

namespace {

constexpr std::string_view banner_word = "%%matrixmarket";

std::string lower(std::string_view word) {
  std::string out(word);
  for (char& character : out) {
    character = static_cast<char>(std::tolower(static_cast<unsigned char>(character)));
  }
  return out;
}

/// Takes one line; false at the end of the file.
bool take_line(TextSource& source, LineCounts& counts, std::string& line) {
  std::string_view seen;
  std::size_t end = seen.npos;
  for (std::size_t bytes = 4096;; bytes *= 2) {
    seen = source.peek(bytes);
    end = seen.find('\n');
    if (end != seen.npos || seen.size() < bytes) break;
  }
  if (seen.empty()) return false;
  const std::size_t length = end == seen.npos ? seen.size() : end + 1;
  line = without_line_end(seen.substr(0, length));
  source.skip(length);
  ++counts.lines;
  return true;
}

void read_banner(const std::string& file, const std::string& line, MatrixHeader& header) {
  constexpr const char* grammar =
      "expected '%%MatrixMarket matrix coordinate|array real|integer|pattern "
      "general|symmetric|skew-symmetric'";
  FieldSplitter splitter('\0');
  const std::string lowered = lower(line);
  std::string problem;
  splitter.split(lowered, problem);
  const auto& words = splitter.fields();
  const auto fail = [&](const std::string& found) {
    fail_at_line(file, 1, text(found, ", ", grammar));
  };
  if (words.empty() || words[0] != banner_word) fail("no MatrixMarket banner");
  if (words.size() != 5) fail(text("a banner of ", words.size(), " words"));
  if (words[1] != "matrix") fail(text("object ", in_quotes(words[1])));
  if (words[2] != "coordinate" && words[2] != "array") fail(text("format ", in_quotes(words[2])));
  header.is_array = words[2] == "array";
  if (words[3] == "pattern") {
    header.field = MatrixHeader::Field::pattern;
  } else if (words[3] == "integer") {
    header.field = MatrixHeader::Field::integer;
  } else if (words[3] != "real" && words[3] != "double") {
    fail(text("field ", in_quotes(words[3])));
  }
  if (words[4] == "symmetric") {
    header.symmetry = MatrixHeader::Symmetry::symmetric;
  } else if (words[4] == "skew-symmetric") {
    header.symmetry = MatrixHeader::Symmetry::skew;
  } else if (words[4] != "general") {
    fail(text("symmetry ", in_quotes(words[4])));
  }
  const bool is_pattern = header.field == MatrixHeader::Field::pattern;
  if (is_pattern && header.is_array) fail("an array that is a pattern");
  if (is_pattern && header.symmetry == MatrixHeader::Symmetry::skew) {
    fail("a pattern that is skew-symmetric (a pattern has no signs)");
  }
}

void read_size(const std::string& file, const std::string& line, MatrixHeader& header) {
  FieldSplitter splitter('\0');
  std::string problem;
  splitter.split(line, problem);
  const auto& fields = splitter.fields();
  const std::size_t expected = header.is_array ? 2 : 3;
  if (fields.size() != expected) {
    fail_at_line(file, header.counts.lines,
                 text("a size line of ", fields.size(), " numbers, expected ", expected,
                      header.is_array ? " (rows columns)" : " (rows columns entries)"));
  }
  std::int64_t* const targets[] = {&header.num_rows, &header.num_columns, &header.num_entries};
  for (std::size_t i = 0; i < expected; ++i) {
    std::int64_t number = 0;
    if (!parse_signed(fields[i], number) || number < 0) {
      fail_at_line(file, header.counts.lines,
                   text("size ", in_quotes(fields[i]), ", expected a whole number below 2^63"));
    }
    const bool is_extent = i < 2;
    if (is_extent && number > max_local_vertices) {
      fail_at_line(file, header.counts.lines,
                   text("size ", number, ", at most ", max_local_vertices,
                        " rows and columns fit a dataset; split the graph"));
    }
    *targets[i] = number;
  }
  const bool is_general = header.symmetry == MatrixHeader::Symmetry::general;
  if (!is_general && header.num_rows != header.num_columns) {
    fail_at_line(file, header.counts.lines,
                 text(header.num_rows, " rows and ", header.num_columns,
                      " columns, but a symmetric matrix is square"));
  }
}

}  // namespace

bool has_matrix_banner(TextSource& source) {
  return lower(source.peek(banner_word.size())) == banner_word;
}

MatrixHeader take_matrix_header(TextSource& source) {
  MatrixHeader header;
  std::string line;
  if (!take_line(source, header.counts, line)) {
    fail_at_line(source.name(), 1, "the file is empty, expected a MatrixMarket banner");
  }
  read_banner(source.name(), line, header);
  ++header.counts.comments;
  while (take_line(source, header.counts, line)) {
    if (trimmed(line).empty()) {
      ++header.counts.blanks;
    } else if (line.front() == '%') {
      ++header.counts.comments;
    } else {
      read_size(source.name(), line, header);
      return header;
    }
  }
  fail_at_line(source.name(), header.counts.lines, "the file ends before the size line");
}

std::vector<float> read_matrix_array(TextSource& source, const MatrixHeader& header) {
  if (header.symmetry != MatrixHeader::Symmetry::general) {
    fail_at_line(source.name(), 1, "a symmetric array, expected a general one or coordinates");
  }
  const auto rows = static_cast<std::size_t>(header.num_rows);
  const auto columns = static_cast<std::size_t>(header.num_columns);
  const std::size_t expected = rows * columns;  // both below 2^31
  std::vector<float> by_column;
  std::int64_t number = header.counts.lines;
  TextChunk chunk;
  while (source.next(std::size_t{1} << 20, chunk)) {
    for (std::string_view rest = chunk.text; !rest.empty();) {
      const std::size_t end = rest.find('\n');
      const std::string_view field = trimmed(without_line_end(rest.substr(0, end)));
      rest.remove_prefix(end + 1);
      ++number;
      if (field.empty() || field.front() == '%') continue;
      std::string problem;
      float value = 0.0F;
      if (!parse_finite(field, "value", value, problem)) {
        fail_at_line(source.name(), number, problem);
      }
      if (by_column.size() == expected) {
        fail_at_line(source.name(), number,
                     text("a value after the ", expected, " that the size line promises"));
      }
      by_column.push_back(value);
    }
  }
  if (by_column.size() != expected) {
    fail_at_line(source.name(), number,
                 text(expected, " values promised by the size line, ", by_column.size(), " found"));
  }
  std::vector<float> by_row(expected);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      by_row[row * columns + column] = by_column[column * rows + row];
    }
  }
  return by_row;
}

}  // namespace weft::datasets
