// SPDX-License-Identifier: MIT
// Looks at the start of an edge list and decides how the rest is read.
#include "datasets/edge_file_format.hpp"

#include <algorithm>
#include <charconv>

#include "datasets/csv_header.hpp"
#include "datasets/input_problems.hpp"
#include "datasets/text_fields.hpp"
#include "graph/support/text.hpp"

namespace weft::datasets {

namespace {

/// The number behind `word` in a comment line.
std::optional<std::int64_t> number_behind(std::string_view line, std::string_view word) {
  const std::size_t found = line.find(word);
  if (found == line.npos) return std::nullopt;
  const std::string_view rest = trimmed(line.substr(found + word.size()));
  std::int64_t number = 0;
  const auto result = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (result.ec != std::errc() || number < 0) return std::nullopt;
  return number;
}

/// The next line of `source` with its line end, not taken; the rest at the end of the file.
std::string_view peek_line(TextSource& source) {
  for (std::size_t bytes = 4096;; bytes *= 2) {
    const std::string_view seen = source.peek(bytes);
    const std::size_t end = seen.find('\n');
    if (end != seen.npos) return seen.substr(0, end + 1);
    if (seen.size() < bytes) return seen;
  }
}

bool is_whole_number(std::string_view field) {
  std::uint64_t ignored = 0;
  return parse_unsigned(field, ignored);
}

char delimiter_of_line(std::string_view line) {
  for (const char candidate : {',', ';', '\t'}) {
    if (line.find(candidate) != line.npos) return candidate;
  }
  return '\0';
}

char delimiter_of(FileFormat format, const ColumnOptions& options, std::string_view line) {
  if (options.delimiter) return *options.delimiter == ' ' ? '\0' : *options.delimiter;
  if (format == FileFormat::tsv) return '\t';
  return format == FileFormat::csv ? delimiter_of_line(line) : '\0';
}

/// Columns of a file without header, by their number alone.
void decide_by_count(const std::string& file,
                     std::int64_t line,
                     Choice weights,
                     EdgeLineFormat& format,
                     std::vector<std::string>& notes) {
  const int found = format.num_columns;
  if (found < 2) {
    fail_at_line(file, line,
                 text("1 field, expected a source and a destination separated by ",
                      delimiter_name(format.delimiter), "; --delimiter names another separator"));
  }
  if (weights == Choice::yes && found < 3) {
    fail_at_line(file, line, "2 fields, but --weights yes expects a weight as the third");
  }
  if (weights == Choice::no && found > 2) {
    notes.push_back(text(file, ": columns 1 and 2 are read as source and destination; ignored: ",
                         found == 3 ? "3" : text("3 to ", found), "; --columns chooses others"));
  }
  if (weights == Choice::no || found == 2) return;
  if (found > 3) {
    fail_at_line(file, line,
                 text(found, " fields, expected 2 or 3 (source, destination, weight); say which: ",
                      "--columns 1,2,3"));
  }
  format.weight = 2;
  if (weights == Choice::automatic) {
    notes.push_back(
        text(file, ": the third column is read as the weight; --weights no ignores it"));
  }
}

}  // namespace

Preamble take_preamble(TextSource& source) {
  Preamble preamble;
  while (true) {
    const std::string_view line = peek_line(source);
    if (line.empty()) return preamble;
    const std::string_view content = without_line_end(line);
    const bool is_blank_line = trimmed(content).empty();
    if (!is_blank_line && !is_comment(content)) {
      preamble.first_line = content;
      return preamble;
    }
    if (!preamble.header_nodes) preamble.header_nodes = number_behind(content, "Nodes:");
    if (!preamble.header_edges) preamble.header_edges = number_behind(content, "Edges:");
    ++preamble.counts.lines;
    ++(is_blank_line ? preamble.counts.blanks : preamble.counts.comments);
    source.skip(line.size());
  }
}

void skip_lines(TextSource& source, std::int64_t count) {
  for (; count > 0; --count)
    source.skip(peek_line(source).size());
}

FileFormat guess_format(const std::string& file_name, const std::string& first_line) {
  if (file_name.find(".mtx") != file_name.npos) return FileFormat::mtx;
  FieldSplitter splitter('\0');
  std::string problem;
  splitter.split(first_line, problem);
  const auto& fields = splitter.fields();
  if (fields.size() >= 2 && is_whole_number(fields[0]) && is_whole_number(fields[1])) {
    return FileFormat::snap;
  }
  const char delimiter = delimiter_of_line(first_line);
  if (delimiter == '\0') return FileFormat::snap;
  // Numbers between tabs that are no whole numbers are broken ids, not names of columns.
  const bool starts_like_number =
      !fields.empty() && std::string_view("+-.0123456789").find(fields[0][0]) != std::string::npos;
  if (delimiter == '\t' && starts_like_number) return FileFormat::snap;
  return delimiter == '\t' ? FileFormat::tsv : FileFormat::csv;
}

EdgeLineFormat decide_columns(TextSource& source,
                              Preamble& preamble,
                              FileFormat format,
                              const ColumnOptions& options,
                              std::vector<std::string>& notes) {
  const std::string& line = preamble.first_line;
  const std::int64_t number = preamble.first_line_number();
  EdgeLineFormat columns;
  columns.pattern_line = number;
  columns.delimiter = delimiter_of(format, options, line);
  FieldSplitter splitter(columns.delimiter);
  std::string problem = problem_of_bytes(line);
  if (!problem.empty() || !splitter.split(line, problem)) {
    fail_at_line(source.name(), number, problem);
  }
  const CsvHeader header{
      source.name(), number, {splitter.fields().begin(), splitter.fields().end()}};
  columns.num_columns = static_cast<int>(header.fields.size());
  const bool may_have_header = format != FileFormat::snap || options.header == Choice::yes;
  const bool has_header = may_have_header && decide_header(header, options, notes);
  if (!options.columns.empty()) {
    choose_columns(header, has_header, options, columns);
  } else if (has_header) {
    find_columns(header, options.weights, columns, notes);
  } else {
    decide_by_count(source.name(), number, options.weights, columns, notes);
  }
  if (has_header) {
    source.skip(peek_line(source).size());
    ++preamble.counts.lines;
  }
  return columns;
}

}  // namespace weft::datasets
