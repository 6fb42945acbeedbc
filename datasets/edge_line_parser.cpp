// SPDX-License-Identifier: MIT
// Two parsers of one grammar. `parse_pairs` takes what nearly every line is, two numbers between
// blanks, in one loop over the digits; whatever it does not recognize goes to LineParser, which
// reads every form slowly, judges it and words the problem.
#include "datasets/edge_line_parser.hpp"

#include <limits>

#include "datasets/digit_block.hpp"
#include "datasets/text_fields.hpp"
#include "graph/support/text.hpp"

namespace weft::datasets {

namespace {

/// First number that cannot be an end of ArcT. A narrow id is also below the largest vertex count.
template <typename ArcT>
constexpr std::uint64_t width_limit() {
  constexpr auto largest = std::numeric_limits<decltype(ArcT::source)>::max();
  return static_cast<std::uint64_t>(largest) + (sizeof(largest) == 8 ? 1 : 0);
}

/// `name_as_id`: a problem of the options rather than of the line.
enum class LineKind { entry, comment, blank, problem, name_as_id, too_wide };

template <typename ArcT>
class LineParser {
 public:
  LineParser(const EdgeLineFormat& format, const IdRule& rule, StringTable& names)
      : format_(format), rule_(rule), names_(names), splitter_(format.delimiter) {}

  /// Parses one line without its '\n'; `message` says what is wrong where something is.
  LineKind parse(std::string_view raw, ArcT& arc, float& weight) {
    const std::string_view line = without_line_end(raw);
    if (trimmed(line).empty()) return LineKind::blank;
    if (is_comment(line)) return LineKind::comment;
    message = problem_of_bytes(line);
    if (!message.empty()) return LineKind::problem;
    if (!splitter_.split(line, message)) return LineKind::problem;
    if (!has_right_columns()) return LineKind::problem;
    const auto& fields = splitter_.fields();
    const std::string_view source = fields[static_cast<std::size_t>(format_.source)];
    const std::string_view destination = fields[static_cast<std::size_t>(format_.destination)];
    is_too_wide_ = false;
    is_name_ = false;
    if (!parse_id(source, arc.source) || !parse_id(destination, arc.destination)) {
      if (is_name_) return LineKind::name_as_id;
      return is_too_wide_ ? LineKind::too_wide : LineKind::problem;
    }
    if (format_.weight >= 0 && !parse_weight(weight)) return LineKind::problem;
    return LineKind::entry;
  }

  std::string message;

 private:
  bool has_right_columns() {
    const auto& fields = splitter_.fields();
    const auto found = static_cast<int>(fields.size());
    if (found == format_.num_columns) return true;
    for (const std::string_view field : fields) {
      if (field.starts_with('#')) {
        message = "comment after data, expected comments on lines of their own";
        return false;
      }
    }
    message = text(found, found == 1 ? " field" : " fields", ", expected ", format_.num_columns);
    if (format_.pattern_line > 0) message += text(" as on line ", format_.pattern_line);
    message += text(" (separated by ", delimiter_name(format_.delimiter), ")");
    return false;
  }

  template <typename Id>
  bool parse_id(std::string_view field, Id& id) {
    if (rule_.collects_strings || (rule_.known != nullptr && rule_.known->has_strings())) {
      return parse_string_id(field, id);
    }
    std::uint64_t number = 0;
    constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (!parse_unsigned(field, number) || number > largest) {
      message = problem_of_id(field);
      is_name_ = looks_like_name(field);
      return false;
    }
    if (rule_.known != nullptr) return take_known(rule_.known->find(number), field, id);
    if (number < rule_.low || number >= rule_.high) {
      is_too_wide_ = rule_.collects_numbers;
      message = text("vertex id ", number, " ", rule_.limit);
      return false;
    }
    id = static_cast<Id>(number - rule_.low);
    return true;
  }

  template <typename Id>
  bool parse_string_id(std::string_view field, Id& id) {
    if (field.empty()) {
      message = "empty id, expected a name";
      return false;
    }
    if (!is_utf8(field)) {
      message = text("id ", in_quotes(field), " is not UTF-8; convert the file with iconv");
      return false;
    }
    if (rule_.known != nullptr) return take_known(rule_.known->find(field), field, id);
    id = names_.add(field);
    return true;
  }

  template <typename Id>
  bool take_known(std::int64_t vertex, std::string_view field, Id& id) {
    if (vertex < 0) {
      message = text("vertex id ", in_quotes(field), " is not among the ", rule_.known->size(),
                     " ids of --node-ids");
      return false;
    }
    id = static_cast<Id>(vertex);
    return true;
  }

  bool parse_weight(float& weight) {
    const std::string_view field = splitter_.fields()[static_cast<std::size_t>(format_.weight)];
    if (!parse_finite(field, "weight", weight, message)) return false;
    if (weight < 0.0F && !format_.allow_negative_weights) {
      message = text("negative weight ", field,
                     ", expected 0 or more: normalization takes roots of sums of weights; "
                     "--allow-negative-weights accepts it");
      return false;
    }
    return true;
  }

  const EdgeLineFormat& format_;
  const IdRule& rule_;
  StringTable& names_;
  FieldSplitter splitter_;
  bool is_too_wide_ = false;
  bool is_name_ = false;
};

/// Hands one line to the slow parser and books the result.
template <typename ArcT>
void parse_slowly(LineParser<ArcT>& parser, std::string_view line, EdgeChunk<ArcT>& chunk) {
  float weight = 1.0F;
  switch (parser.parse(line, chunk.arcs[chunk.num_arcs], weight)) {
    case LineKind::entry:
      if (!chunk.weights.empty()) chunk.weights[chunk.num_arcs] = weight;
      ++chunk.num_arcs;
      break;
    case LineKind::comment:
      ++chunk.counts.comments;
      break;
    case LineKind::blank:
      ++chunk.counts.blanks;
      break;
    case LineKind::problem:
      chunk.problems.add(chunk.counts.lines, parser.message);
      break;
    case LineKind::name_as_id:
      chunk.problems.add_common(chunk.counts.lines, parser.message);
      break;
    case LineKind::too_wide:
      chunk.too_wide = true;
      break;
  }
}

template <typename ArcT>
void parse_all_slowly(std::string_view text, LineParser<ArcT>& parser, EdgeChunk<ArcT>& chunk) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    ++chunk.counts.lines;
    parse_slowly(parser, text.substr(0, end), chunk);
    text.remove_prefix(end + 1);
  }
}

/// Reads a number at `p`, blanks before it skipped. False where there is none, or where it has more
/// than 19 digits and may have overflowed: the slow parser decides then.
inline bool read_number(const char*& p, std::uint64_t& value) {
  constexpr std::ptrdiff_t most_digits = 19;
  const auto digit_at = [](const char* at) {
    return static_cast<unsigned char>(*at) - unsigned{'0'};
  };
  unsigned digit = digit_at(p);
  if (digit > 9) {
    while (is_blank(*p))
      ++p;
    digit = digit_at(p);
    if (digit > 9) return false;
  }
  const char* begin = p;
  std::uint64_t number = digit;
  while ((digit = digit_at(++p)) <= 9)
    number = number * 10 + digit;
  value = number;
  return p - begin <= most_digits;
}

/// Recognizes `[blanks] number blanks number [blanks] [\r] \n` at `p` and moves behind it. Every
/// loop ends at the '\n' that ends the text, so no other bound is checked.
inline bool read_pair(const char*& p, std::uint64_t& source, std::uint64_t& destination) {
  if (!read_number(p, source) || !is_blank(*p++) || !read_number(p, destination)) return false;
  if (*p != '\n') {
    while (is_blank(*p))
      ++p;
    while (*p == '\r')
      ++p;
    if (*p != '\n') return false;
  }
  ++p;
  return true;
}

template <typename ArcT>
void parse_pairs(std::string_view text,
                 const IdRule& rule,
                 LineParser<ArcT>& parser,
                 EdgeChunk<ArcT>& chunk) {
  using Id = decltype(ArcT::source);
  const std::uint64_t low = rule.low;
  const std::uint64_t extent = rule.high - rule.low;
  const char* p = text.data();
  const char* end = p + text.size();
  const char* last_block =
      has_digit_blocks && text.size() > digit_block_bytes ? end - digit_block_bytes : text.data();
  ArcT* begin = chunk.arcs.data();
  ArcT* arc = begin;
  std::int64_t other_lines = 0;  // that the loop did not recognize
  while (p != end) {
    const char* line = p;
    std::uint32_t short_source = 0;
    std::uint32_t short_destination = 0;
    if (p < last_block && read_short_pair(p, short_source, short_destination) &&
        short_source - low < extent && short_destination - low < extent) {
      *arc++ = {static_cast<Id>(short_source - low), static_cast<Id>(short_destination - low)};
      continue;
    }
    p = line;
    std::uint64_t source = 0;
    std::uint64_t destination = 0;
    if (read_pair(p, source, destination) && source - low < extent && destination - low < extent) {
      *arc++ = {static_cast<Id>(source - low), static_cast<Id>(destination - low)};
      continue;
    }
    const std::string_view rest(line, static_cast<std::size_t>(end - line));
    const std::size_t length = rest.find('\n');
    const auto before = static_cast<std::size_t>(arc - begin);
    chunk.num_arcs = before;
    chunk.counts.lines = arc - begin + ++other_lines;
    parse_slowly(parser, rest.substr(0, length), chunk);
    other_lines -= static_cast<std::int64_t>(chunk.num_arcs - before);  // it was an arc after all
    arc = begin + chunk.num_arcs;
    p = line + length + 1;
  }
  chunk.num_arcs = static_cast<std::size_t>(arc - begin);
  chunk.counts.lines = arc - begin + other_lines;
}

}  // namespace

template <typename ArcT>
void parse_edge_lines(std::string_view text,
                      const EdgeLineFormat& format,
                      const IdRule& rule,
                      EdgeChunk<ArcT>& chunk) {
  chunk.prepare(most_arcs_in(text.size()), format.weight >= 0);
  IdRule narrowed = rule;
  if (rule.collects_numbers) narrowed.high = width_limit<ArcT>();
  LineParser<ArcT> parser(format, narrowed, chunk.names);
  const bool is_plain_pair = format.delimiter == '\0' && format.num_columns == 2 &&
                             format.source == 0 && format.weight < 0 && rule.known == nullptr &&
                             !rule.collects_strings;
  if (is_plain_pair) {
    parse_pairs(text, narrowed, parser, chunk);
  } else {
    parse_all_slowly(text, parser, chunk);
  }
}

template void parse_edge_lines(std::string_view,
                               const EdgeLineFormat&,
                               const IdRule&,
                               EdgeChunk<graph::Arc>&);
template void parse_edge_lines(std::string_view,
                               const EdgeLineFormat&,
                               const IdRule&,
                               EdgeChunk<WideArc>&);

}  // namespace weft::datasets
