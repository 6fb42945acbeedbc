// SPDX-License-Identifier: MIT
// Names of columns as they are met in the wild; letter case does not matter.
#include "datasets/csv_header.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "datasets/input_problems.hpp"
#include "datasets/text_fields.hpp"
#include "graph/support/text.hpp"

namespace weft::datasets {

namespace {

constexpr std::array<std::pair<const char*, const char*>, 14> end_names{{
    {"src", "dst"},
    {"source", "target"},
    {"source", "destination"},
    {"src_id", "dst_id"},
    {"source_id", "target_id"},
    {"source_id", "destination_id"},
    {"node_1", "node_2"},
    {"node1", "node2"},
    {"id_1", "id_2"},
    {"id1", "id2"},
    {"from", "to"},
    {"fromnodeid", "tonodeid"},
    {"u", "v"},
    {"head", "tail"},
}};
constexpr std::array<const char*, 5> weight_names{"weight", "w", "value", "edge_weight", "weights"};

std::string lower(std::string word) {
  for (char& character : word) {
    character = static_cast<char>(std::tolower(static_cast<unsigned char>(character)));
  }
  return word;
}

/// Position of the column called `name`, -1 where there is none.
int position_of(const CsvHeader& header, const std::string& name) {
  for (std::size_t i = 0; i < header.fields.size(); ++i) {
    if (lower(header.fields[i]) == lower(name)) return static_cast<int>(i);
  }
  return -1;
}

bool find_ends(const CsvHeader& header, int& source, int& destination) {
  for (const auto& names : end_names) {
    source = position_of(header, names.first);
    destination = position_of(header, names.second);
    if (source >= 0 && destination >= 0) return true;
  }
  return false;
}

void check_names(const CsvHeader& header) {
  for (std::size_t i = 0; i < header.fields.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (header.fields[i] == header.fields[k]) {
        fail_at_line(header.file, header.line,
                     text("column name ", in_quotes(header.fields[i]), " twice (columns ", k + 1,
                          " and ", i + 1, "), expected each name once"));
      }
    }
  }
}

int resolve(const CsvHeader& header, bool has_header, const std::string& column) {
  const int named = has_header ? position_of(header, column) : -1;
  if (named >= 0) return named;
  std::uint64_t number = 0;
  const auto count = header.fields.size();
  if (parse_unsigned(column, number) && number >= 1 && number <= count) {
    return static_cast<int>(number) - 1;
  }
  const std::string there = has_header ? join(header.fields, ", ") : text("1 to ", count);
  fail_at_line(header.file, header.line,
               text("--columns: no column ", in_quotes(column), "; the columns are ", there, " (",
                    count, count == 1 ? " column)" : " columns)"));
}

bool is_number_at(const CsvHeader& header, std::size_t index) {
  std::uint64_t ignored = 0;
  return index < header.fields.size() && parse_unsigned(header.fields[index], ignored);
}

/// Positions from 0 of the ends where --columns gives them as numbers of columns, else 0 and 1.
std::pair<std::size_t, std::size_t> numbered_ends(const CsvHeader& header,
                                                  const ColumnOptions& options) {
  const auto number_of = [&header](const std::string& column) {
    std::uint64_t number = 0;
    return parse_unsigned(column, number) && number <= header.fields.size() ? number : 0;
  };
  if (options.columns.size() < 2) return {0, 1};
  const std::uint64_t first = number_of(options.columns[0]);
  const std::uint64_t second = number_of(options.columns[1]);
  if (first == 0 || second == 0) return {0, 1};
  return {first - 1, second - 1};
}

/// What else may be wrong where the names of two columns say nothing: they may be an edge.
std::string columns_hint(const CsvHeader& header) {
  const bool may_be_edge =
      header.fields.size() == 2 && !is_number_at(header, 0) && !is_number_at(header, 1);
  return may_be_edge ? " (if this line is an edge between names, --ids string)" : "";
}

/// Says which columns are the ends, and which are not read.
void note_columns(const CsvHeader& header,
                  const EdgeLineFormat& columns,
                  std::vector<std::string>& notes) {
  std::vector<std::string> ignored;
  for (int i = 0; i < static_cast<int>(header.fields.size()); ++i) {
    if (i == columns.source || i == columns.destination || i == columns.weight) continue;
    ignored.push_back(header.fields[static_cast<std::size_t>(i)]);
  }
  std::string line =
      text(header.file, ": columns ", header.fields[static_cast<std::size_t>(columns.source)],
           " and ", header.fields[static_cast<std::size_t>(columns.destination)],
           " are read as source and destination");
  if (!ignored.empty()) line += text("; ignored: ", join(ignored, ", "));
  notes.push_back(line + "; --columns chooses others");
}

bool guess_header(const CsvHeader& header, const ColumnOptions& options) {
  int source = 0;
  int destination = 0;
  if (options.string_ids) {
    const bool is_named = !options.columns.empty() && position_of(header, options.columns[0]) >= 0;
    return is_named || find_ends(header, source, destination);
  }
  const auto ends = numbered_ends(header, options);
  return !(is_number_at(header, ends.first) && is_number_at(header, ends.second));
}

}  // namespace

bool decide_header(const CsvHeader& header,
                   const ColumnOptions& options,
                   std::vector<std::string>& notes) {
  if (options.header != Choice::automatic) return options.header == Choice::yes;
  const bool has_header = guess_header(header, options);
  notes.push_back(text(header.file, ": line ", header.line,
                       has_header ? " is read as a header" : " is read as data, not as a header",
                       "; --header ", has_header ? "no" : "yes", " says otherwise"));
  return has_header;
}

void choose_columns(const CsvHeader& header,
                    bool has_header,
                    const ColumnOptions& options,
                    EdgeLineFormat& columns) {
  if (has_header) check_names(header);
  columns.source = resolve(header, has_header, options.columns[0]);
  columns.destination = resolve(header, has_header, options.columns[1]);
  if (columns.source == columns.destination) {
    fail_at_line(header.file, header.line, "--columns names one column for source and destination");
  }
  if (options.columns.size() == 2 && options.weights == Choice::yes) {
    fail_at_line(header.file, header.line,
                 "--weights yes, but --columns names no third column, the weight");
  }
  if (options.columns.size() > 2 && options.weights != Choice::no) {
    columns.weight = resolve(header, has_header, options.columns[2]);
  }
}

void find_columns(const CsvHeader& header,
                  Choice weights,
                  EdgeLineFormat& columns,
                  std::vector<std::string>& notes) {
  check_names(header);
  if (header.fields.size() < 2) {
    fail_at_line(header.file, header.line,
                 text("1 column ", in_quotes(header.fields.front()), " separated by ",
                      delimiter_name(columns.delimiter),
                      ", expected source and destination; --delimiter names another separator"));
  }
  if (!find_ends(header, columns.source, columns.destination)) {
    fail_at_line(header.file, header.line,
                 text("the columns ", join(header.fields, ", "),
                      " have no names that say source and destination (src,dst; source,target; "
                      "u,v; ...); give two of them: --columns SOURCE,TARGET",
                      columns_hint(header)));
  }
  for (const char* name : weight_names) {
    if (columns.weight < 0 && weights != Choice::no) columns.weight = position_of(header, name);
  }
  if (columns.weight < 0 && weights == Choice::yes) {
    fail_at_line(header.file, header.line,
                 text("--weights yes, but none of the columns ", join(header.fields, ", "),
                      " is called weight, w or value; --columns names it"));
  }
  note_columns(header, columns, notes);
  if (columns.weight >= 0 && weights == Choice::automatic) {
    notes.push_back(text(header.file, ": column ",
                         header.fields[static_cast<std::size_t>(columns.weight)],
                         " is read as the weight; --weights no ignores it"));
  }
}

}  // namespace weft::datasets
