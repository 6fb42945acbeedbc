// SPDX-License-Identifier: MIT
// How fast an edge list becomes a dataset folder, and in how much memory. Verifies before it times.
//
//   import_bench [--quick] [--json FILE]        64 M edges in TMPDIR; --quick: 1 M
//
// Compares the parser with a bare loop over the digits of the same mapping on the same threads, and
// times the whole import, folder written and synced.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "datasets/dataset_folder.hpp"
#include "datasets/edge_chunk.hpp"
#include "datasets/edge_file_format.hpp"
#include "datasets/edge_line_parser.hpp"
#include "datasets/import_dataset.hpp"
#include "graph/parallel.hpp"
#include "graph/support/error.hpp"
#include "graph/support/files.hpp"
#include "graph/support/process.hpp"
#include "graph/support/text.hpp"
#include "graph/support/timing.hpp"
#include "tests/bench/bench_support.hpp"
#include "tests/bench/roofs.hpp"

namespace {

namespace fs = std::filesystem;
namespace bench = weft::bench;
using weft::graph::Arc;

void write_edges(const fs::path& path, std::int64_t num_edges, std::int64_t num_vertices) {
  weft::AtomicFile file(path);
  std::string lines = weft::text("# Nodes: ", num_vertices, " Edges: ", num_edges, "\n");
  for (std::int64_t i = 0; i < num_edges; ++i) {
    const Arc arc = bench::distinct_arc(i, num_vertices);
    lines.append(std::to_string(arc.source)).push_back('\t');
    lines.append(std::to_string(arc.destination)).push_back('\n');
    if (lines.size() < 1 << 20 && i + 1 < num_edges) continue;
    file.write(lines);
    lines.clear();
  }
  file.commit();
}

/// Two numbers a line and nothing else: the least that any parser must do.
template <typename Pair>
std::size_t bare_loop(std::string_view text, Pair* pairs) {
  const char* p = text.data();
  const char* end = p + text.size();
  std::size_t count = 0;
  const auto number = [&p] {
    std::uint32_t value = 0;
    for (unsigned digit = 0; (digit = static_cast<unsigned char>(*p) - unsigned{'0'}) <= 9; ++p) {
      value = value * 10 + digit;
    }
    ++p;
    return static_cast<std::int32_t>(value);
  };
  while (p != end) {
    const std::int32_t source = number();
    pairs[count++] = std::bit_cast<Pair>(Arc{source, number()});
  }
  return count;
}

/// The bare loop on all threads over pieces cut at line ends. With `into_fresh_memory` every piece
/// has a place of its own in one new array, as any parser that delivers arcs must have; without it
/// each thread writes over the same small buffer, and the arcs are lost.
std::int64_t run_bare_loop(std::string_view text, bool into_fresh_memory) {
  constexpr std::size_t piece_bytes = 1 << 20;
  constexpr std::size_t piece_arcs = piece_bytes / 10;  // lines here are longer than 10 bytes
  const auto cut = [&](std::size_t at) {
    return at >= text.size() ? text.size() : text.find('\n', at) + 1;
  };
  std::atomic<std::int64_t> total = 0;
  const auto pieces = static_cast<std::int64_t>((text.size() + piece_bytes - 1) / piece_bytes);
  const auto room = static_cast<std::size_t>(into_fresh_memory ? pieces : 0) * piece_arcs + 1;
  const auto fresh = std::make_unique_for_overwrite<std::int64_t[]>(room);
  weft::advise_huge_pages(fresh.get(), room * sizeof(Arc));
  weft::graph::parallel_ranges(pieces, 1, [&](std::int64_t begin, std::int64_t end) {
    std::vector<Arc> buffer(piece_arcs);
    for (std::int64_t piece = begin; piece < end; ++piece) {
      const auto index = static_cast<std::size_t>(piece);
      const std::size_t first = piece == 0 ? 0 : cut(index * piece_bytes - 1);
      const std::size_t last = cut((index + 1) * piece_bytes - 1);
      const std::string_view lines = text.substr(first, last - first);
      total += static_cast<std::int64_t>(into_fresh_memory
                                             ? bare_loop(lines, fresh.get() + index * piece_arcs)
                                             : bare_loop(lines, buffer.data()));
    }
  });
  return total;
}

/// The library's parser over the whole file: arcs in one array, as the import gets them.
weft::datasets::CollectedEdges<Arc> run_parser(const fs::path& path) {
  weft::datasets::TextSource source(path);
  const auto preamble = weft::datasets::take_preamble(source);
  weft::datasets::IdRule rule;
  rule.collects_numbers = true;
  const weft::datasets::EdgeLineFormat format;
  return weft::datasets::collect_edges<Arc>(
      source, preamble.counts,
      [&](std::string_view chunk_text, weft::datasets::EdgeChunk<Arc>& chunk) {
        weft::datasets::parse_edge_lines(chunk_text, format, rule, chunk);
      },
      {});
}

template <typename Work>
double seconds_of(Work work) {
  const weft::Stopwatch stopwatch;
  work();
  return stopwatch.seconds();
}

void compare_parsers(const fs::path& path,
                     std::int64_t num_edges,
                     std::int64_t num_vertices,
                     bench::Report& report) {
  const weft::MappedFile file(path);
  const std::string_view text = file.text().substr(file.text().find('\n') + 1);
  const auto parsed = run_parser(path);
  bool is_right = static_cast<std::int64_t>(parsed.arcs.size()) == num_edges;
  for (std::int64_t i = 0; is_right && i < num_edges; ++i) {
    is_right = parsed.arcs[static_cast<std::size_t>(i)] == bench::distinct_arc(i, num_vertices);
  }
  if (!is_right || run_bare_loop(text, true) != num_edges) {
    throw weft::RuntimeError("a parser does not give the edges that were written");
  }
  double lost_seconds = 1e9;
  double bare_seconds = 1e9;
  double parser_seconds = 1e9;
  for (int repetition = 0; repetition < 5; ++repetition) {
    lost_seconds = std::min(lost_seconds, seconds_of([&] { (void)run_bare_loop(text, false); }));
    bare_seconds = std::min(bare_seconds, seconds_of([&] { (void)run_bare_loop(text, true); }));
    parser_seconds = std::min(parser_seconds, seconds_of([&] { (void)run_parser(path); }));
  }
  const double megabytes = static_cast<double>(text.size()) / 1e6;
  report.section("Parsing (best of 5; MB of text a second)");
  report.add({"bare loop, arcs lost", {{"MB/s", megabytes / lost_seconds}}});
  report.add({"bare loop, arcs kept",
              {{"MB/s", megabytes / bare_seconds}, {"of the other", lost_seconds / bare_seconds}}});
  report.add(
      {"parser",
       {{"MB/s", megabytes / parser_seconds}, {"of arcs kept", bare_seconds / parser_seconds}}});
  // The harder of the two comparisons: this loop stores nothing that lasts.
  report.require_at_least("parser, of the loop that loses arcs", lost_seconds / parser_seconds,
                          0.8);
}

void time_import(const fs::path& edges,
                 const fs::path& out,
                 std::int64_t num_edges,
                 bench::Report& report) {
  weft::datasets::ImportOptions options;
  options.source = edges;
  options.direction = weft::datasets::Direction::undirected;
  weft::datasets::ImportReport imported;
  bench::MemoryWatch watch;
  const weft::Stopwatch stopwatch;
  double read_seconds = 0.0;
  {
    const auto dataset = weft::datasets::import_dataset(options, imported);
    read_seconds = stopwatch.seconds();
    weft::datasets::write_dataset(dataset, out);
  }
  const double seconds = stopwatch.seconds();
  const auto peak_bytes = static_cast<double>(watch.stop());
  const auto dataset = weft::datasets::open_dataset(out);
  if (dataset.graph.num_edges() != 2 * num_edges) {
    throw weft::RuntimeError("the dataset does not have the edges that were written");
  }
  const auto csr_bytes =
      static_cast<double>(4 * dataset.graph.num_edges() + 8 * dataset.num_vertices);
  const double megabytes = static_cast<double>(fs::file_size(edges)) / 1e6;
  report.section("Import, undirected");
  report.add({"edge list to folder",
              {{"edges", static_cast<double>(num_edges)},
               {"MB of text", megabytes},
               {"read and build, s", read_seconds},
               {"write, s", seconds - read_seconds}}});
  report.require_at_least("whole import, MB/s on 2 CPUs", megabytes / seconds, 160);
  report.require_at_most("peak of anonymous memory / CSR", peak_bytes / csr_bytes, 2.5);
}

/// The folder of the run, gone with it.
class Workplace {
 public:
  Workplace() : path_(fs::temp_directory_path() / weft::text("weft-import-bench-", ::getpid())) {
    fs::create_directories(path_);
  }
  ~Workplace() { fs::remove_all(path_); }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void run_all(const bench::Options& settings, bench::Report& report) {
  bench::report_roofs(settings, report);
  const std::int64_t num_edges = settings.quick ? 1000000 : 64000000;
  const std::int64_t num_vertices = num_edges / 16;
  const Workplace workplace;
  const fs::path edges = workplace.path() / "edges.txt";
  write_edges(edges, num_edges, num_vertices);
  compare_parsers(edges, num_edges, num_vertices, report);
  time_import(edges, workplace.path() / "out", num_edges, report);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_benchmark("import_bench", argc, argv, run_all);
}
