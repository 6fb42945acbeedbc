// SPDX-License-Identifier: MIT
// The entries of a MatrixMarket coordinate file, parsed chunk by chunk on all threads.
#include "datasets/input_problems.hpp"
#include "datasets/matrix_market.hpp"
#include "datasets/text_fields.hpp"
#include "graph/support/text.hpp"

namespace weft::datasets {

namespace {

class EntryParser {
 public:
  EntryParser(const MatrixHeader& header, const MatrixEntryOptions& options)
      : header_(header), options_(options), splitter_('\0') {
    is_pattern_ = header.field == MatrixHeader::Field::pattern;
    keeps_values_ = !is_pattern_ && !options.ignore_values;
    is_mirrored_ = header.symmetry == MatrixHeader::Symmetry::skew && keeps_values_;
  }

  [[nodiscard]] bool keeps_values() const { return keeps_values_; }
  [[nodiscard]] std::size_t entries_per_line() const { return is_mirrored_ ? 2 : 1; }

  void parse(std::string_view text, EdgeChunk<graph::Arc>& chunk) {
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      ++chunk.counts.lines;
      parse_line(without_line_end(text.substr(0, end)), chunk);
      text.remove_prefix(end + 1);
    }
  }

 private:
  void parse_line(std::string_view line, EdgeChunk<graph::Arc>& chunk) {
    const std::string_view content = trimmed(line);
    if (content.empty()) {
      ++chunk.counts.blanks;
    } else if (content.front() == '%') {
      ++chunk.counts.comments;
    } else if (!parse_entry(content)) {
      chunk.problems.add(chunk.counts.lines, message_);
    } else {
      emit(arc_, value_, chunk);
      if (is_mirrored_) emit({arc_.destination, arc_.source}, -value_, chunk);
    }
  }

  void emit(graph::Arc arc, float value, EdgeChunk<graph::Arc>& chunk) const {
    chunk.arcs[chunk.num_arcs] = arc;
    if (keeps_values_) chunk.weights[chunk.num_arcs] = value;
    ++chunk.num_arcs;
  }

  bool parse_entry(std::string_view line) {
    message_ = problem_of_bytes(line);
    if (!message_.empty() || !splitter_.split(line, message_)) return false;
    const auto& fields = splitter_.fields();
    const std::size_t expected = is_pattern_ ? 2 : 3;
    if (fields.size() != expected) {
      message_ =
          text(fields.size(), fields.size() == 1 ? " field" : " fields", ", expected ", expected,
               is_pattern_ ? " (row column) in a pattern file" : " (row column value)");
      return false;
    }
    return parse_index(fields[0], "row", header_.num_rows, arc_.source) &&
           parse_index(fields[1], "column", header_.num_columns, arc_.destination) &&
           is_in_triangle() && (is_pattern_ || parse_value(fields[2]));
  }

  bool parse_index(std::string_view field,
                   const char* what,
                   std::int64_t extent,
                   std::int32_t& index) {
    std::int64_t number = 0;
    if (!parse_signed(field, number)) {
      message_ = text(what, " ", in_quotes(field), ", expected a whole number from 1 to ", extent);
      return false;
    }
    if (number < 1 || number > extent) {
      message_ = text(what, " ", number, ", expected 1 to ", extent,
                      number == 0 ? "; MatrixMarket counts from 1" : " by the size line");
      return false;
    }
    index = static_cast<std::int32_t>(number - 1);
    return true;
  }

  bool is_in_triangle() {
    if (header_.symmetry == MatrixHeader::Symmetry::general) return true;
    if (arc_.source < arc_.destination) {
      message_ = text("row ", arc_.source + 1, ", column ", arc_.destination + 1,
                      " lies above the diagonal, but a symmetric file holds the lower triangle "
                      "only: the entry would count twice");
      return false;
    }
    if (arc_.source == arc_.destination && header_.symmetry == MatrixHeader::Symmetry::skew) {
      message_ = "an entry on the diagonal, which is zero in a skew-symmetric matrix";
      return false;
    }
    return true;
  }

  bool parse_value(std::string_view field) {
    std::int64_t whole = 0;
    if (header_.field == MatrixHeader::Field::integer && !parse_signed(field, whole)) {
      message_ = text("value ", in_quotes(field), ", expected a whole number in an integer file");
      return false;
    }
    if (!parse_finite(field, "value", value_, message_)) return false;
    const bool is_negative = value_ < 0.0F || (is_mirrored_ && value_ != 0.0F);
    if (is_negative && keeps_values_ && !options_.allow_negative) {
      message_ = text("negative weight ", is_mirrored_ && value_ > 0.0F ? "-" : "", field,
                      is_mirrored_ ? " (skew-symmetric: the reverse has the other sign)" : "",
                      ", expected 0 or more; --allow-negative-weights accepts it, --weights no "
                      "ignores values");
      return false;
    }
    return true;
  }

  const MatrixHeader& header_;
  const MatrixEntryOptions& options_;
  FieldSplitter splitter_;
  std::string message_;
  graph::Arc arc_;
  float value_ = 1.0F;
  bool is_pattern_ = false;
  bool keeps_values_ = false;
  bool is_mirrored_ = false;
};

}  // namespace

CollectedEdges<graph::Arc> read_matrix_entries(TextSource& source,
                                               const MatrixHeader& header,
                                               const MatrixEntryOptions& options,
                                               const ProgressCallback& progress) {
  CollectedEdges<graph::Arc> all = collect_edges<graph::Arc>(
      source, header.counts,
      [&](std::string_view chunk_text, EdgeChunk<graph::Arc>& chunk) {
        EntryParser parser(header, options);
        chunk.prepare(parser.entries_per_line() * most_arcs_in(chunk_text.size()),
                      parser.keeps_values());
        parser.parse(chunk_text, chunk);
      },
      progress);
  const std::int64_t found = all.counts.lines - header.counts.lines -
                             (all.counts.comments - header.counts.comments) -
                             (all.counts.blanks - header.counts.blanks);
  if (found != header.num_entries) {
    const std::int64_t line = found < header.num_entries ? all.counts.lines : header.counts.lines;
    fail_at_line(source.name(), line,
                 text(header.num_entries, " entries promised by the size line, ", found, " found"));
  }
  return all;
}

}  // namespace weft::datasets
