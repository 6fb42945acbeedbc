// SPDX-License-Identifier: MIT
// Options of `weft generate`, and the table of what was made.
#include "datasets/commands/generate_command.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "datasets/dataset_folder.hpp"
#include "datasets/synthetic.hpp"
#include "datasets/text_folder.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "trainer/console.hpp"
#include "trainer/distributed_program.hpp"

namespace weft::datasets::commands {
namespace {

struct Arguments {
  std::string kind;
  std::filesystem::path out;
  std::filesystem::path edges_text;
  bool text_only = false;
  SyntheticOptions options;
};

std::string describe_features(const FeatureView& features) {
  if (features.empty()) return "none";
  return text(format_count(features.num_columns), features.is_sparse() ? " sparse" : " dense");
}

std::string describe_split(const Dataset& dataset, const std::string& name) {
  std::array<std::int64_t, 3> counts{};
  for (const std::int8_t code : dataset.split(name)) {
    if (code >= 0) ++counts[static_cast<std::size_t>(code)];
  }
  return text(format_count(counts[0]), " / ", format_count(counts[1]), " / ",
              format_count(counts[2]));
}

void print_table(const Dataset& dataset, const std::filesystem::path& out) {
  const double mean_degree = static_cast<double>(dataset.graph.num_edges()) /
                             static_cast<double>(std::max<std::int64_t>(1, dataset.num_vertices));
  std::vector<std::vector<std::string>> rows{
      {"generate", dataset.name},
      {"vertices", format_count(dataset.num_vertices)},
      {"arcs", format_count(dataset.graph.num_edges())},
      {"arcs a vertex", format_fixed(mean_degree, 2)},
      {"direction", dataset.directed ? "directed" : "undirected"},
      {"weights", dataset.graph.is_weighted() ? "yes" : "no"},
      {"features", describe_features(dataset.features)},
      {"classes", format_count(dataset.num_classes)}};
  for (const std::string& name : dataset.split_names) {
    rows.push_back({text("split ", name, " (train / val / test)"), describe_split(dataset, name)});
  }
  rows.push_back({"folder", out.string()});
  trainer::print_result(trainer::format_table(rows));
}

/// Asked before the work starts: the answer after minutes would be unkind.
void require_new_folder(const std::filesystem::path& out) {
  std::error_code ignored;
  if (!std::filesystem::exists(out, ignored)) return;
  if (std::filesystem::is_directory(out, ignored) && std::filesystem::is_empty(out, ignored)) {
    return;
  }
  throw InputError(text(out.string(), ": --out exists and is no empty folder; choose another"));
}

void run_generate(Arguments arguments) {
  trainer::require_one_process("generate");
  arguments.options.kind = parse_synthetic_kind(arguments.kind);
  require_new_folder(arguments.out);
  const ProgressCallback progress = trainer::stderr_progress();
  const Dataset dataset = make_synthetic(arguments.options, progress);
  if (!arguments.edges_text.empty()) write_edges_text(dataset, arguments.edges_text, progress);
  if (arguments.text_only) {
    write_text_folder(dataset, arguments.out, progress);
  } else {
    write_dataset(dataset, arguments.out, progress);
  }
  print_table(dataset, arguments.out);
}

void add_graph_options(CLI::App& command, SyntheticOptions& options) {
  command.add_option("--nodes", options.num_vertices, "Vertices (grid: --rows, --columns)")
      ->capture_default_str();
  command.add_option("--degree", options.mean_degree, "Mean degree of communities and rmat")
      ->capture_default_str();
  command
      .add_option("--inside", options.inside, "Communities: share of the edges inside a community")
      ->capture_default_str();
  command
      .add_option("--exponent", options.exponent,
                  "Communities: power law of degrees, above 2; 0 makes them alike")
      ->capture_default_str();
  command.add_option("--rows", options.num_rows, "Rows of a grid")->capture_default_str();
  command.add_option("--columns", options.num_columns, "Columns of a grid")->capture_default_str();
  command.add_flag("--weighted", options.weighted, "Draw edge weights from 0.5 to 1.5");
  command.add_flag("--directed", options.directed, "Keep arcs as drawn, without their reverse");
}

void add_vertex_options(CLI::App& command, SyntheticOptions& options) {
  command.add_option("--classes", options.num_classes, "Classes, and communities")
      ->capture_default_str();
  command.add_option("--features", options.num_features, "Feature columns; 0 for none")
      ->capture_default_str();
  command
      .add_option("--noise", options.noise,
                  "Standard deviation of a feature around its class mean, which has length 1")
      ->capture_default_str();
  command.add_option("--label-noise", options.label_noise, "Share of the labels drawn anew")
      ->capture_default_str();
  command.add_option("--train-share", options.train_share, "Split random: training vertices")
      ->capture_default_str();
  command
      .add_option("--validation-share", options.validation_share,
                  "Split random: validation vertices; the rest is for the test")
      ->capture_default_str();
  command.add_option("--few", options.few_per_class, "Split few: training vertices a class")
      ->capture_default_str();
  command.add_option("--seed", options.seed, "Another seed, another dataset")
      ->capture_default_str();
}

}  // namespace

void add_generate_command(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand("generate", "Make a synthetic dataset");
  command
      ->add_option("kind", arguments->kind,
                   text("What to make: ", join(synthetic_kind_names(), ", ")))
      ->required();
  command->add_option("--out", arguments->out, "Dataset folder to make")->required();
  add_graph_options(*command, arguments->options);
  add_vertex_options(*command, arguments->options);
  command->add_option("--edges-text", arguments->edges_text,
                      "Write the edges to this file too, as a SNAP edge list");
  command->add_flag("--text-only", arguments->text_only,
                    "Write edges.txt, features.npy, labels.txt and split.txt instead of a dataset, "
                    "to try out weft import");
  command->callback([arguments] { run_generate(*arguments); });
}

}  // namespace weft::datasets::commands
