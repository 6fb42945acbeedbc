// SPDX-License-Identifier: MIT
#include "datasets/text_folder.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "datasets/npy.hpp"
#include "graph/support/error.hpp"
#include "graph/support/files.hpp"
#include "graph/support/text.hpp"

namespace weft::datasets {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 20;
constexpr std::size_t longest_line = 96;  // two ids and a weight
constexpr std::int64_t rows_between_reports = 1 << 16;

/// Appends numbers to a file through a buffer.
class NumberWriter {
 public:
  explicit NumberWriter(AtomicFile& file) : file_(file) { buffer_.resize(buffer_bytes); }

  /// Makes room for a line.
  void begin_line() {
    if (used_ + longest_line > buffer_.size()) flush();
  }

  template <typename Number>
  void number(Number value, char after) {
    char* const end = buffer_.data() + buffer_.size();
    used_ = static_cast<std::size_t>(std::to_chars(buffer_.data() + used_, end, value).ptr -
                                     buffer_.data());
    buffer_[used_++] = after;
  }

  void flush() {
    file_.write(std::string_view(buffer_.data(), used_));
    used_ = 0;
  }

 private:
  AtomicFile& file_;
  std::string buffer_;
  std::size_t used_ = 0;
};

/// Number of lines: each edge once if undirected, a loop too.
std::int64_t count_lines(const Dataset& dataset) {
  const graph::CsrView& graph = dataset.graph;
  if (dataset.directed) return graph.num_edges();
  std::int64_t loops = 0;
  for (std::int64_t v = 0; v < graph.num_vertices(); ++v) {
    const auto row = graph.neighbors(v);
    loops += std::binary_search(row.begin(), row.end(), static_cast<std::int32_t>(v)) ? 1 : 0;
  }
  return (graph.num_edges() + loops) / 2;
}

/// Lines of row v. Rows are destinations; an undirected edge is written from its smaller end, and
/// that end's row has it too.
void write_row(const Dataset& dataset, std::int64_t v, NumberWriter& writer) {
  const graph::CsrView& graph = dataset.graph;
  const auto row = static_cast<std::size_t>(v);
  for (EdgeOffset e = graph.row_ptr[row]; e < graph.row_ptr[row + 1]; ++e) {
    std::int64_t from = graph.col_idx[static_cast<std::size_t>(e)];
    std::int64_t to = v;
    if (!dataset.directed) {
      if (from < v) continue;
      std::swap(from, to);
    }
    writer.begin_line();
    writer.number(from, '\t');
    writer.number(to, graph.is_weighted() ? '\t' : '\n');
    if (graph.is_weighted()) writer.number(graph.weight(e), '\n');
  }
}

void write_labels_text(const Dataset& dataset, const std::filesystem::path& path) {
  AtomicFile file(path);
  NumberWriter writer(file);
  for (const std::int32_t label : dataset.labels) {
    writer.begin_line();
    writer.number(label, '\n');
  }
  writer.flush();
  file.commit();
}

/// A line a vertex, a column a split.
void write_splits_text(const Dataset& dataset, const std::filesystem::path& path) {
  AtomicFile file(path);
  file.write(
      text("# one row a vertex, one column a split; 0 train, 1 validation, 2 test, -1 none\n"
           "# columns: ",
           join(dataset.split_names, " "), '\n'));
  NumberWriter writer(file);
  const std::size_t num_splits = dataset.split_names.size();
  const auto num_vertices = static_cast<std::size_t>(dataset.num_vertices);
  for (std::size_t v = 0; v < num_vertices; ++v) {
    for (std::size_t split = 0; split < num_splits; ++split) {
      writer.begin_line();
      writer.number(static_cast<int>(dataset.splits[split * num_vertices + v]),
                    split + 1 < num_splits ? ' ' : '\n');
    }
  }
  writer.flush();
  file.commit();
}

std::vector<float> dense_rows(const FeatureView& features) {
  const auto width = static_cast<std::size_t>(features.num_columns);
  std::vector<float> dense(static_cast<std::size_t>(features.num_rows) * width);
  for (std::size_t row = 0; row < static_cast<std::size_t>(features.num_rows); ++row) {
    for (auto e = static_cast<std::size_t>(features.row_ptr[row]);
         e < static_cast<std::size_t>(features.row_ptr[row + 1]); ++e) {
      dense[row * width + static_cast<std::size_t>(features.col_idx[e])] = features.values[e];
    }
  }
  return dense;
}

void write_features(const FeatureView& features, const std::filesystem::path& path) {
  const std::vector<std::int64_t> shape{features.num_rows, features.num_columns};
  if (features.is_sparse()) {
    const std::vector<float> dense = dense_rows(features);
    write_npy<float>(path, dense, shape);
  } else {
    write_npy<float>(path, features.dense, shape);
  }
}

}  // namespace

void write_edges_text(const Dataset& dataset,
                      const std::filesystem::path& path,
                      const ProgressCallback& progress) {
  AtomicFile file(path);
  file.write(text("# ", dataset.name, ": ",
                  dataset.directed ? "directed" : "undirected, each edge once, smaller id first",
                  "\n# Nodes: ", dataset.num_vertices, " Edges: ", count_lines(dataset),
                  "\n# FromNodeId\tToNodeId", dataset.graph.is_weighted() ? "\tWeight\n" : "\n"));
  NumberWriter writer(file);
  for (std::int64_t v = 0; v < dataset.num_vertices; ++v) {
    write_row(dataset, v, writer);
    if (v % rows_between_reports == 0) {
      report_progress(progress, "write edges as text",
                      static_cast<double>(v) / static_cast<double>(dataset.num_vertices));
    }
  }
  writer.flush();
  file.commit();
  report_progress(progress, "write edges as text", 1.0);
}

void write_text_folder(const Dataset& dataset,
                       const std::filesystem::path& folder,
                       const ProgressCallback& progress) {
  if (dataset.task != Task::single_label && dataset.task != Task::none) {
    throw InputError(text("text folder: dataset ", dataset.name,
                          " has several labels a vertex, expected one class or none"));
  }
  AtomicFolder target(folder);
  write_edges_text(dataset, target.path() / "edges.txt", progress);
  if (!dataset.features.empty()) write_features(dataset.features, target.path() / "features.npy");
  if (!dataset.labels.empty()) write_labels_text(dataset, target.path() / "labels.txt");
  if (!dataset.split_names.empty()) write_splits_text(dataset, target.path() / "split.txt");
  target.commit();
}

}  // namespace weft::datasets
