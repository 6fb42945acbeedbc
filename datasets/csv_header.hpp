// SPDX-License-Identifier: MIT
// The header line of a CSV or TSV edge list.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "datasets/edge_file_format.hpp"

namespace weft::datasets {

/// The first line with data, which may be a header.
struct CsvHeader {
  std::string file;
  std::int64_t line = 0;
  std::vector<std::string> fields;
};

/// True where the line is a header: by option, else where its first two fields (or the columns
/// given by number) are not both whole numbers; with string ids, where it names known columns.
[[nodiscard]] bool decide_header(const CsvHeader& header,
                                 const ColumnOptions& options,
                                 std::vector<std::string>& notes);

/// Sets the columns that `options.columns` names. Errors   InputError at the header's line
void choose_columns(const CsvHeader& header,
                    bool has_header,
                    const ColumnOptions& options,
                    EdgeLineFormat& columns);

/// Finds source, destination and weight by the names in use. Errors   InputError at the line
void find_columns(const CsvHeader& header,
                  Choice weights,
                  EdgeLineFormat& columns,
                  std::vector<std::string>& notes);

}  // namespace weft::datasets
