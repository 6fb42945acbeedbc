// SPDX-License-Identifier: MIT
// How a text edge list is written: which of the formats, where the columns are, is there a header.
//
// What the bytes do not say is taken from options; what is guessed is said in `notes`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "datasets/edge_chunk.hpp"
#include "datasets/edge_line_parser.hpp"
#include "datasets/text_source.hpp"

namespace weft::datasets {

enum class FileFormat { automatic, snap, csv, tsv, mtx };
/// For `--header` and `--weights`.
enum class Choice { automatic, yes, no };

/// What the user said about the columns of an edge list.
struct ColumnOptions {
  Choice header = Choice::automatic;
  std::vector<std::string> columns;  ///< source, destination [, weight] by name or number from 1
  Choice weights = Choice::automatic;
  std::optional<char> delimiter;
  bool string_ids = false;
};

/// Comment and blank lines before the first line with data.
struct Preamble {
  LineCounts counts;
  std::string first_line;                    ///< empty if the file has no data
  std::optional<std::int64_t> header_nodes;  ///< "# Nodes: N Edges: M"
  std::optional<std::int64_t> header_edges;

  [[nodiscard]] std::int64_t first_line_number() const { return counts.lines + 1; }
};

/// Takes the comments and blank lines at the start of `source`.
[[nodiscard]] Preamble take_preamble(TextSource& source);

/// Takes `count` lines.
void skip_lines(TextSource& source, std::int64_t count);

/// What format a file has by its name and its first line.
[[nodiscard]] FileFormat guess_format(const std::string& file_name, const std::string& first_line);

/// Decides on the columns of an edge list by its first line, and takes a header line.
///
/// format   snap, csv or tsv
/// Errors   InputError at the first line: column unknown, repeated or out of range; no names that
///          say source and destination; a number of columns that does not say which is which
[[nodiscard]] EdgeLineFormat decide_columns(TextSource& source,
                                            Preamble& preamble,
                                            FileFormat format,
                                            const ColumnOptions& options,
                                            std::vector<std::string>& notes);

}  // namespace weft::datasets
