// SPDX-License-Identifier: MIT
// What is wrong with the lines of an input file.
//
// Chunks of a file are parsed by several threads; each collects its problems with line numbers of
// its own, and they are joined in file order. So the report is the same for any thread count.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft::datasets {

/// The problems of one file or of a chunk of it, in file order. Keeps the first 20 and counts all.
class InputProblems {
 public:
  static constexpr std::size_t max_reported = 20;

  /// True where the next `add` is kept, so that a message is worth writing.
  [[nodiscard]] bool wants_text() const { return entries_.size() < max_reported; }
  void add(std::int64_t line, std::string message);
  /// For a mistake in the options that every line shows: one message stands for all of them.
  void add_common(std::int64_t line, std::string message);
  /// Counts one more without a message.
  void add_uncounted_text() { ++total_; }
  /// Appends the problems of a later chunk, whose line 1 is line `lines_before` + 1 of the file.
  void append(const InputProblems& later, std::int64_t lines_before);
  void clear();

  [[nodiscard]] bool empty() const { return total_ == 0; }
  [[nodiscard]] std::int64_t total() const { return total_; }

  /// Throws InputError "FILE:LINE: message", a line for each problem kept and one for the rest, if
  /// there is any.
  void raise(const std::string& file) const;

 private:
  struct Entry {
    std::int64_t line;
    std::string message;
    bool is_common;
  };
  void keep(Entry entry);

  std::vector<Entry> entries_;
  bool has_common_entry_ = false;
  std::int64_t num_common_ = 0;
  std::int64_t total_ = 0;
};

/// Throws InputError "FILE:LINE: message".
[[noreturn]] void fail_at_line(const std::string& file,
                               std::int64_t line,
                               const std::string& message);

/// Throws InputError "FILE:@OFFSET: message".
[[noreturn]] void fail_at_byte(const std::string& file,
                               std::uint64_t offset,
                               const std::string& message);

/// `found` in quotes for a message: shortened, with bytes that do not print as \xNN.
[[nodiscard]] std::string in_quotes(std::string_view found);

}  // namespace weft::datasets
