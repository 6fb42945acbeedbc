// SPDX-License-Identifier: MIT
// How much memory an import takes, before it takes it: a sample of the edge list tells how many
// arcs there are.
#include <algorithm>
#include <string_view>

#include "datasets/decompress.hpp"
#include "datasets/import_dataset.hpp"
#include "datasets/text_source.hpp"
#include "datasets/zip_archive.hpp"
#include "graph/support/files.hpp"
#include "graph/support/process.hpp"

namespace weft::datasets {
namespace {

// The program with its libraries.
constexpr std::int64_t program_bytes = std::int64_t{12} << 20;
// While edges are read: arcs, the mapped text that is not yet given back, and for each chunk that
// is parsed an arc of room in four bytes of text.
constexpr std::int64_t read_bytes_per_arc = 8;
constexpr std::int64_t read_bytes_per_weight = 4;
constexpr std::int64_t most_mapped_text = std::int64_t{32} << 20;
constexpr std::int64_t chunk_text_bytes = std::int64_t{1} << 19;
// While the graph is built; graph/csr_build.hpp says where they come from.
constexpr std::int64_t build_bytes_per_arc = 18;
constexpr std::int64_t build_bytes_per_edge = 22;  // an arc that gets its reverse
constexpr std::int64_t build_bytes_per_weight = 8;

constexpr std::size_t head_bytes = std::size_t{1} << 20;

struct EdgeSample {
  double num_lines = 0;  ///< of the whole file
  std::int64_t file_bytes = 0;
  bool weighted = false;
};

double lines_in(std::string_view text) {
  return static_cast<double>(std::count(text.begin(), text.end(), '\n'));
}

/// Counts in pieces all over the file: ids grow longer towards the end of a sorted list.
double lines_of_plain(std::string_view file) {
  constexpr std::size_t num_pieces = 64;
  constexpr std::size_t piece_bytes = 4096;
  if (file.size() <= num_pieces * piece_bytes) return lines_in(file);
  double found = 0;
  for (std::size_t piece = 0; piece < num_pieces; ++piece)
    found += lines_in(file.substr(file.size() / num_pieces * piece, piece_bytes));
  return found * static_cast<double>(file.size()) / (num_pieces * piece_bytes);
}

/// Fields of the last whole line of `text`: comments and a header stand at its beginning.
std::size_t fields_of_last_line(std::string_view text) {
  constexpr std::string_view between = " \t\r,;|";
  text = text.substr(0, text.rfind('\n'));
  text = text.substr(text.rfind('\n') + 1);  // npos + 1 == 0
  std::size_t num_fields = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_inside = between.find(text[i]) == between.npos;
    const bool was_inside = i > 0 && between.find(text[i - 1]) == between.npos;
    num_fields += is_inside && !was_inside ? 1 : 0;
  }
  return num_fields;
}

bool has_weights(const ColumnOptions& columns, std::string_view head) {
  if (columns.weights != Choice::automatic) return columns.weights == Choice::yes;
  if (!columns.columns.empty()) return columns.columns.size() == 3;
  return fields_of_last_line(head) >= 3;
}

EdgeSample sample_edges(const std::filesystem::path& path, const EdgeListOptions& options) {
  const MappedFile file(path);
  const std::string_view bytes = file.text();
  EdgeSample sample;
  sample.file_bytes = std::ssize(bytes);
  if (encoding_of(file.bytes()) == Encoding::plain) {
    sample.num_lines = lines_of_plain(bytes);
    sample.weighted = has_weights(options.columns, bytes.substr(0, head_bytes));
    return sample;
  }
  TextSource source(path, options.max_decompressed_bytes);
  const std::string_view head = source.peek(head_bytes);
  const auto taken = static_cast<double>(std::max<std::size_t>(1, source.position()));
  sample.num_lines = lines_in(head) * static_cast<double>(bytes.size()) / taken;
  sample.weighted = has_weights(options.columns, head);
  return sample;
}

/// A side file takes what it takes on the disk, a member of an archive its bytes and its values.
std::int64_t rows_bytes(const std::filesystem::path& path, std::int64_t max_bytes) {
  if (path.empty()) return 0;
  const MappedFile file(path);
  if (!file.text().starts_with("PK")) return std::ssize(file.bytes());
  const ZipArchive archive(path, max_bytes);
  std::int64_t total = 0;
  for (const ZipMember& member : archive.members())
    total += 2 * static_cast<std::int64_t>(member.size_bytes);
  return total;
}

std::int64_t reading_bytes(const EdgeSample& sample, std::int64_t arcs, int num_threads) {
  const std::int64_t num_chunks = 2 * num_threads + 1;
  const std::int64_t parsed = std::min(sample.file_bytes, num_chunks * chunk_text_bytes);
  const std::int64_t an_arc = read_bytes_per_arc + (sample.weighted ? read_bytes_per_weight : 0);
  return arcs * an_arc + std::min(sample.file_bytes, most_mapped_text) + parsed / 4 * an_arc;
}

std::int64_t building_bytes(const EdgeSample& sample, std::int64_t arcs, bool adds_reverses) {
  const std::int64_t weights = sample.weighted ? build_bytes_per_weight : 0;
  return arcs *
         (adds_reverses ? build_bytes_per_edge + 2 * weights : build_bytes_per_arc + weights);
}

}  // namespace

std::int64_t estimated_peak_bytes(const ImportOptions& options) {
  SourceFiles files = options.files;
  files.edges = options.source;
  if (std::filesystem::is_directory(options.source)) {
    complete(files, find_source_files(options.source).files);
  }
  const EdgeSample sample = sample_edges(files.edges, options.edges);
  std::int64_t rows = 0;
  for (const auto* path : {&files.features, &files.labels, &files.splits, &files.node_ids})
    rows += rows_bytes(*path, options.edges.max_decompressed_bytes);
  const auto arcs = static_cast<std::int64_t>(sample.num_lines);
  const int num_threads = options.num_threads > 0 ? options.num_threads : usable_cpus();
  // The text is given back before the graph is built.
  const bool adds_reverses = options.direction == Direction::undirected;
  return program_bytes + rows +
         std::max(reading_bytes(sample, arcs, num_threads),
                  building_bytes(sample, arcs, adds_reverses));
}

}  // namespace weft::datasets
