// SPDX-License-Identifier: MIT
// Collecting and wording of problems in input files.
#include "datasets/input_problems.hpp"

#include <utility>

#include "graph/support/error.hpp"
#include "graph/support/text.hpp"

namespace weft::datasets {

void InputProblems::add(std::int64_t line, std::string message) {
  keep({line, std::move(message), false});
  ++total_;
}

void InputProblems::add_common(std::int64_t line, std::string message) {
  keep({line, std::move(message), true});
  ++num_common_;
  ++total_;
}

void InputProblems::keep(Entry entry) {
  if (!wants_text() || (entry.is_common && has_common_entry_)) return;
  has_common_entry_ = has_common_entry_ || entry.is_common;
  entries_.push_back(std::move(entry));
}

void InputProblems::append(const InputProblems& later, std::int64_t lines_before) {
  for (const Entry& entry : later.entries_) {
    if (!wants_text()) break;
    keep({lines_before + entry.line, entry.message, entry.is_common});
  }
  num_common_ += later.num_common_;
  total_ += later.total_;
}

void InputProblems::clear() {
  entries_.clear();
  has_common_entry_ = false;
  num_common_ = 0;
  total_ = 0;
}

void InputProblems::raise(const std::string& file) const {
  if (empty()) return;
  std::string message;
  for (const Entry& entry : entries_) {
    if (!message.empty()) message.push_back('\n');
    message += text(file, ":", entry.line, ": ", entry.message);
    if (entry.is_common && num_common_ > 1) {
      message += text(" (and on ", format_count(num_common_ - 1), " more lines)");
    }
  }
  const std::int64_t told_of = has_common_entry_ ? num_common_ - 1 : 0;
  const std::int64_t rest = total_ - told_of - static_cast<std::int64_t>(entries_.size());
  if (rest > 0) {
    message += text("\n", file, ": ", format_count(rest), " more problems, ", format_count(total_),
                    " in all");
  }
  throw InputError(message);
}

void fail_at_line(const std::string& file, std::int64_t line, const std::string& message) {
  throw InputError(text(file, ":", line, ": ", message));
}

void fail_at_byte(const std::string& file, std::uint64_t offset, const std::string& message) {
  throw InputError(text(file, ":@", offset, ": ", message));
}

std::string in_quotes(std::string_view found) {
  constexpr std::size_t longest = 40;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out = "'";
  for (const char character : found.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte >= 0x20 && byte < 0x7F) {
      out.push_back(character);
    } else {
      out += "\\x";
      out.push_back(digits[byte >> 4]);
      out.push_back(digits[byte & 15]);
    }
  }
  return out + (found.size() > longest ? "...'" : "'");
}

}  // namespace weft::datasets
