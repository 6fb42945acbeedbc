// SPDX-License-Identifier: MIT
// Text files with a line for each vertex: comments are skipped, rows are counted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "datasets/text_lines.hpp"
#include "datasets/vertex_count.hpp"

namespace weft::datasets {

class RowFile {
 public:
  /// `expected`: the number of rows, if it is known; `allow_empty`: a blank line is a row.
  RowFile(const std::filesystem::path& path,
          std::int64_t max_decompressed_bytes,
          std::optional<VertexCount> expected,
          bool allow_empty = false);

  /// The next row, blanks trimmed; false behind the last.
  /// Errors   InputError at the line: blank, one row too many, or at the end one too few
  bool next(std::string_view& row);
  /// Throws InputError at the line of the row that `next` gave.
  [[noreturn]] void fail(const std::string& message) const;

  [[nodiscard]] const std::string& name() const { return lines_.name(); }
  [[nodiscard]] std::int64_t line() const { return lines_.number(); }
  [[nodiscard]] std::int64_t num_rows() const { return num_rows_; }
  /// What a message about a wrong number of rows says at its end.
  void set_count_hint(std::string hint) { count_hint_ = std::move(hint); }
  [[nodiscard]] const std::string& count_hint() const { return count_hint_; }
  /// The comment lines so far, each with its line end.
  [[nodiscard]] const std::string& comments() const { return comments_; }

 private:
  void check_count() const;

  TextLines lines_;
  std::optional<VertexCount> expected_;
  bool allow_empty_;
  std::int64_t num_rows_ = 0;
  std::int64_t blank_line_ = 0;  ///< the first blank line; it must be at the end
  std::string comments_;
  std::string count_hint_;
};

/// The line on which row `row` of `path` stands; reads the file again, for messages.
[[nodiscard]] std::int64_t line_of_row(const std::filesystem::path& path,
                                       std::int64_t max_decompressed_bytes,
                                       std::int64_t row,
                                       bool allow_empty = false);

}  // namespace weft::datasets
