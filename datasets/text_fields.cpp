// SPDX-License-Identifier: MIT
// Splitting lines and reading numbers strictly: a number is the whole field or it is none.
#include "datasets/text_fields.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "datasets/input_problems.hpp"
#include "graph/support/text.hpp"

namespace weft::datasets {

namespace {

bool is_digit(char character) {
  return character >= '0' && character <= '9';
}

bool all_digits(std::string_view field) {
  return !field.empty() && std::all_of(field.begin(), field.end(), is_digit);
}

template <typename T>
bool parse_whole(std::string_view field, T& value) {
  const char* end = field.data() + field.size();
  const auto result = std::from_chars(field.data(), end, value);
  return result.ec == std::errc() && result.ptr == end;
}

/// Length of the UTF-8 sequence that `lead` begins, 0 where none can; `smallest` is the least code
/// point that needs this length.
int sequence_length(unsigned char lead, std::uint32_t& smallest) {
  smallest = 0;
  if (lead < 0x80) return 1;
  smallest = 0x80;
  if ((lead & 0xE0) == 0xC0) return 2;
  smallest = 0x800;
  if ((lead & 0xF0) == 0xE0) return 3;
  smallest = 0x10000;
  return (lead & 0xF8) == 0xF0 ? 4 : 0;
}

}  // namespace

std::string_view without_line_end(std::string_view line) {
  while (!line.empty() && (line.back() == '\r' || line.back() == '\n'))
    line.remove_suffix(1);
  return line;
}

std::string_view trimmed(std::string_view field) {
  while (!field.empty() && is_blank(field.front()))
    field.remove_prefix(1);
  while (!field.empty() && is_blank(field.back()))
    field.remove_suffix(1);
  return field;
}

bool is_comment(std::string_view line) {
  const auto first = std::find_if_not(line.begin(), line.end(), is_blank);
  return first != line.end() && (*first == '#' || *first == '%');
}

std::string problem_of_bytes(std::string_view line) {
  if (line.find('\0') != line.npos) return "NUL byte in the line, expected text";
  if (line.find('\r') != line.npos) {
    return "carriage return inside the line, expected line ends of LF or CR LF; convert it: tr "
           "'\\r' '\\n'";
  }
  return {};
}

bool is_utf8(std::string_view bytes) {
  std::size_t i = 0;
  while (i < bytes.size()) {
    std::uint32_t smallest = 0;
    const auto lead = static_cast<unsigned char>(bytes[i]);
    const int length = sequence_length(lead, smallest);
    if (length == 0 || i + static_cast<std::size_t>(length) > bytes.size()) return false;
    std::uint32_t code = length == 1 ? lead : lead & (0x7FU >> length);
    for (int k = 1; k < length; ++k) {
      const auto next = static_cast<unsigned char>(bytes[i + static_cast<std::size_t>(k)]);
      if ((next & 0xC0) != 0x80) return false;
      code = code << 6 | (next & 0x3FU);
    }
    const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
    if (code < smallest || code > 0x10FFFF || is_surrogate) return false;
    i += static_cast<std::size_t>(length);
  }
  return true;
}

bool parse_unsigned(std::string_view field, std::uint64_t& value) {
  return parse_whole(field, value);
}

bool parse_signed(std::string_view field, std::int64_t& value) {
  return parse_whole(field, value);
}

bool parse_real(std::string_view field, double& value) {
  return parse_whole(field, value);
}

bool looks_like_name(std::string_view field) {
  double number = 0.0;
  if (field.empty() || field.find('\0') != field.npos || all_digits(field)) return false;
  return !parse_real(field, number) || !std::isfinite(number);
}

std::string problem_of_id(std::string_view field) {
  constexpr const char* expected = ", expected a whole number from 0";
  if (field.empty()) return text("empty id", expected);
  if (field.find('\0') != field.npos) return "NUL byte in the line, expected text";
  if (field.front() == '-' && all_digits(field.substr(1))) {
    return text("negative id ", field, expected);
  }
  if (all_digits(field)) return text("id ", in_quotes(field), " does not fit in 63 bits");
  if (looks_like_name(field)) {
    return text("id ", in_quotes(field), " is no number", expected, "; names need --ids string");
  }
  const char* form = field.find('.') != field.npos ? " has a decimal point" : " has an exponent";
  return text("id ", in_quotes(field), form, expected, "; write ids as whole numbers");
}

bool parse_finite(std::string_view field, const char* what, float& value, std::string& problem) {
  double number = 0.0;
  if (!parse_real(field, number)) {
    const bool has_comma = field.find(',') != field.npos;
    problem = text(what, " ", field.empty() ? std::string("is empty") : in_quotes(field),
                   ", expected a number within the range of double",
                   has_comma ? "; write the decimal point as '.'" : "");
    return false;
  }
  if (!std::isfinite(number) || std::abs(number) > std::numeric_limits<float>::max()) {
    problem =
        text(what, " ", in_quotes(field), ", expected a finite number within the range of float");
    return false;
  }
  value = static_cast<float>(number);
  return true;
}

bool FieldSplitter::split(std::string_view line, std::string& problem) {
  fields_.clear();
  unescaped_.clear();
  if (delimiter_ == '\0') {
    split_at_blanks(line);
    return true;
  }
  std::string_view rest = line;
  while (true) {
    std::size_t start = 0;
    while (start < rest.size() && is_blank(rest[start]) && rest[start] != delimiter_)
      ++start;
    if (start < rest.size() && rest[start] == '"') {
      rest.remove_prefix(start);
      if (!take_quoted(rest, problem)) return false;
    } else {
      const std::size_t end = std::min(rest.find(delimiter_), rest.size());
      fields_.push_back(trimmed(rest.substr(0, end)));
      rest.remove_prefix(end);
    }
    if (rest.empty()) return true;
    rest.remove_prefix(1);  // the delimiter
  }
}

void FieldSplitter::split_at_blanks(std::string_view line) {
  std::size_t i = 0;
  while (i < line.size()) {
    if (is_blank(line[i])) {
      ++i;
      continue;
    }
    const std::size_t begin = i;
    while (i < line.size() && !is_blank(line[i]))
      ++i;
    fields_.push_back(line.substr(begin, i - begin));
  }
}

/// Takes a field in quotes, and blanks behind it, up to the delimiter.
bool FieldSplitter::take_quoted(std::string_view& rest, std::string& problem) {
  std::size_t close = 1;
  bool has_doubled = false;
  while (true) {
    close = rest.find('"', close);
    if (close == rest.npos) {
      problem = text("the quote of ", in_quotes(rest), " is never closed on this line");
      return false;
    }
    if (close + 1 >= rest.size() || rest[close + 1] != '"') break;
    has_doubled = true;
    close += 2;
  }
  std::string_view field = rest.substr(1, close - 1);
  if (has_doubled) {
    std::string& plain = unescaped_.emplace_back();
    for (std::size_t i = 0; i < field.size(); ++i) {
      plain.push_back(field[i]);
      if (field[i] == '"') ++i;
    }
    field = plain;
  }
  fields_.push_back(field);
  rest.remove_prefix(close + 1);
  while (!rest.empty() && is_blank(rest.front()) && rest.front() != delimiter_) {
    rest.remove_prefix(1);
  }
  if (rest.empty() || rest.front() == delimiter_) return true;
  problem = text("text ", in_quotes(rest), " after a closing quote, expected ",
                 delimiter_name(delimiter_), " or the end of the line");
  return false;
}

std::string delimiter_name(char delimiter) {
  if (delimiter == '\0') return "blanks";
  if (delimiter == '\t') return "tabs";
  return in_quotes(std::string_view(&delimiter, 1));
}

}  // namespace weft::datasets
