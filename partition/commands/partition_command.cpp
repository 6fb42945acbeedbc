// SPDX-License-Identifier: MIT
#include "partition/commands/partition_command.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "datasets/dataset_folder.hpp"
#include "graph/support/error.hpp"
#include "graph/support/files.hpp"
#include "graph/support/process.hpp"
#include "graph/support/text.hpp"
#include "graph/support/timing.hpp"
#include "partition/indexing.hpp"
#include "partition/partition_dataset.hpp"
#include "partition/partition_folder.hpp"
#include "trainer/console.hpp"
#include "trainer/distributed_program.hpp"

namespace weft::partition::commands {
namespace {

struct Arguments {
  std::filesystem::path dataset;
  std::filesystem::path out;
  std::string method = method_name(Method::metis_kway);
  std::string objective = objective_name(Objective::cut);
  std::vector<std::string> balance{"vertices", "edges", "training"};
  PartitionOptions options;
  std::int64_t width = 256;
  int num_layers = 2;
  bool json = false;
};

PartitionOptions resolve_options(const Arguments& arguments) {
  PartitionOptions options = arguments.options;
  options.method = options.owner_file.empty() ? parse_method(arguments.method) : Method::file;
  options.objective = parse_objective(arguments.objective);
  options.balance_vertices = options.balance_edges = options.balance_training = false;
  for (const std::string& word : arguments.balance) {
    if (word == "vertices") {
      options.balance_vertices = true;
    } else if (word == "edges") {
      options.balance_edges = true;
    } else if (word == "training") {
      options.balance_training = true;
    } else {
      throw InputError(
          text("--balance: \"", word, "\" is not known; give some of vertices, edges, training"));
    }
  }
  if (options.method == Method::file && options.owner_file.empty()) {
    throw InputError("--method file needs the owners; name them with --owner-file FILE");
  }
  return options;
}

std::string ratio(double value) {
  return format_fixed(value, 3);
}

std::vector<std::vector<std::string>> part_rows(const Quality& quality) {
  std::vector<std::vector<std::string>> rows{
      {"part", "vertices", "boundary", "edges", "training", "halo rows", "sent rows", "peers"}};
  for (std::size_t part = 0; part < quality.parts.size(); ++part) {
    const PartQuality& figures = quality.parts[part];
    rows.push_back({std::to_string(part), format_count(figures.owned),
                    format_count(figures.boundary), format_count(figures.edges),
                    format_count(figures.training), format_count(figures.halo),
                    format_count(figures.sent), std::to_string(figures.peers)});
  }
  rows.push_back({"max/share", ratio(quality.vertex_imbalance), "", ratio(quality.edge_imbalance),
                  ratio(quality.training_imbalance), "", "", ""});
  return rows;
}

std::string percent(double share) {
  return format_fixed(100 * share, 1).append(" %");
}

void print_quality(const Quality& quality, const Arguments& arguments) {
  trainer::print_result(trainer::format_table(part_rows(quality)));
  trainer::print_result(text(
      "cut: ", format_count(quality.cut_arcs), " of ", format_count(quality.num_arcs), " arcs (",
      percent(quality.cut_share()), "), ", format_count(quality.cut_edges), " pairs of vertices"));
  trainer::print_result(text("halo rows: ", format_count(quality.halo_rows), " in all, ",
                             format_count(quality.max_halo_rows), " of the largest part, ",
                             percent(quality.against_random()), " of a random partition's"));
  trainer::print_result(text("boundary vertices: ", percent(quality.boundary_share())));
  const auto bytes = [&](std::int64_t rows) {
    return format_bytes(halo_bytes_per_epoch(rows, arguments.width, arguments.num_layers));
  };
  trainer::print_result(text("halo bytes an epoch, width ", arguments.width, ", ",
                             arguments.num_layers, " layers: ", bytes(quality.halo_rows),
                             " in all, ", bytes(quality.max_halo_rows), " into the largest part"));
}

void print_times(const PartitionOutcome& outcome) {
  const PartitionRecord& record = outcome.record;
  if (record.order.order != VertexOrder::by_id) {
    trainer::print_result(text("vertex order inside parts: ", vertex_order_name(record.order.order),
                               ", ", percent(record.order.far_share),
                               " of the reads of neighbors are far, by id ",
                               percent(record.order.far_share_by_id)));
  }
  trainer::print_result(text("time: owners and order ", format_seconds(record.times.total_seconds),
                             " (METIS ", format_seconds(record.times.metis_seconds), "), quality ",
                             format_seconds(outcome.quality_seconds), ", files ",
                             format_seconds(outcome.write_seconds), "; peak memory ",
                             format_bytes(peak_rss_bytes())));
}

void run_partition(const Arguments& arguments) {
  trainer::require_one_process("partition");
  const PartitionOptions options = resolve_options(arguments);
  // Checksums are verified: a damaged graph must not reach METIS, which checks nothing.
  const datasets::Dataset dataset = datasets::open_dataset(arguments.dataset, true);
  const std::filesystem::path folder =
      arguments.out.empty() ? default_partition_folder(arguments.dataset, options, dataset)
                            : arguments.out;
  trainer::print_note(text(
      "partitioning ", dataset.name, " (", format_count(dataset.num_vertices), " vertices, ",
      format_count(dataset.graph.num_edges()), " arcs): ", request_text(options, dataset),
      "; about ", format_bytes(estimated_peak_bytes(dataset, options)), " of memory expected"));
  const PartitionOutcome outcome =
      partition_dataset(dataset, options, folder, trainer::stderr_progress());
  const Quality quality = outcome.reused
                              ? measure_quality(dataset, read_owner(folder), part_shares(options),
                                                balanced_split(dataset, options))
                              : outcome.record.quality;
  if (arguments.json) {
    trainer::print_result(MappedFile(folder / "partition.json").text());
  } else {
    print_quality(quality, arguments);
    if (!outcome.reused) print_times(outcome);
  }
  for (const std::string& warning : quality_warnings(quality, options)) {
    trainer::print_warning(warning);
  }
  trainer::print_note(explain(outcome));
}

}  // namespace

void add_partition_command(CLI::App& app) {
  const auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "partition", "Cut a dataset into parts, one for each rank, and report how good the cut is");
  command->add_option("dataset", arguments->dataset, "Dataset folder")->required();
  command->add_option("--parts", arguments->options.num_parts, "Number of parts = MPI ranks")
      ->required();
  command->add_option("--method", arguments->method,
                      "metis, metis-recursive, block, random or file");
  command->add_option("--owner-file", arguments->options.owner_file,
                      "Part of each vertex: text with one a line, or .npy int32 or int64");
  command->add_option("--objective", arguments->objective,
                      "cut (edges) or volume (halo rows; slower)");
  command->add_option("--balance", arguments->balance, "Some of vertices,edges,training")
      ->delimiter(',');
  command
      ->add_option("--part-weights", arguments->options.part_weights,
                   "Relative size of each part, as in 1,1,2")
      ->delimiter(',');
  command->add_option("--seed", arguments->options.seed, "Seed; the same gives the same parts");
  command->add_option("--split", arguments->options.split,
                      "Split whose training vertices are balanced (the first)");
  command->add_option("--width", arguments->width, "Columns of a halo row, for the traffic figure");
  command->add_option("--layers", arguments->num_layers, "Layers, for the traffic figure");
  command->add_option("--out", arguments->out,
                      "Partition folder (DATASET/partitions/NAME, a name from the options)");
  command->add_flag("--json", arguments->json, "Print partition.json, which holds the figures");
  command->callback([arguments] { run_partition(*arguments); });
}

}  // namespace weft::partition::commands
