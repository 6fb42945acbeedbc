// SPDX-License-Identifier: MIT
// Options of `weft import`, and the table of what was read. What was guessed goes to stderr.
#include "datasets/commands/import_command.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "datasets/dataset_folder.hpp"
#include "datasets/import_dataset.hpp"
#include "graph/support/error.hpp"
#include "graph/support/process.hpp"
#include "graph/support/text.hpp"
#include "trainer/console.hpp"
#include "trainer/distributed_program.hpp"

namespace weft::datasets::commands {

namespace {

/// The options as words.
struct Arguments {
  ImportOptions options;
  std::filesystem::path out;
  std::string format = "auto";
  std::string header = "auto";
  std::string weights = "auto";
  std::string delimiter;
  std::string ids = "auto";
  std::string labels_by = "row";
  std::string task;
  std::string repeats;
  std::string loops = "keep";
  std::int64_t nodes = -1;
  bool directed = false;
  bool undirected = false;
};

/// The value that belongs to `word`; an unknown word is answered with the list of valid ones.
template <typename Value>
Value choose(const char* option,
             const std::string& word,
             const std::vector<std::pair<std::string, Value>>& choices) {
  std::vector<std::string> words;
  for (const auto& choice : choices) {
    if (choice.first == word) return choice.second;
    words.push_back(choice.first);
  }
  throw InputError(text(option, " ", word, ": not known; choose ", join(words, ", ")));
}

Choice choose_auto(const char* option, const std::string& word) {
  return choose<Choice>(option, word,
                        {{"auto", Choice::automatic}, {"yes", Choice::yes}, {"no", Choice::no}});
}

std::optional<char> choose_delimiter(const std::string& word) {
  if (word.empty() || word == "auto") return std::nullopt;
  if (word == "tab" || word == "\\t") return '\t';
  if (word == "space" || word == "blank") return ' ';
  if (word.size() == 1 && word != "\"" && word != "\n") return word[0];
  throw InputError(text("--delimiter '", word, "': expected one character, tab or space"));
}

ImportOptions resolve(const Arguments& words) {
  ImportOptions options = words.options;
  EdgeListOptions& edges = options.edges;
  edges.format = choose<FileFormat>("--format", words.format,
                                    {{"auto", FileFormat::automatic},
                                     {"snap", FileFormat::snap},
                                     {"csv", FileFormat::csv},
                                     {"tsv", FileFormat::tsv},
                                     {"mtx", FileFormat::mtx}});
  edges.columns.header = choose_auto("--header", words.header);
  edges.columns.weights = choose_auto("--weights", words.weights);
  edges.columns.delimiter = choose_delimiter(words.delimiter);
  const std::size_t num_columns = edges.columns.columns.size();
  if (num_columns == 1 || num_columns > 3) {
    throw InputError(text("--columns: ", num_columns,
                          " names, expected SOURCE,DESTINATION or SOURCE,DESTINATION,WEIGHT"));
  }
  edges.ids = choose<IdMode>("--ids", words.ids,
                             {{"auto", IdMode::automatic},
                              {"contiguous", IdMode::contiguous},
                              {"sparse", IdMode::sparse},
                              {"one_based", IdMode::one_based},
                              {"string", IdMode::string}});
  options.labels_by_id =
      choose<bool>("--labels-by", words.labels_by, {{"row", false}, {"id", true}});
  options.loops = choose<graph::Loops>(
      "--loops", words.loops, {{"keep", graph::Loops::keep}, {"drop", graph::Loops::drop}});
  if (!words.repeats.empty()) {
    options.repeats = choose<graph::Repeats>(
        "--repeats", words.repeats,
        {{"sum", graph::Repeats::sum}, {"keep-one", graph::Repeats::keep_one}});
  }
  if (!words.task.empty()) {
    options.task = choose<Task>("--task", words.task,
                                {{"single_label", Task::single_label},
                                 {"multi_label", Task::multi_label},
                                 {"regression", Task::regression}});
  }
  if (words.nodes >= 0) options.num_vertices = words.nodes;
  if (words.directed) options.direction = Direction::directed;
  if (words.undirected) options.direction = Direction::undirected;
  return options;
}

/// The command as it was given, for the dataset's provenance.
std::string command_text(const CLI::App& command) {
  std::string line = "weft import";
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0) continue;
    const std::string name = option->get_name();
    if (name.starts_with("-")) line += " " + name;
    const bool is_flag = option->get_expected_min() == 0;
    if (!is_flag) line += " " + join(option->results(), ",");
  }
  return line;
}

std::string describe_features(const FeatureView& features) {
  if (features.empty()) return "none";
  if (!features.is_sparse()) return text(format_count(features.num_columns), " dense");
  return text(format_count(features.num_columns), " sparse, ",
              format_count(std::ssize(features.values)), " entries");
}

std::string describe_labels(const Dataset& dataset) {
  if (dataset.task == Task::none) return "none";
  return text(format_count(dataset.num_classes), " (", task_name(dataset.task), ")");
}

std::string describe_split(const Dataset& dataset, const std::string& name) {
  std::int64_t counts[3] = {0, 0, 0};
  for (const std::int8_t code : dataset.split(name)) {
    if (code >= 0) ++counts[code];
  }
  return text(format_count(counts[0]), " / ", format_count(counts[1]), " / ",
              format_count(counts[2]));
}

/// One split in one row; several below their number.
void add_splits(const Dataset& dataset, std::vector<std::vector<std::string>>& rows) {
  const auto& names = dataset.split_names;
  if (names.size() != 1) {
    rows.push_back({"splits", names.empty() ? "none" : format_count(std::ssize(names))});
  }
  for (const std::string& name : names) {
    rows.push_back({text(names.size() == 1 ? "split " : "  ", name, " (train / val / test)"),
                    describe_split(dataset, name)});
  }
}

void print_report(const Dataset& dataset, const ImportReport& report) {
  const graph::BuildReport& build = report.build;
  std::vector<std::vector<std::string>> rows{
      {"import", dataset.name},
      {"edge list", report.form},
      {"lines read", format_count(report.lines.lines)},
      {"comment lines skipped", format_count(report.lines.comments)},
      {"blank lines skipped", format_count(report.lines.blanks)},
      {"arcs read", format_count(build.arcs_read)},
      {"self-loops", format_count(build.self_loops)},
      {"repeated arcs", format_count(build.repeated_arcs)},
      {"arcs without reverse", format_count(build.one_way_arcs)},
      {"isolated vertices", format_count(build.isolated_vertices)},
      {"vertices", format_count(dataset.num_vertices)},
      {"arcs kept", format_count(build.num_edges)},
      {"direction", dataset.directed ? "directed" : "undirected"},
      {"weights", build.weighted ? "yes" : "no"},
      {"features", describe_features(dataset.features)},
      {"classes", describe_labels(dataset)}};
  add_splits(dataset, rows);
  rows.push_back({"peak memory", format_bytes(peak_rss_bytes())});
  trainer::print_result(trainer::format_table(rows));
}

void print_remarks(const ImportReport& report) {
  for (const std::string& line : report.notes)
    trainer::print_note(line);
  for (const std::string& line : report.warnings)
    trainer::print_warning(line);
}

/// Asked before the work: the answer after minutes of reading would be unkind.
void require_new_folder(const std::filesystem::path& out) {
  if (!std::filesystem::exists(out)) return;
  if (std::filesystem::is_directory(out) && std::filesystem::is_empty(out)) return;
  throw InputError(text(out.string(), ": --out exists and is no empty folder; choose another"));
}

void import_into(const std::filesystem::path& out, const ImportOptions& options) {
  const ProgressCallback progress = trainer::stderr_progress();
  ImportReport report;
  Dataset dataset;
  try {
    dataset = import_dataset(options, report, progress);
  } catch (const Error&) {
    print_remarks(report);  // what was guessed may be the reason
    throw;
  }
  print_remarks(report);
  write_dataset(dataset, out, progress);
  print_report(dataset, report);
  trainer::print_note(text("the dataset is in ", out.string()));
}

std::string name_of_folder(const std::filesystem::path& folder) {
  const std::filesystem::path plain = std::filesystem::absolute(folder).lexically_normal();
  return (plain.has_filename() ? plain : plain.parent_path()).filename().string();
}

void run_import(const Arguments& arguments, const std::string& how) {
  trainer::require_one_process("import");
  ImportOptions options = resolve(arguments);
  options.how = how;
  if (options.name.empty()) options.name = name_of_folder(arguments.out);
  require_new_folder(arguments.out);
  const std::string expected = format_bytes(estimated_peak_bytes(options));
  trainer::print_note(
      text("importing ", options.source.string(), ": about ", expected, " of memory expected"));
  try {
    import_into(arguments.out, options);
  } catch (const std::bad_alloc&) {
    throw RuntimeError(text("import: out of memory; about ", expected, " are needed for ",
                            options.source.string(),
                            "; use a machine or a limit (ulimit -v) with more"));
  }
}

void add_edge_options(CLI::App& command, Arguments& arguments) {
  EdgeListOptions& edges = arguments.options.edges;
  command.add_option("--format", arguments.format, "auto, snap, csv, tsv or mtx (MatrixMarket)");
  command.add_option("--header", arguments.header,
                     "Is the first line of CSV or TSV a header: auto, yes or no");
  command
      .add_option("--columns", edges.columns.columns,
                  "Source, destination and weight columns, by name or by number from 1: src,dst,w")
      ->delimiter(',');
  command.add_option("--weights", arguments.weights,
                     "Are there edge weights: auto, yes or no (a graph without weights)");
  command.add_option("--delimiter", arguments.delimiter, "Between fields: a character, tab, space");
  command.add_option("--ids", arguments.ids,
                     "auto, contiguous (0..N-1), sparse (relabelled in rising order), one_based "
                     "(1..N) or string (numbered in order of their bytes)");
  command.add_flag("--allow-negative-weights", edges.allow_negative_weights,
                   "Accept negative edge weights");
  command
      .add_option("--max-decompressed", edges.max_decompressed_bytes,
                  "Refuse files that decompress to more bytes; 10gb works too")
      ->transform(CLI::AsSizeValue(false));
}

void add_graph_options(CLI::App& command, Arguments& arguments) {
  auto* directed = command.add_flag("--directed", arguments.directed, "Pairs are arcs: keep them");
  command
      .add_flag("--undirected", arguments.undirected,
                "Pairs are edges: add the reverse of every arc")
      ->excludes(directed);
  command.add_option("--repeats", arguments.repeats,
                     "An arc written twice: sum adds the weights, 1 for an arc without one; "
                     "keep-one keeps the first (sum, with --weights no keep-one)");
  command.add_option("--loops", arguments.loops, "Arcs from a vertex to itself: keep or drop");
  command.add_option("--nodes", arguments.nodes, "Number of vertices")
      ->check(CLI::NonNegativeNumber);
}

void add_side_options(CLI::App& command, Arguments& arguments) {
  SourceFiles& files = arguments.options.files;
  command.add_option("--features", files.features, "Features: .npy, .npz (scipy CSR), .mtx[.gz]");
  command.add_option("--labels", files.labels, "Labels: text, a class a line, or .npy");
  command.add_option("--labels-by", arguments.labels_by, "row, or id for lines of `id class`");
  command.add_option("--task", arguments.task, "single_label, multi_label or regression");
  command.add_option("--split", files.splits,
                     "Splits: 0 train, 1 validation, 2 test, -1 none; a column for each split");
  command.add_option("--node-ids", files.node_ids, "The id of each row: text or .npy");
}

}  // namespace

void add_import_command(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("import", "Make a dataset from an edge list, features, labels and splits");
  command
      ->add_option("source", arguments->options.source,
                   "Edge list (plain, gzip or zstd), or a folder with edges.txt, features.npz, "
                   "labels.txt, splits.txt")
      ->required();
  command->add_option("--out", arguments->out, "Dataset folder to make")->required();
  add_edge_options(*command, *arguments);
  add_graph_options(*command, *arguments);
  add_side_options(*command, *arguments);
  command->add_option("--name", arguments->options.name,
                      "Name of the dataset (that of the folder --out)");
  command->add_option("--threads", arguments->options.num_threads, "Threads (all that may be used)")
      ->check(CLI::NonNegativeNumber);
  command->callback([arguments, command] { run_import(*arguments, command_text(*command)); });
}

}  // namespace weft::datasets::commands
