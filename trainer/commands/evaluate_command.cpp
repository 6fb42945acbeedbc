// SPDX-License-Identifier: MIT
// Both commands open a run the same way; they differ in what they do with the engine.
#include "trainer/commands/evaluate_command.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "trainer/checkpoint.hpp"
#include "trainer/commands/run_outputs.hpp"
#include "trainer/config_io.hpp"
#include "trainer/console.hpp"
#include "trainer/distributed_program.hpp"
#include "trainer/engine.hpp"
#include "trainer/load_part.hpp"
#include "trainer/run_folder.hpp"

namespace weft::trainer::commands {

namespace {

struct RunArguments {
  std::filesystem::path run;
  std::filesystem::path dataset;
  std::filesystem::path out;
  bool last = false;
  bool json = false;
  bool embeddings = false;
};

using EngineAction =
    std::function<void(comm::Communicator&, Engine&, const RunConfig&, const RunFolder&)>;

RunConfig config_of_run(const RunArguments& arguments, const RunFolder& folder) {
  if (!std::filesystem::exists(folder.config())) {
    throw InputError(text("run: ", folder.path().string(),
                          " holds no config.toml; give the run folder that weft train wrote"));
  }
  RunConfig config = load_config(folder.config());
  if (!arguments.dataset.empty()) {
    config.dataset.path = std::filesystem::absolute(arguments.dataset);
    config.partition.path.clear();
  }
  return config;
}

/// Builds the engine of a run with the weights of its checkpoint and hands it to `action`.
void with_engine_of_run(const RunArguments& arguments, const EngineAction& action) {
  run_on_all_ranks([&](comm::Communicator& communicator) {
    const RunFolder folder(arguments.run);
    RunConfig config;
    comm::agree_on_errors(communicator, [&] { config = config_of_run(arguments, folder); });
    const bool is_root = communicator.rank() == 0;
    LoadedPart loaded = load_part(communicator, config, folder.path(),
                                  is_root ? stderr_progress() : ProgressCallback{});
    if (is_root && !loaded.note.empty()) print_note(loaded.note);
    // Another dataset is what was asked for where --dataset is given.
    const std::uint64_t fingerprint =
        arguments.dataset.empty() ? loaded.part.info.dataset_fingerprint : 0;
    Engine engine(communicator, prepare_engine(communicator, std::move(loaded.part), config),
                  config);
    comm::agree_on_errors(communicator, [&] {
      const std::filesystem::path checkpoint = arguments.last ? folder.last() : folder.best();
      restore_state(read_checkpoint(checkpoint, engine, fingerprint), engine);
    });
    action(communicator, engine, config, folder);
  });
}

void print_evaluation(const Evaluation& evaluation, const LabelledRows& labelled, bool as_json) {
  if (as_json) {
    nlohmann::ordered_json json;
    for (std::size_t role = 0; role < num_roles; ++role) {
      json[text(role_names[role], "_accuracy")] = evaluation.accuracy[role];
      json[text(role_names[role], "_loss")] = evaluation.loss[role];
      json[text(role_names[role], "_vertices")] = labelled.global_counts[role];
    }
    print_result(json.dump());
    return;
  }
  std::vector<std::vector<std::string>> table{{"split", "vertices", "accuracy", "loss"}};
  for (std::size_t role = 0; role < num_roles; ++role) {
    table.push_back({role_names[role], format_count(labelled.global_counts[role]),
                     format_fixed(evaluation.accuracy[role], 4),
                     format_fixed(evaluation.loss[role], 4)});
  }
  print_result(format_table(table));
}

void evaluate(const RunArguments& arguments) {
  with_engine_of_run(arguments, [&](comm::Communicator& communicator, Engine& engine,
                                    const RunConfig&, const RunFolder&) {
    const Evaluation evaluation = engine.evaluate();
    if (communicator.rank() == 0) print_evaluation(evaluation, engine.labelled(), arguments.json);
  });
}

void predict(const RunArguments& arguments) {
  with_engine_of_run(arguments, [&](comm::Communicator& communicator, Engine& engine,
                                    const RunConfig& config, const RunFolder& folder) {
    const std::filesystem::path out = arguments.out.empty() ? folder.path() : arguments.out;
    write_outputs(communicator, engine, config, out, {true, arguments.embeddings});
    if (communicator.rank() != 0) return;
    print_result(text("predictions: ", (out / "predictions.csv").string(), " (by your ids), ",
                      (out / "predictions.npy").string(), " (dataset order)"));
  });
}

std::shared_ptr<RunArguments> add_run_arguments(CLI::App& command) {
  auto arguments = std::make_shared<RunArguments>();
  command.add_option("run", arguments->run, "Run folder that weft train wrote")->required();
  command.add_option("--dataset", arguments->dataset, "Another dataset folder");
  command.add_flag("--last", arguments->last, "Use the last checkpoint, not the best");
  return arguments;
}

}  // namespace

void add_evaluate_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("evaluate", "Accuracy of a run's best checkpoint on every split");
  auto arguments = add_run_arguments(*command);
  command->add_flag("--json", arguments->json, "Print one line of JSON");
  command->callback([arguments] { evaluate(*arguments); });
}

void add_predict_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "predict", "Class of every vertex, keyed by your ids, from a run's best checkpoint");
  auto arguments = add_run_arguments(*command);
  command->add_option("--out", arguments->out, "Folder for the files (default: the run folder)");
  command->add_flag("--embeddings", arguments->embeddings,
                    "Also write the output of the layer before the last");
  command->callback([arguments] { predict(*arguments); });
}

}  // namespace weft::trainer::commands
