// SPDX-License-Identifier: MIT
#include "partition/owner_file.hpp"

#include <charconv>
#include <span>
#include <string>
#include <string_view>

#include "datasets/npy.hpp"
#include "graph/support/error.hpp"
#include "graph/support/files.hpp"
#include "graph/support/text.hpp"
#include "partition/indexing.hpp"

namespace weft::partition {
namespace {

std::string_view trimmed(std::string_view line) {
  const std::string_view blanks = " \t\r";
  const std::size_t begin = line.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(blanks) - begin + 1);
}

// `place` is FILE:LINE.
std::int32_t parse_part(std::string_view word, const std::string& place, int num_parts) {
  std::int64_t value = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (error != std::errc() || stop != end || value < 0 || value >= num_parts) {
    throw InputError(text(place, ": \"", word.substr(0, 40), "\" found, expected one part, 0 to ",
                          num_parts - 1));
  }
  return static_cast<std::int32_t>(value);
}

void check_count(const std::filesystem::path& path, std::int64_t found, std::int64_t expected) {
  if (found == expected) return;
  throw InputError(text(path.string(), ": ", found, " owners, but the graph has ", expected,
                        " vertices; the file must name one part for each vertex, in dataset"
                        " order"));
}

std::vector<std::int32_t> read_text(const std::filesystem::path& path,
                                    std::int64_t num_vertices,
                                    int num_parts) {
  const MappedFile file(path);
  std::string_view rest = file.text();
  std::vector<std::int32_t> owner;
  owner.reserve(position(num_vertices));
  for (std::int64_t line_number = 1; !rest.empty(); ++line_number) {
    const std::size_t length = std::min(rest.find('\n'), rest.size());
    const std::string_view line = trimmed(rest.substr(0, length));
    rest.remove_prefix(std::min(length + 1, rest.size()));
    if (line.empty() || line.front() == '#' || line.front() == '%') continue;
    owner.push_back(parse_part(line, text(path.string(), ":", line_number), num_parts));
  }
  check_count(path, count_of(owner), num_vertices);
  return owner;
}

template <typename T>
std::vector<std::int32_t> read_array(const std::filesystem::path& path,
                                     std::int64_t num_vertices,
                                     int num_parts) {
  const datasets::NpyArray<T> array = datasets::map_npy<T>(path);
  if (array.shape.size() != 1) {
    throw InputError(text(path.string(), ": ", array.shape.size(),
                          " dimensions found, expected 1: one part for each vertex"));
  }
  check_count(path, count_of(array.values), num_vertices);
  std::vector<std::int32_t> owner;
  owner.reserve(array.values.size());
  for (const T value : array.values) {
    if (value < 0 || value >= num_parts) {
      throw InputError(text(path.string(), ": part ", value, " found for vertex ", owner.size(),
                            ", expected 0 to ", num_parts - 1));
    }
    owner.push_back(static_cast<std::int32_t>(value));
  }
  return owner;
}

}  // namespace

std::vector<std::int32_t> read_owner_file(const std::filesystem::path& path,
                                          std::int64_t num_vertices,
                                          int num_parts) {
  if (path.extension() != ".npy") return read_text(path, num_vertices, num_parts);
  const datasets::NpyHeader header =
      datasets::parse_npy_header(MappedFile(path).bytes(), path.string());
  if (header.kind == 'i' && header.item_bytes == 8) {
    return read_array<std::int64_t>(path, num_vertices, num_parts);
  }
  return read_array<std::int32_t>(path, num_vertices, num_parts);
}

}  // namespace weft::partition
