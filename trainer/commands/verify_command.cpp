// SPDX-License-Identifier: MIT
// Prints a table an epoch, and on failure the first tensor and the vertices that differ.
#include "trainer/commands/verify_command.hpp"

#include <algorithm>
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "datasets/dataset_folder.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "trainer/config_io.hpp"
#include "trainer/console.hpp"
#include "trainer/distributed_program.hpp"
#include "trainer/load_part.hpp"
#include "trainer/verify.hpp"

namespace weft::trainer::commands {

namespace {

struct VerifyArguments {
  std::filesystem::path config;
  std::vector<std::string> overrides;
  std::vector<int> epochs{1, 2};
  std::optional<double> tolerance;
};

std::string scientific(double value) {
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.2e", value);
  return buffer.data();
}

/// The table of an epoch; where the ranks differ, also the first tensor that does.
void print_epoch(const EpochComparison& epoch,
                 const VerifyReport& report,
                 const datasets::NodeIds& ids) {
  std::vector<std::vector<std::string>> table{
      {text("epoch ", epoch.epoch), "L2 difference / L2", "largest difference"}};
  table.push_back({"loss", scientific(epoch.loss_relative()),
                   scientific(std::abs(epoch.loss - epoch.reference_loss))});
  for (const TensorDifference& tensor : epoch.tensors) {
    table.push_back({tensor.name, scientific(tensor.relative), scientific(tensor.worst_absolute)});
  }
  table.push_back({"whole gradient", scientific(epoch.gradient_relative), ""});
  print_result(format_table(table));
  const TensorDifference* first = epoch.first_beyond(report.tolerance);
  if (report.passed || first == nullptr) return;
  std::vector<std::string> vertices;
  for (const GlobalId vertex : first->worst_vertices)
    vertices.push_back(ids.is_identity() ? std::to_string(vertex) : ids.text_of(vertex));
  print_result(text("first tensor beyond ", scientific(report.tolerance), ": ", first->name,
                    vertices.empty() ? "" : ", at vertices ", join(vertices, ", ")));
}

void verify(comm::Communicator& communicator,
            const VerifyArguments& arguments,
            const RunConfig& config) {
  const bool is_root = communicator.rank() == 0;
  const std::filesystem::path fallback = std::filesystem::current_path() / "weft-verify";
  LoadedPart loaded =
      load_part(communicator, config, fallback, is_root ? stderr_progress() : ProgressCallback{});
  if (is_root && !loaded.note.empty()) print_note(loaded.note);
  partition::Part whole;
  comm::agree_on_errors(communicator, [&] {
    if (is_root) whole = load_whole(config.dataset.path);
  });
  if (is_root && communicator.size() == 1) {
    print_warning("one rank is compared with itself; start verify with mpiexec -n K to compare K");
  }
  VerifyOptions options;
  options.epochs = arguments.epochs;
  options.tolerance = arguments.tolerance;
  if (is_root) options.progress = stderr_progress();
  std::ranges::sort(options.epochs);
  const VerifyReport report =
      verify_ranks(communicator, std::move(loaded.part), std::move(whole), config, options);
  if (is_root) {
    const datasets::Dataset dataset = datasets::open_dataset(config.dataset.path);
    for (const EpochComparison& epoch : report.epochs)
      print_epoch(epoch, report, dataset.node_ids);
    print_result(text("verify: ", communicator.size(), " rank(s) against one, ",
                      report.passed ? "equal within " : "DIFFERENT beyond ",
                      scientific(report.tolerance), " (loss, logits, whole gradient)"));
  }
  if (!report.passed) {
    comm::agree_on_errors(communicator, [] {
      throw RuntimeError(
          "verify: the ranks do not compute what one rank computes; the table above "
          "names the first tensor that differs");
    });
  }
}

}  // namespace

void add_verify_command(CLI::App& app) {
  auto arguments = std::make_shared<VerifyArguments>();
  CLI::App* command = app.add_subcommand(
      "verify", "Compare K ranks against one: loss, activations, every gradient");
  command->add_option("config", arguments->config, "The run's settings (TOML)")->required();
  command->add_option("--set", arguments->overrides, "Override a key: model.layers=3")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_option("--epochs", arguments->epochs, "Epochs to compare, for example 1,50")
      ->delimiter(',')
      ->check(CLI::PositiveNumber);
  command->add_option(
      "--tolerance", arguments->tolerance,
      text("Largest relative difference; ", scientific(default_tolerance(Precision::fp32)),
           " unless given, ", scientific(default_tolerance(Precision::bf16)), " in bf16"));
  command->callback([arguments] {
    run_on_all_ranks([&](comm::Communicator& communicator) {
      const RunConfig config = share_config(communicator, [&] {
        RunConfig loaded = load_config(arguments->config, arguments->overrides);
        if (!loaded.dataset.path.empty()) return loaded;
        throw InputError(
            "config: dataset.path is not set; verify needs the whole dataset on rank 0");
      });
      verify(communicator, *arguments, config);
    });
  });
}

}  // namespace weft::trainer::commands
