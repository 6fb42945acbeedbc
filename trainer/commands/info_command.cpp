// SPDX-License-Identifier: MIT
// The kind of a path is told by the file that only this kind has.
#include "trainer/commands/info_command.hpp"

#include <array>
#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "datasets/dataset_folder.hpp"
#include "graph/support/checksum.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "partition/partition_folder.hpp"
#include "partition/partition_manifest.hpp"
#include "trainer/console.hpp"
#include "trainer/distributed_program.hpp"
#include "trainer/safetensors.hpp"

namespace weft::trainer::commands {

namespace {

namespace fs = std::filesystem;
using Table = std::vector<std::vector<std::string>>;

const char* task_text(datasets::Task task) {
  switch (task) {
    case datasets::Task::none:
      return "none (no labels)";
    case datasets::Task::single_label:
      return "single-label classification";
    case datasets::Task::multi_label:
      return "multi-label classification";
    case datasets::Task::regression:
      break;
  }
  return "regression";
}

std::string features_text(const datasets::FeatureView& features) {
  if (features.empty()) return "none";
  if (!features.is_sparse()) return text(features.num_columns, " columns, dense");
  return text(features.num_columns, " columns, sparse, ",
              format_count(static_cast<std::int64_t>(features.values.size())), " stored");
}

std::string ids_text(const datasets::NodeIds& ids) {
  if (ids.is_identity()) return "0 .. N-1";
  return ids.numbers.empty() ? "strings of the user's file" : "numbers of the user's file";
}

/// Vertices of each role of split `index`: "train / val / test / none".
std::string split_text(const datasets::Dataset& dataset, std::size_t index) {
  std::array<std::int64_t, 4> counts{};
  const auto n = static_cast<std::size_t>(dataset.num_vertices);
  for (const std::int8_t role : dataset.splits.subspan(index * n, n)) {
    ++counts[role < 0 ? 3 : static_cast<std::size_t>(role)];
  }
  return text(counts[0], " train, ", counts[1], " val, ", counts[2], " test, ", counts[3], " none");
}

void print_dataset(const fs::path& path) {
  const datasets::Dataset dataset = datasets::open_dataset(path);
  Table table{{"dataset", dataset.name},
              {"vertices", format_count(dataset.num_vertices)},
              {"arcs", format_count(dataset.graph.num_edges())},
              {"direction", dataset.directed ? "directed" : "every arc has its reverse"},
              {"edge weights", dataset.graph.is_weighted() ? "yes" : "all 1"},
              {"features", features_text(dataset.features)},
              {"task", task_text(dataset.task)},
              {"classes", std::to_string(dataset.num_classes)},
              {"vertex ids", ids_text(dataset.node_ids)},
              {"fingerprint", checksum_text(dataset.fingerprint)}};
  constexpr std::size_t max_splits = 12;
  for (std::size_t s = 0; s < dataset.split_names.size() && s < max_splits; ++s) {
    table.push_back({"split " + dataset.split_names[s], split_text(dataset, s)});
  }
  if (dataset.split_names.size() > max_splits) {
    table.push_back({"splits", text(dataset.split_names.size(), " in all")});
  }
  table.push_back({"from", dataset.provenance});
  print_result(format_table(table));
}

void print_partition(const fs::path& path) {
  const partition::PartitionInfo info = partition::read_partition_info(path.string());
  Table table{{"part", "owned", "boundary", "halo", "arcs", "neighbor parts"}};
  for (int p = 0; p < info.num_parts; ++p) {
    const partition::PartManifest part =
        partition::read_part_manifest(partition::part_folder(path, p) / "part.json");
    table.push_back({std::to_string(p), format_count(part.num_interior + part.num_boundary),
                     format_count(part.num_boundary), format_count(part.num_halo),
                     format_count(part.num_edges), std::to_string(part.peers.size())});
  }
  print_result(format_table({{"partition", path.string()},
                             {"parts", std::to_string(info.num_parts)},
                             {"method", info.method},
                             {"seed", std::to_string(info.seed)},
                             {"vertices", format_count(info.num_vertices)},
                             {"arcs", format_count(info.num_edges)},
                             {"of dataset", checksum_text(info.dataset_fingerprint)}}));
  print_result(format_table(table));
}

void print_checkpoint(const fs::path& path) {
  const SafetensorsFile file(path);
  Table table{{"tensor", "shape", "type"}};
  for (const NamedTensor& tensor : file.tensors()) {
    std::vector<std::string> shape;
    for (const std::int64_t size : tensor.shape)
      shape.push_back(std::to_string(size));
    table.push_back(
        {tensor.name, join(shape, " x "), tensor.type == TensorType::f32 ? "f32" : "f64"});
  }
  print_result(format_table(table));
  for (const auto& [key, value] : file.metadata()) {
    if (key != "config") print_result(text(key, ": ", value));
  }
}

void print_run(const fs::path& path) {
  Table table{{"run", path.string()}};
  for (const char* name : {"run.json", "summary.json"}) {
    std::ifstream in(path / name);
    const auto json = nlohmann::ordered_json::parse(in, nullptr, false);
    if (!json.is_object()) {
      table.push_back({name, "not there: the run did not end, or was stopped"});
      continue;
    }
    for (const auto& [key, value] : json.items()) {
      table.push_back({key, value.is_string() ? value.get<std::string>() : value.dump()});
    }
  }
  print_result(format_table(table));
}

void info(const fs::path& path) {
  require_one_process("info");
  if (fs::exists(path / "dataset.json")) return print_dataset(path);
  if (fs::exists(path / "partition.json")) return print_partition(path);
  if (fs::exists(path / "run.json")) return print_run(path);
  if (fs::is_regular_file(path) && path.extension() == ".safetensors") {
    return print_checkpoint(path);
  }
  throw InputError(text("info: ", path.string(),
                        fs::exists(path)
                            ? " is no dataset folder (dataset.json), partition folder "
                              "(partition.json), run folder (run.json) or .safetensors file"
                            : " does not exist"));
}

}  // namespace

void add_info_command(CLI::App& app) {
  auto path = std::make_shared<fs::path>();
  CLI::App* command =
      app.add_subcommand("info", "What is in a dataset, partition, checkpoint or run folder");
  command->add_option("path", *path, "Folder, or .safetensors file")->required();
  command->callback([path] { info(*path); });
}

}  // namespace weft::trainer::commands
