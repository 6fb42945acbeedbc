// SPDX-License-Identifier: MIT
// From an edge list file to numbered arcs: decide the form, parse, number the ids.
#include "datasets/edge_list_reader.hpp"

#include <algorithm>
#include <numeric>

#include "datasets/input_problems.hpp"
#include "datasets/matrix_market.hpp"
#include "graph/parallel.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "graph/support/types.hpp"

namespace weft::datasets {

namespace {

constexpr const char* dataset_limit =
    "is not below 2,147,483,647, the largest number of vertices of a dataset";

/// Reads one text file; the stages share what is known of it.
class TextEdgeReader {
 public:
  TextEdgeReader(const std::filesystem::path& path,
                 TextSource& source,
                 const EdgeListOptions& options,
                 const ProgressCallback& progress)
      : path_(path), source_(source), options_(options), progress_(progress) {}

  EdgeListInput read(FileFormat format, Preamble preamble) {
    preamble_ = std::move(preamble);
    ColumnOptions columns = options_.columns;
    columns.string_ids = options_.ids == IdMode::string;
    format_ = decide_columns(source_, preamble_, format, columns, input_.notes);
    format_.allow_negative_weights = options_.allow_negative_weights;
    const IdRule rule = rule_of_options();
    const auto parse = [&](std::string_view chunk_text, EdgeChunk<graph::Arc>& chunk) {
      parse_edge_lines(chunk_text, format_, rule, chunk);
    };
    auto all = collect_edges<graph::Arc>(source_, preamble_.counts, parse, progress_);
    if (all.too_wide) return read_wide(rule);
    take(std::move(all.arcs), std::move(all.weights), all.counts);
    if (rule.collects_strings) {
      number_strings(std::move(all.names));
    } else if (rule.collects_numbers) {
      number_collected();
    } else {
      number_by_rule(rule);
    }
    check_header_edges();
    return std::move(input_);
  }

  /// The result for a file without an edge.
  EdgeListInput read_nothing(Preamble preamble) {
    preamble_ = std::move(preamble);
    const auto known = known_count();
    if (source_.file_bytes() == 0 && !known) throw InputError(text(source_.name(), ": is empty"));
    if (!known) {
      fail_at_line(source_.name(), preamble_.counts.lines,
                   "the file ends and has no edge; --nodes N says how many vertices there are");
    }
    take({}, {}, preamble_.counts);
    input_.edges.num_vertices = known->count;
    input_.ids = IdMap::consecutive(known->count);
    input_.warnings.push_back(text(source_.name(), ": has no edge"));
    return std::move(input_);
  }

 private:
  /// The number of vertices by the options, else by "# Nodes: N".
  [[nodiscard]] std::optional<VertexCount> known_count() const {
    if (options_.num_vertices) return options_.num_vertices;
    if (!preamble_.header_nodes) return std::nullopt;
    return VertexCount{*preamble_.header_nodes, "by the header of the file"};
  }

  [[nodiscard]] IdRule rule_of_options() const {
    IdRule rule;
    const bool is_lookup = options_.known_ids != nullptr && options_.ids != IdMode::contiguous &&
                           options_.ids != IdMode::one_based;
    if (is_lookup) {
      rule.known = options_.known_ids;
    } else if (options_.ids == IdMode::string) {
      rule.collects_strings = true;
    } else if (options_.ids == IdMode::sparse ||
               (options_.ids == IdMode::automatic && !options_.num_vertices)) {
      rule.collects_numbers = true;
    } else {
      set_range(rule);
    }
    return rule;
  }

  void set_range(IdRule& rule) const {
    const auto known = known_count();
    const std::int64_t count = known ? known->count : max_local_vertices;
    const bool is_one_based = options_.ids == IdMode::one_based;
    rule.low = is_one_based ? 1 : 0;
    rule.high = static_cast<std::uint64_t>(count) + rule.low;
    if (is_one_based) {
      rule.limit = text("is not in 1 to ", count, known ? text(" (", known->source, ")") : "",
                        ", as --ids one_based expects");
    } else if (known) {
      rule.limit = text("is not below ", count, ", the number of vertices (", known->source,
                        "); ids that are no row numbers need --ids sparse, one_based or string");
    } else {
      rule.limit = text(dataset_limit, "; --ids sparse relabels ids that have gaps");
    }
  }

  void take(std::vector<graph::Arc>&& arcs,
            std::vector<float>&& weights,
            const LineCounts& counts) {
    input_.edges.arcs = std::move(arcs);
    input_.edges.weights = std::move(weights);
    input_.counts = counts;
  }

  /// Reads the file again with 64-bit ids.
  EdgeListInput read_wide(const IdRule& rule) {
    TextSource again(path_, options_.max_decompressed_bytes);
    skip_lines(again, preamble_.counts.lines);
    const auto parse = [&](std::string_view chunk_text, EdgeChunk<WideArc>& chunk) {
      parse_edge_lines(chunk_text, format_, rule, chunk);
    };
    auto all = collect_edges<WideArc>(again, preamble_.counts, parse, progress_);
    std::vector<graph::Arc> arcs;
    std::vector<std::int64_t> ids = compact_ids(std::move(all.arcs), arcs);
    take(std::move(arcs), std::move(all.weights), all.counts);
    finish_relabelled(std::move(ids));
    check_header_edges();
    return std::move(input_);
  }

  /// Ids 0..N-1 or 1..N with N known, or bounded by the largest that occurs.
  void number_by_rule(const IdRule& rule) {
    std::int64_t count = 0;
    if (rule.known != nullptr) {
      count = rule.known->size();
    } else if (const auto known = known_count()) {
      count = known->count;
    } else {
      count = largest_id(input_.edges.arcs) + 1;
    }
    input_.edges.num_vertices = count;
    input_.ids = IdMap::consecutive(count, static_cast<std::int64_t>(rule.low));
  }

  /// Numbers of an unknown range: as they are where the header or their having no gap allows it.
  void number_collected() {
    const auto& header_nodes = preamble_.header_nodes;
    const bool is_automatic = options_.ids == IdMode::automatic;
    if (is_automatic && header_nodes && is_plausible(*header_nodes) &&
        largest_id(input_.edges.arcs) < *header_nodes) {
      input_.notes.push_back(text(source_.name(), ": ids are taken as they are: all are below ",
                                  *header_nodes, ", the number of nodes in its header"));
      finish_consecutive(*header_nodes);
      return;
    }
    std::vector<std::int64_t> ids = compact_ids(input_.edges.arcs);
    if (is_automatic && is_consecutive_from_zero(ids)) {
      const auto count = static_cast<std::int64_t>(ids.size());
      input_.notes.push_back(
          text(source_.name(), ": ids are taken as they are: 0 to ", count - 1, " without a gap"));
      finish_consecutive(count);
      return;
    }
    finish_relabelled(std::move(ids));
  }

  /// A header is believed up to a share of isolated vertices; one with a digit too many would cost
  /// memory without end.
  [[nodiscard]] bool is_plausible(std::int64_t header_nodes) const {
    constexpr std::int64_t vertices_per_arc = 100;
    return header_nodes <= max_local_vertices &&
           header_nodes / vertices_per_arc <= std::ssize(input_.edges.arcs);
  }

  void finish_consecutive(std::int64_t count) {
    input_.edges.num_vertices = count;
    input_.ids = IdMap::consecutive(count);
  }

  void finish_relabelled(std::vector<std::int64_t>&& ids) {
    const auto count = static_cast<std::int64_t>(ids.size());
    check_distinct(count);
    if (!ids.empty()) {
      input_.notes.push_back(text(
          source_.name(), ": ", format_count(count), " ids from ", ids.front(), " to ", ids.back(),
          " are relabelled 0 to ", count - 1, " in rising order; the map is node_ids.npy",
          options_.ids == IdMode::automatic
              ? " (--ids contiguous keeps them, with gaps as isolated vertices)"
              : ""));
    }
    if (preamble_.header_nodes && *preamble_.header_nodes != count) {
      input_.warnings.push_back(text(source_.name(), ": the header says ", *preamble_.header_nodes,
                                     " nodes, the edges name ", count));
    }
    input_.edges.num_vertices = count;
    input_.ids = IdMap(std::move(ids));
  }

  /// Names in order of appearance become vertices in order of their bytes.
  void number_strings(std::vector<std::string>&& names) {
    check_distinct(static_cast<std::int64_t>(names.size()));
    std::vector<std::int32_t> order(names.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&names](std::int32_t a, std::int32_t b) {
      return names[static_cast<std::size_t>(a)] < names[static_cast<std::size_t>(b)];
    });
    std::vector<std::int32_t> vertex_of(names.size());
    std::vector<std::string> sorted(names.size());
    for (std::size_t vertex = 0; vertex < order.size(); ++vertex) {
      const auto position = static_cast<std::size_t>(order[vertex]);
      vertex_of[position] = static_cast<std::int32_t>(vertex);
      sorted[vertex] = std::move(names[position]);
    }
    for (graph::Arc& arc : input_.edges.arcs) {
      arc = {vertex_of[static_cast<std::size_t>(arc.source)],
             vertex_of[static_cast<std::size_t>(arc.destination)]};
    }
    input_.notes.push_back(text(source_.name(), ": ", format_count(std::ssize(sorted)),
                                " names are numbered in order of their bytes; the map is "
                                "node_ids.txt"));
    input_.edges.num_vertices = std::ssize(sorted);
    input_.ids = IdMap(std::move(sorted));
  }

  /// With sparse or string ids, side files have a row for each id that occurs, in sorted order.
  void check_distinct(std::int64_t count) const {
    if (!options_.num_vertices || options_.num_vertices->count == count) return;
    throw InputError(text(source_.name(), ": ", count, " different ids, but ",
                          options_.num_vertices->count, " vertices (",
                          options_.num_vertices->source,
                          "); which row belongs to which id must be said: --node-ids FILE"));
  }

  void check_header_edges() {
    const auto& said = preamble_.header_edges;
    const auto found = static_cast<std::int64_t>(input_.edges.arcs.size());
    if (said && *said != found) {
      input_.warnings.push_back(text(source_.name(), ": the header says ", *said,
                                     " edges, the file has ", found, " lines with data"));
    }
  }

  const std::filesystem::path& path_;
  TextSource& source_;
  const EdgeListOptions& options_;
  const ProgressCallback& progress_;
  Preamble preamble_;
  EdgeLineFormat format_;
  EdgeListInput input_;
};

EdgeListInput read_matrix(TextSource& source,
                          const EdgeListOptions& options,
                          const ProgressCallback& progress) {
  const MatrixHeader header = take_matrix_header(source);
  const std::int64_t line = header.counts.lines;
  if (header.is_array) {
    fail_at_line(source.name(), 1, "a dense array, expected coordinates of edges");
  }
  if (header.num_rows != header.num_columns) {
    fail_at_line(source.name(), line,
                 text(header.num_rows, " rows and ", header.num_columns,
                      " columns, but the matrix of a graph is square"));
  }
  if (options.num_vertices && options.num_vertices->count != header.num_rows) {
    fail_at_line(source.name(), line,
                 text(header.num_rows, " rows, expected ", options.num_vertices->count, " (",
                      options.num_vertices->source, ")"));
  }
  if (options.ids == IdMode::sparse || options.ids == IdMode::string) {
    throw InputError(text(source.name(),
                          ": rows of a MatrixMarket file are vertices 1 to N; --ids sparse and "
                          "string do not apply"));
  }
  if (options.columns.weights == Choice::yes && header.field == MatrixHeader::Field::pattern) {
    fail_at_line(source.name(), 1, "a pattern has no values, but --weights yes expects weights");
  }
  const MatrixEntryOptions entry_options{options.allow_negative_weights,
                                         options.columns.weights == Choice::no};
  auto all = read_matrix_entries(source, header, entry_options, progress);
  EdgeListInput input;
  input.edges = {header.num_rows, std::move(all.arcs), std::move(all.weights)};
  input.ids = IdMap::consecutive(header.num_rows);
  input.counts = all.counts;
  const bool is_skew = header.symmetry == MatrixHeader::Symmetry::skew;
  input.needs_reverse_arcs = header.symmetry == MatrixHeader::Symmetry::symmetric ||
                             (is_skew && input.edges.weights.empty());
  input.form = "MatrixMarket";
  if (header.num_entries == 0) input.warnings.push_back(source.name() + ": has no edge");
  return input;
}

const char* format_name(FileFormat format) {
  if (format == FileFormat::csv) return "CSV";
  return format == FileFormat::tsv ? "TSV" : "SNAP";
}

}  // namespace

EdgeListInput read_edge_list(const std::filesystem::path& path,
                             const EdgeListOptions& options,
                             const ProgressCallback& progress) {
  TextSource source(path, options.max_decompressed_bytes);
  EdgeListInput input;
  FileFormat format = options.format;
  if (format == FileFormat::automatic && has_matrix_banner(source)) format = FileFormat::mtx;
  Preamble preamble;
  if (format != FileFormat::mtx) preamble = take_preamble(source);
  if (format == FileFormat::automatic) {
    format = guess_format(path.filename().string(), preamble.first_line);
  }
  if (format == FileFormat::mtx) {
    input = read_matrix(source, options, progress);
  } else {
    TextEdgeReader reader(path, source, options, progress);
    input = preamble.first_line.empty() ? reader.read_nothing(std::move(preamble))
                                        : reader.read(format, std::move(preamble));
    input.form = format_name(format);
  }
  input.form += text(", ", encoding_name(source.encoding()));
  return input;
}

}  // namespace weft::datasets
