// SPDX-License-Identifier: MIT
// A blank line inside such a file is an error: skipping it would shift all later rows.
#include "datasets/row_file.hpp"

#include "datasets/input_problems.hpp"
#include "datasets/text_fields.hpp"
#include "graph/support/text.hpp"

namespace weft::datasets {

namespace {
constexpr std::size_t most_comment_bytes = std::size_t{1} << 16;
}  // namespace

RowFile::RowFile(const std::filesystem::path& path,
                 std::int64_t max_decompressed_bytes,
                 std::optional<VertexCount> expected,
                 bool allow_empty)
    : lines_(path, max_decompressed_bytes),
      expected_(std::move(expected)),
      allow_empty_(allow_empty) {}

bool RowFile::next(std::string_view& row) {
  std::string_view line;
  while (lines_.next(line)) {
    row = trimmed(line);
    if (!row.empty() && row.front() == '#') {
      if (comments_.size() < most_comment_bytes) comments_.append(row).push_back('\n');
      continue;
    }
    if (row.empty() && !allow_empty_) {
      if (blank_line_ == 0) blank_line_ = lines_.number();
      continue;
    }
    if (blank_line_ > 0) {
      fail_at_line(name(), blank_line_,
                   "a blank line between rows, expected a row for each vertex");
    }
    if (expected_ && num_rows_ == expected_->count) {
      fail(text("row ", num_rows_ + 1, " of a file with one row for each of ", expected_->count,
                " vertices (", expected_->source, ")", count_hint_));
    }
    ++num_rows_;
    return true;
  }
  check_count();
  return false;
}

void RowFile::check_count() const {
  if (!expected_ || num_rows_ == expected_->count) return;
  fail_at_line(name(), blank_line_ > 0 ? blank_line_ : lines_.number() + 1,
               text("the file ends after ", num_rows_, " rows, expected ", expected_->count, " (",
                    expected_->source, ")", count_hint_));
}

void RowFile::fail(const std::string& message) const {
  fail_at_line(name(), line(), message);
}

std::int64_t line_of_row(const std::filesystem::path& path,
                         std::int64_t max_decompressed_bytes,
                         std::int64_t row,
                         bool allow_empty) {
  RowFile file(path, max_decompressed_bytes, std::nullopt, allow_empty);
  std::string_view ignored;
  while (file.next(ignored)) {
    if (file.num_rows() == row + 1) break;
  }
  return file.line();
}

}  // namespace weft::datasets
