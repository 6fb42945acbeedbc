// SPDX-License-Identifier: MIT
// Split files, row by row.
#include "datasets/split_reader.hpp"

#include <algorithm>

#include "datasets/dataset.hpp"
#include "datasets/input_problems.hpp"
#include "datasets/npy_convert.hpp"
#include "datasets/row_file.hpp"
#include "datasets/text_fields.hpp"
#include "graph/support/error.hpp"
#include "graph/support/files.hpp"
#include "graph/support/text.hpp"

namespace weft::datasets {

namespace {

constexpr std::int8_t no_code = -2;

std::int8_t code_of(std::string_view word) {
  struct Word {
    std::string_view word;
    std::int8_t code;
  };
  constexpr Word words[] = {{"0", 0},     {"1", 1},   {"2", 2},    {"-1", -1},        {"train", 0},
                            {"valid", 1}, {"val", 1}, {"test", 2}, {"validation", 1}, {"none", -1}};
  for (const Word& entry : words) {
    if (word == entry.word) return entry.code;
  }
  return no_code;
}

/// The words behind `key` in the comments, up to the end of its line.
std::vector<std::string> words_behind(const std::string& comments, std::string_view key) {
  const std::size_t found = comments.find(key);
  if (found == comments.npos) return {};
  const std::size_t begin = found + key.size();
  FieldSplitter splitter('\0');
  std::string problem;
  splitter.split(std::string_view(comments).substr(begin, comments.find('\n', begin) - begin),
                 problem);
  return {splitter.fields().begin(), splitter.fields().end()};
}

std::vector<std::string> names_of(const RowFile& file, std::size_t num_splits, std::int64_t line) {
  std::vector<std::string> names = words_behind(file.comments(), "columns:");
  if (names.empty() && num_splits == 1) {
    names = words_behind(file.comments(), "split:");
    if (names.size() > 1) names.resize(1);
  }
  if (names.empty() && num_splits == 1) names = {"split"};
  if (names.empty()) {
    for (std::size_t k = 0; k < num_splits; ++k)
      names.push_back(text("split", k));
  }
  if (names.size() != num_splits) {
    fail_at_line(file.name(), line,
                 text(num_splits, " columns, expected ", names.size(), " (", join(names, ", "),
                      ") by the comment above"));
  }
  std::vector<std::string> sorted = names;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    fail_at_line(file.name(), line, text("split name '", *twice, "' twice in the comment above"));
  }
  return names;
}

SplitInput read_text_splits(RowFile& file) {
  SplitInput input;
  std::vector<std::int8_t> by_row;
  std::size_t num_splits = 0;
  std::int64_t first_line = 0;
  FieldSplitter splitter('\0');
  std::string problem;
  std::string_view row;
  while (file.next(row)) {
    splitter.split(row, problem);
    const auto& fields = splitter.fields();
    if (first_line == 0) {
      first_line = file.line();
      num_splits = fields.size();
    }
    if (fields.size() != num_splits) {
      file.fail(text(fields.size(), " columns, expected ", num_splits, " as on line ", first_line));
    }
    for (const std::string_view field : fields) {
      by_row.push_back(code_of(field));
      if (by_row.back() == no_code) {
        file.fail(text("split code ", in_quotes(field),
                       ", expected 0 (train), 1 (validation), 2 (test) or -1 (none)"));
      }
    }
  }
  input.num_rows = file.num_rows();
  if (num_splits == 0) fail_at_line(file.name(), 1, "no row, expected one for each vertex");
  input.names = names_of(file, num_splits, first_line);
  const auto rows = static_cast<std::size_t>(input.num_rows);
  input.codes.resize(by_row.size());
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t k = 0; k < num_splits; ++k) {
      input.codes[k * rows + r] = by_row[r * num_splits + k];
    }
  }
  return input;
}

SplitInput read_npy_splits(const NpyBytes& array, const std::optional<VertexCount>& expected) {
  require_matrix(array, "splits");
  if (array.header.kind == 'b') {
    throw InputError(text(array.name,
                          ": a mask of bools, expected codes 0 (train), 1 (validation),"
                          " 2 (test), -1 (none)"));
  }
  const auto& shape = array.header.shape;
  SplitInput input;
  input.num_rows = shape.back();
  const std::int64_t num_splits = shape.size() == 2 ? shape[0] : 1;
  if (expected && expected->count != input.num_rows) {
    throw InputError(text(array.name, ": ", input.num_rows, " codes a split, expected ",
                          expected->count, " (", expected->source, ")",
                          shape[0] == expected->count ? "; transpose the array" : ""));
  }
  for (std::int64_t k = 0; k < num_splits; ++k) {
    input.names.push_back(num_splits == 1 ? "split" : text("split", k));
  }
  for (const std::int64_t code : to_integers(array, "split code")) {
    if (code < -1 || code > 2) {
      throw InputError(text(array.name, ": vertex ",
                            std::ssize(input.codes) % std::max<std::int64_t>(input.num_rows, 1),
                            ": split code ", code, ", expected 0, 1, 2 or -1"));
    }
    input.codes.push_back(static_cast<std::int8_t>(code));
  }
  return input;
}

/// A split that trains on nothing is a mistake in the file or in the meaning of its codes.
void require_training(const SplitInput& input, const std::string& where) {
  const auto rows = static_cast<std::ptrdiff_t>(input.num_rows);
  for (std::size_t k = 0; k < input.names.size(); ++k) {
    const auto begin = input.codes.begin() + static_cast<std::ptrdiff_t>(k) * rows;
    if (std::find(begin, begin + rows, std::int8_t{0}) == begin + rows) {
      throw InputError(text(where, ": split '", input.names[k],
                            "' has no training vertex, expected code 0 at one at least"));
    }
  }
}

}  // namespace

SplitInput read_splits(const std::filesystem::path& path,
                       const std::optional<VertexCount>& expected,
                       std::int64_t max_decompressed_bytes) {
  SplitInput input;
  std::string where = path.string();
  const MappedFile file(path);
  if (file.text().starts_with("\x93NUMPY") || path.extension() == ".npy") {
    input = read_npy_splits(view_npy(file.bytes(), path.string()), expected);
  } else {
    RowFile rows(path, max_decompressed_bytes, expected);
    input = read_text_splits(rows);
    where = text(where, ":", line_of_row(path, max_decompressed_bytes, 0));
  }
  require_training(input, where);
  return input;
}

}  // namespace weft::datasets
