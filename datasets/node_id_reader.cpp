// SPDX-License-Identifier: MIT
// Ids as numbers or names, each once.
#include "datasets/node_id_reader.hpp"

#include "datasets/input_problems.hpp"
#include "datasets/npy_convert.hpp"
#include "datasets/row_file.hpp"
#include "datasets/text_fields.hpp"
#include "graph/support/error.hpp"
#include "graph/support/files.hpp"
#include "graph/support/text.hpp"

namespace weft::datasets {

namespace {

IdMap read_npy_ids(const std::filesystem::path& path, const MappedFile& file) {
  const NpyBytes array = view_npy(file.bytes(), path.string());
  if (array.header.shape.size() != 1) {
    throw InputError(text(array.name, ": expected a vector of ids"));
  }
  IdMap map(to_integers(array, "id"));
  if (const auto repeated = map.find_repeated()) {
    throw InputError(text(array.name, ": rows ", repeated->first, " and ", repeated->second,
                          " have the same id, expected each id once"));
  }
  return map;
}

IdMap read_text_ids(RowFile& file, std::optional<bool> strings) {
  std::vector<std::int64_t> numbers;
  std::vector<std::string> names;
  std::string_view row;
  while (file.next(row)) {
    std::uint64_t number = 0;
    const bool is_number = parse_unsigned(row, number) && number <= INT64_MAX;
    if (!strings) strings = !is_number;
    if (*strings) {
      if (!is_utf8(row)) file.fail(text("id ", in_quotes(row), " is not UTF-8"));
      names.emplace_back(row);
    } else {
      if (!is_number) file.fail(problem_of_id(row));
      numbers.push_back(static_cast<std::int64_t>(number));
    }
  }
  return strings.value_or(false) ? IdMap(std::move(names)) : IdMap(std::move(numbers));
}

}  // namespace

IdMap read_node_ids(const std::filesystem::path& path,
                    std::optional<bool> strings,
                    const std::optional<VertexCount>& expected,
                    std::int64_t max_decompressed_bytes) {
  {
    const MappedFile file(path);
    if (file.text().starts_with("\x93NUMPY")) return read_npy_ids(path, file);
  }
  RowFile file(path, max_decompressed_bytes, expected);
  IdMap map = read_text_ids(file, strings);
  if (const auto repeated = map.find_repeated()) {
    const std::int64_t first = line_of_row(path, max_decompressed_bytes, repeated->first);
    fail_at_line(file.name(), line_of_row(path, max_decompressed_bytes, repeated->second),
                 text("the id of line ", first, " again, expected each id once"));
  }
  return map;
}

}  // namespace weft::datasets
