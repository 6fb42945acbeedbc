// SPDX-License-Identifier: MIT
// How fast an edge list becomes a dataset folder, and in how much memory. Verifies before it times.
//
//   import_bench [edges = 4194304] [vertices = edges / 16] [folder = the temporary one]
//
// Compares the parser with a bare loop over the digits of the same mapping on the same threads, and
// times the whole import, folder written and synced.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
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

namespace {

namespace fs = std::filesystem;
using weft::graph::Arc;

/// Edges that never repeat, in either direction, in an order without locality.
Arc edge_at(std::int64_t index, std::int64_t num_vertices) {
  const std::int64_t round = index / num_vertices;
  const std::int64_t from = index * 1000003 % num_vertices;
  const std::int64_t to = (from + round * round * 977 + 1) % num_vertices;
  return {static_cast<std::int32_t>(from), static_cast<std::int32_t>(to)};
}

void write_edges(const fs::path& path, std::int64_t num_edges, std::int64_t num_vertices) {
  weft::AtomicFile file(path);
  std::string lines = weft::text("# Nodes: ", num_vertices, " Edges: ", num_edges, "\n");
  for (std::int64_t i = 0; i < num_edges; ++i) {
    const Arc arc = edge_at(i, num_vertices);
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

bool compare_parsers(const fs::path& path, std::int64_t num_edges, std::int64_t num_vertices) {
  const weft::MappedFile file(path);
  const std::string_view text = file.text().substr(file.text().find('\n') + 1);
  const auto parsed = run_parser(path);
  bool is_right = static_cast<std::int64_t>(parsed.arcs.size()) == num_edges;
  for (std::int64_t i = 0; is_right && i < num_edges; ++i) {
    is_right = parsed.arcs[static_cast<std::size_t>(i)] == edge_at(i, num_vertices);
  }
  if (!is_right || run_bare_loop(text, true) != num_edges) return false;
  double lost_seconds = 1e9;
  double bare_seconds = 1e9;
  double parser_seconds = 1e9;
  for (int repetition = 0; repetition < 5; ++repetition) {
    lost_seconds = std::min(lost_seconds, seconds_of([&] { (void)run_bare_loop(text, false); }));
    bare_seconds = std::min(bare_seconds, seconds_of([&] { (void)run_bare_loop(text, true); }));
    parser_seconds = std::min(parser_seconds, seconds_of([&] { (void)run_parser(path); }));
  }
  const double megabytes = static_cast<double>(text.size()) / 1e6;
  std::printf(
      "parse: bare loop %.0f MB/s (arcs lost: %.0f MB/s), parser %.0f MB/s, ratio %.2f (floor "
      "0.80; arcs lost: %.2f)\n",
      megabytes / bare_seconds, megabytes / lost_seconds, megabytes / parser_seconds,
      bare_seconds / parser_seconds, lost_seconds / parser_seconds);
  return true;
}

/// Watches anonymous memory from a thread of its own while it lives.
class MemoryWatch {
 public:
  MemoryWatch() : thread_([this] { watch(); }) {}
  ~MemoryWatch() { stop(); }
  MemoryWatch(const MemoryWatch&) = delete;
  MemoryWatch& operator=(const MemoryWatch&) = delete;

  std::int64_t stop() {
    done_ = true;
    if (thread_.joinable()) thread_.join();
    return peak_bytes_;
  }

 private:
  void watch() {
    while (!done_) {
      peak_bytes_ = std::max(peak_bytes_, weft::anonymous_rss_bytes());
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }

  std::atomic<bool> done_ = false;
  std::int64_t peak_bytes_ = 0;
  std::thread thread_;
};

bool time_import(const fs::path& edges, const fs::path& out, std::int64_t num_edges) {
  weft::datasets::ImportOptions options;
  options.source = edges;
  options.direction = weft::datasets::Direction::undirected;
  weft::datasets::ImportReport report;
  MemoryWatch watch;
  const weft::Stopwatch stopwatch;
  double read_seconds = 0.0;
  {
    const auto dataset = weft::datasets::import_dataset(options, report);
    read_seconds = stopwatch.seconds();
    weft::datasets::write_dataset(dataset, out);
  }
  const double seconds = stopwatch.seconds();
  const std::int64_t peak_bytes = watch.stop();
  const auto dataset = weft::datasets::open_dataset(out);
  if (dataset.graph.num_edges() != 2 * num_edges) return false;
  const std::int64_t csr_bytes = 4 * dataset.graph.num_edges() + 8 * dataset.num_vertices;
  const double megabytes = static_cast<double>(fs::file_size(edges)) / 1e6;
  std::printf(
      "import: %s edges, %.0f MB of text in %.2f s (read and build %.2f s, write %.2f s): %.0f "
      "MB/s (floor 160 on 2 CPUs)\n",
      weft::format_count(num_edges).c_str(), megabytes, seconds, read_seconds,
      seconds - read_seconds, megabytes / seconds);
  std::printf("memory: peak of anonymous pages %s = %.2f x CSR (%s; ceiling 2.5)\n",
              weft::format_bytes(peak_bytes).c_str(),
              static_cast<double>(peak_bytes) / static_cast<double>(csr_bytes),
              weft::format_bytes(csr_bytes).c_str());
  return true;
}

int run(const fs::path& folder, std::int64_t num_edges, std::int64_t num_vertices) {
  const fs::path edges = folder / "edges.txt";
  write_edges(edges, num_edges, num_vertices);
  if (!compare_parsers(edges, num_edges, num_vertices)) {
    std::puts("import_bench: a parser does not give the edges that were written");
    return 1;
  }
  if (!time_import(edges, folder / "out", num_edges)) {
    std::puts("import_bench: the dataset does not have the edges that were written");
    return 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t num_edges = argc > 1 ? std::atoll(argv[1]) : std::int64_t{1} << 22;
  const std::int64_t num_vertices =
      argc > 2 ? std::atoll(argv[2]) : std::max<std::int64_t>(num_edges / 16, 2);
  const fs::path parent = argc > 3 ? fs::path(argv[3]) : fs::temp_directory_path();
  const fs::path folder = parent / weft::text("weft-import-bench-", ::getpid());
  fs::create_directories(folder);
  int status = 1;
  try {
    status = run(folder, num_edges, num_vertices);
  } catch (const weft::Error& error) {
    std::printf("import_bench: %s\n", error.what());
  }
  fs::remove_all(folder);
  return status;
}
