// SPDX-License-Identifier: MIT
// The pieces of a line: blanks, fields, numbers, and what is wrong with them.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace weft::datasets {

[[nodiscard]] inline bool is_blank(char character) {
  return character == ' ' || character == '\t';
}

/// `line` without carriage returns at its end (CR LF and CR CR LF files).
[[nodiscard]] std::string_view without_line_end(std::string_view line);
/// `field` without blanks at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view field);
/// True where the first byte that is no blank is '#' or '%'.
[[nodiscard]] bool is_comment(std::string_view line);
/// What is wrong with the bytes of a line (NUL, a carriage return inside); empty if nothing.
[[nodiscard]] std::string problem_of_bytes(std::string_view line);
/// True where `bytes` are well-formed UTF-8.
[[nodiscard]] bool is_utf8(std::string_view bytes);

/// Parses a whole number; false if `field` is anything else, blanks included, or does not fit.
[[nodiscard]] bool parse_unsigned(std::string_view field, std::uint64_t& value);
[[nodiscard]] bool parse_signed(std::string_view field, std::int64_t& value);
/// Parses a number in C notation; false if `field` is anything else or beyond double. Accepts
/// "nan" and "inf", which the caller judges.
[[nodiscard]] bool parse_real(std::string_view field, double& value);

/// What is wrong with `field` as a vertex id: "id '2.0' has a decimal point, expected ...".
[[nodiscard]] std::string problem_of_id(std::string_view field);

/// True where `field` is no number in any notation, so that it may be the name of a vertex.
[[nodiscard]] bool looks_like_name(std::string_view field);

/// Parses a finite value that fits float32; fills `problem` ("weight 'nan' ...") and returns false
/// for anything else. `what` is its name in the message.
[[nodiscard]] bool parse_finite(std::string_view field,
                                const char* what,
                                float& value,
                                std::string& problem);

/// Splits lines into fields; reuses its memory from line to line.
class FieldSplitter {
 public:
  /// `delimiter` '\0' means runs of blanks; other delimiters know quotes by RFC 4180.
  explicit FieldSplitter(char delimiter) : delimiter_(delimiter) {}

  /// Splits `line`; the fields hold until the next call. Fills `problem` and returns false where
  /// a quote is never closed or followed by text.
  bool split(std::string_view line, std::string& problem);
  [[nodiscard]] const std::vector<std::string_view>& fields() const { return fields_; }

 private:
  void split_at_blanks(std::string_view line);
  bool take_quoted(std::string_view& rest, std::string& problem);

  char delimiter_;
  std::vector<std::string_view> fields_;
  std::deque<std::string> unescaped_;  ///< fields that held doubled quotes
};

/// "tabs", "blanks" or the character in quotes.
[[nodiscard]] std::string delimiter_name(char delimiter);

}  // namespace weft::datasets
