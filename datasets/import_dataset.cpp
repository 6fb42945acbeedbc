// SPDX-License-Identifier: MIT
// The stages of an import: side files first, for they say how many vertices there are; then the
// edges; then what needs both; then the graph.
#include "datasets/import_dataset.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <utility>

#include "datasets/feature_reader.hpp"
#include "datasets/import_checks.hpp"
#include "datasets/label_reader.hpp"
#include "datasets/node_id_reader.hpp"
#include "datasets/split_reader.hpp"
#include "graph/support/error.hpp"
#include "graph/support/process.hpp"
#include "graph/support/text.hpp"
#include "graph/transforms.hpp"

namespace weft::datasets {

namespace {

/// `edges.txt.gz` -> `edges`; of a folder its name.
std::string name_of_source(const std::filesystem::path& source) {
  const std::filesystem::path plain = source.lexically_normal();
  const std::string file =
      (plain.has_filename() ? plain.filename() : plain.parent_path().filename()).string();
  return std::filesystem::is_directory(source) ? file : file.substr(0, file.find('.', 1));
}

/// Sums of repeats are weights, so without weights one of them counts.
graph::Repeats repeats_of(const ImportOptions& options) {
  const bool refuses_weights = options.edges.columns.weights == Choice::no;
  const auto by_default = refuses_weights ? graph::Repeats::keep_one : graph::Repeats::sum;
  const graph::Repeats repeats = options.repeats.value_or(by_default);
  if (refuses_weights && repeats == graph::Repeats::sum) {
    throw InputError(
        "--weights no and --repeats sum contradict each other: repeated arcs that are added up "
        "have weights; leave one of the options away");
  }
  return repeats;
}

class Importer {
 public:
  Importer(const ImportOptions& options, ImportReport& report, const ProgressCallback& progress)
      : options_(options), files_(options.files), report_(report), progress_(progress) {}

  Dataset run() {
    find_files();
    read_side_files();
    EdgeListInput input = read_edges();
    read_labels_by_id();
    check_labels();
    build_graph(std::move(input));
    dataset_.name = options_.name.empty() ? name_of_source(options_.source) : options_.name;
    dataset_.provenance = provenance();
    return std::move(dataset_);
  }

 private:
  void note(std::string line) { report_.notes.push_back(std::move(line)); }
  void warn(std::string line) { report_.warnings.push_back(std::move(line)); }
  [[nodiscard]] std::int64_t max_bytes() const { return options_.edges.max_decompressed_bytes; }

  void find_files() {
    repeats_ = repeats_of(options_);
    ids_ = options_.edges.ids;
    task_ = options_.task.value_or(Task::single_label);
    files_.edges = options_.source;
    if (!std::filesystem::is_directory(options_.source)) return;
    FoundFiles found = find_source_files(options_.source);
    for (std::string& line : found.notes)
      note(std::move(line));
    if (files_.labels.empty() && found.has_many_labels && !options_.task) {
      task_ = Task::multi_label;
    }
    complete(files_, found.files);
    const bool is_row_number = options_.files.node_ids.empty() && !files_.node_ids.empty();
    if (is_row_number && ids_ == IdMode::automatic) {
      ids_ = IdMode::contiguous;
      note(text(files_.edges.string(), ": its ids are read as row numbers, ",
                files_.node_ids.string(), " as the ids of the rows"));
    }
  }

  void read_side_files() {
    if (files_.labels.empty() && (options_.task || options_.labels_by_id)) {
      throw InputError(text(options_.task ? "--task" : "--labels-by id",
                            " says what the labels are, but there are none; add --labels FILE"));
    }
    if (options_.num_vertices) {
      learn_vertex_count(known_, {*options_.num_vertices, "--nodes"});
    }
    if (!files_.node_ids.empty()) read_ids();
    if (!files_.features.empty()) {
      report_progress(progress_, "reading features", 0.0);
      dataset_.features = read_features(files_.features, max_bytes(), dataset_, report_.notes);
      learn_vertex_count(known_,
                         {dataset_.features.num_rows, text("rows of ", files_.features.string())});
    }
    if (!files_.labels.empty() && !options_.labels_by_id) read_labels_of(nullptr);
    if (!files_.splits.empty()) {
      splits_ = read_splits(files_.splits, known_, max_bytes());
      learn_vertex_count(known_, {splits_.num_rows, text("rows of ", files_.splits.string())});
    }
  }

  void read_ids() {
    std::optional<bool> strings;
    if (ids_ == IdMode::string) strings = true;
    if (ids_ == IdMode::automatic || ids_ == IdMode::sparse) strings = false;
    known_ids_ = read_node_ids(files_.node_ids, strings, known_, max_bytes());
    learn_vertex_count(known_, {known_ids_->size(), text("ids of ", files_.node_ids.string())});
  }

  void read_labels_of(const IdMap* ids) {
    const LabelOptions options{task_, ids, known_, max_bytes()};
    labels_ = read_labels(files_.labels, options);
    for (std::string& line : labels_.notes)
      note(std::move(line));
    learn_vertex_count(
        known_, {labels_.num_rows, text("rows of ", files_.labels.string(), labels_.count_hint)});
    dataset_.task = task_;
    dataset_.num_classes = labels_.num_classes;
    dataset_.class_names = labels_.class_names;
  }

  EdgeListInput read_edges() {
    EdgeListOptions options = options_.edges;
    options.ids = ids_;
    options.num_vertices = known_;
    options.known_ids = known_ids_ ? &*known_ids_ : nullptr;
    EdgeListInput input = read_edge_list(files_.edges, options, progress_);
    const bool has_label_rows = !files_.labels.empty() && !options_.labels_by_id;
    const bool has_rows = !files_.features.empty() || has_label_rows || !files_.splits.empty();
    if (has_rows && !known_ids_ && (ids_ == IdMode::sparse || ids_ == IdMode::string)) {
      note(
          "rows of features, labels and splits belong to the ids in rising order; --node-ids FILE "
          "gives the id of each row");
    }
    report_.form = input.form;
    report_.lines = input.counts;
    for (std::string& line : input.notes)
      note(std::move(line));
    for (std::string& line : input.warnings)
      warn(std::move(line));
    if (!known_ids_) known_ids_ = std::move(input.ids);
    learn_vertex_count(known_, {input.edges.num_vertices, text("ids of ", files_.edges.string())});
    return input;
  }

  void read_labels_by_id() {
    if (!files_.labels.empty() && options_.labels_by_id) read_labels_of(&*known_ids_);
  }

  void check_labels() {
    const LabelledSplits all{labels_, splits_, task_, files_.labels, files_.splits, max_bytes()};
    if (!files_.labels.empty() && !options_.labels_by_id) refuse_ids_as_classes(all, *known_ids_);
    if (!files_.labels.empty()) check_classes(all, report_.warnings);
    if (!files_.labels.empty() && !files_.splits.empty()) check_splits(all, report_.warnings);
    dataset_.split_names = splits_.names;
    dataset_.splits = keep(dataset_, std::move(splits_.codes));
    dataset_.labels = keep(dataset_, std::move(labels_.labels));
    dataset_.multi_labels = keep(dataset_, std::move(labels_.multi_labels));
    dataset_.targets = keep(dataset_, std::move(labels_.targets));
  }

  void build_graph(EdgeListInput&& input) {
    graph::BuildOptions build;
    build.add_reverse_arcs =
        options_.direction == Direction::undirected || input.needs_reverse_arcs;
    build.repeats = repeats_;
    build.loops = options_.loops;
    const bool has_weights = !input.edges.weights.empty();
    auto graph = std::make_shared<const graph::CsrGraph>(
        graph::build_csr(std::move(input.edges), build, &report_.build, progress_));
    note_repeats(has_weights);
    dataset_.num_vertices = known_->count;
    dataset_.graph = graph->view();
    dataset_.storage.push_back(graph);
    dataset_.directed = !build.add_reverse_arcs && !graph::is_symmetric(dataset_.graph);
    if (options_.direction == Direction::as_written && !input.needs_reverse_arcs) {
      note_direction();
    }
    dataset_.node_ids.numbers = keep(dataset_, known_ids_->take_numbers());
    dataset_.node_ids.strings = known_ids_->take_strings();
  }

  void note_repeats(bool has_weights) {
    const std::int64_t count = report_.build.repeated_arcs;
    if (options_.repeats || count == 0) return;
    const std::string arcs =
        text(format_count(count), count == 1 ? " repeated arc" : " repeated arcs");
    const std::string sums = count == 1 ? ": its weight is added" : ": their weights are added up";
    if (repeats_ == graph::Repeats::keep_one) {
      note(text(arcs, ": one of each is kept, as --weights no says"));
    } else if (has_weights) {
      note(text(arcs, sums, "; --repeats keep-one keeps the first of each"));
    } else {
      note(text(arcs, sums, " (each counts 1), so the graph is weighted; --repeats keep-one keeps ",
                "one of each"));
    }
  }

  void note_direction() {
    if (!dataset_.directed || report_.build.arcs_read == 0) return;
    if (report_.build.one_way_arcs == 0) {
      note(
          "every arc has its reverse, but not with the same weight; --undirected gives both the "
          "larger one, --directed says that this is meant");
      return;
    }
    note(
        text(reciprocal_share(dataset_.graph, report_.build),
             " of arcs have their reverse; they are kept as written: --undirected adds the missing "
             "ones, --directed says that this is meant"));
  }

  [[nodiscard]] std::string provenance() const {
    const graph::BuildReport& build = report_.build;
    return text(options_.how.empty() ? "import_dataset" : options_.how, "; ", files_.edges.string(),
                " (", report_.form, "): ", report_.lines.lines, " lines, ", build.arcs_read,
                " arcs read, ", build.self_loops, " loops, ", build.repeated_arcs, " repeats, ",
                build.one_way_arcs, " without reverse, ", build.isolated_vertices,
                " isolated vertices, ", build.num_edges, " arcs kept");
  }

  const ImportOptions& options_;
  SourceFiles files_;
  ImportReport& report_;
  const ProgressCallback& progress_;
  IdMode ids_ = IdMode::automatic;
  Task task_ = Task::none;
  graph::Repeats repeats_ = graph::Repeats::sum;
  std::optional<VertexCount> known_;
  std::optional<IdMap> known_ids_;
  LabelInput labels_;
  SplitInput splits_;
  Dataset dataset_;
};

}  // namespace

Dataset import_dataset(const ImportOptions& options,
                       ImportReport& report,
                       const ProgressCallback& progress) {
  const int num_threads = options.num_threads > 0 ? options.num_threads : usable_cpus();
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(num_threads));
  tbb::task_arena arena(num_threads);
  return arena.execute([&] { return Importer(options, report, progress).run(); });
}

}  // namespace weft::datasets
