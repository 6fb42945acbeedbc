// SPDX-License-Identifier: MIT
// Both commands open a run the same way; they differ in what they do with the engine.
#include "trainer/commands/evaluate_command.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "datasets/dataset_folder.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "trainer/checkpoint.hpp"
#include "trainer/commands/run_outputs.hpp"
#include "trainer/config_io.hpp"
#include "trainer/console.hpp"
#include "trainer/distributed_program.hpp"
#include "trainer/engine.hpp"
#include "trainer/load_part.hpp"
#include "trainer/report.hpp"
#include "trainer/run_folder.hpp"

namespace weft::trainer::commands {

namespace {

struct RunArguments {
  EngineUse use = EngineUse::evaluate;
  std::filesystem::path run;
  std::filesystem::path dataset;
  std::string split;
  std::filesystem::path out;
  bool last = false;
  bool json = false;
  bool embeddings = false;
};

/// A run that is opened again: its settings, and what its checkpoint takes along.
struct OpenedRun {
  RunFolder folder;
  RunConfig config;
  CheckpointOrigin origin;
};

using EngineAction = std::function<void(comm::Communicator&, Engine&, const OpenedRun&)>;

RunConfig config_of_run(const RunArguments& arguments, const RunFolder& folder) {
  if (!std::filesystem::exists(folder.config())) {
    throw InputError(text("run: ", folder.path().string(),
                          " holds no config.toml; give the run folder that weft train wrote"));
  }
  RunConfig config = load_config(folder.config());
  if (!arguments.dataset.empty()) {
    config.dataset.path = std::filesystem::absolute(arguments.dataset);
    config.partition.path.clear();
    // Split and owners are of the run's own data.
    if (arguments.use == EngineUse::predict) config.dataset.split.clear();
    if (config.partition.method == partition::Method::file) {
      config.partition.method = partition::Method::metis_kway;
      config.partition.owner_file.clear();
    }
  }
  if (!config.dataset.path.empty() &&
      !std::filesystem::exists(config.dataset.path / "dataset.json")) {
    throw InputError(
        text("run: its dataset ", config.dataset.path.string(),
             " is not there (any more); name the place where it is now with --dataset"));
  }
  if (!arguments.split.empty()) config.dataset.split = arguments.split;
  return config;
}

std::string class_list(const std::vector<std::string>& names, int num_classes) {
  return names.empty() ? text(num_classes, " classes") : text("the classes ", join(names, ", "));
}

/// Another dataset's labels must mean what the model's outputs mean.
void check_classes(const RunConfig& config, const CheckpointOrigin& origin) {
  const datasets::Dataset dataset = datasets::open_dataset(config.dataset.path);
  const bool fits = dataset.class_names == origin.class_names &&
                    (dataset.num_classes == origin.num_classes ||
                     (origin.class_names.empty() && dataset.num_classes < origin.num_classes));
  if (fits) return;
  throw InputError(text("evaluate: dataset ", config.dataset.path.string(), " has ",
                        class_list(dataset.class_names, dataset.num_classes),
                        ", but the model knows ",
                        class_list(origin.class_names, origin.num_classes),
                        "; import labels with the same classes in the same order, or use predict"));
}

std::filesystem::path checkpoint_of(const RunArguments& arguments, const RunFolder& folder) {
  return arguments.last ? folder.last() : folder.best();
}

OpenedRun open_run(const RunArguments& arguments) {
  if (arguments.use == EngineUse::predict && !arguments.dataset.empty() && arguments.out.empty()) {
    throw InputError(
        "predict: --dataset needs --out: the run folder is for predictions of the run's own data");
  }
  OpenedRun run{RunFolder(arguments.run), {}, {}};
  run.config = config_of_run(arguments, run.folder);
  run.origin = read_checkpoint_origin(checkpoint_of(arguments, run.folder));
  const bool reads_labels = arguments.use != EngineUse::predict;
  if (reads_labels && !arguments.dataset.empty()) check_classes(run.config, run.origin);
  return run;
}

/// Builds the engine of a run with the weights of its checkpoint and hands it to `action`.
void with_engine_of_run(const RunArguments& arguments, const EngineAction& action) {
  run_on_all_ranks([&](comm::Communicator& communicator) {
    const bool is_root = communicator.rank() == 0;
    OpenedRun run{RunFolder(arguments.run), {}, {}};
    run.config = share_config(communicator, [&] {
      run = open_run(arguments);
      return run.config;
    });
    share_origin(communicator, run.origin);
    LoadedPart loaded = load_part(communicator, run.config, run.folder.path(),
                                  is_root ? stderr_progress() : ProgressCallback{});
    if (is_root && !loaded.note.empty()) print_note(loaded.note);
    // Another dataset is what was asked for where --dataset is given.
    const std::uint64_t fingerprint =
        arguments.dataset.empty() ? loaded.part.info.dataset_fingerprint : 0;
    const EngineRequest request{arguments.use, run.origin.num_classes, run.origin.num_features,
                                run.origin.statistics};
    Engine engine(communicator,
                  prepare_engine(communicator, std::move(loaded.part), run.config, request),
                  run.config);
    TrainingState state;
    capture_state(engine, 0, state);
    comm::agree_on_errors(communicator, [&] {
      if (is_root) {
        state = read_checkpoint(checkpoint_of(arguments, run.folder), engine, fingerprint);
      }
    });
    share_state(communicator, state);
    restore_state(state, engine);
    action(communicator, engine, run);
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
                     metric_text(evaluation.accuracy[role]), metric_text(evaluation.loss[role])});
  }
  print_result(format_table(table));
}

void evaluate(const RunArguments& arguments) {
  with_engine_of_run(arguments,
                     [&](comm::Communicator& communicator, Engine& engine, const OpenedRun&) {
                       const Evaluation evaluation = engine.evaluate();
                       if (communicator.rank() == 0)
                         print_evaluation(evaluation, engine.labelled(), arguments.json);
                     });
}

void predict(const RunArguments& arguments) {
  with_engine_of_run(
      arguments, [&](comm::Communicator& communicator, Engine& engine, const OpenedRun& run) {
        const std::filesystem::path out = arguments.out.empty() ? run.folder.path() : arguments.out;
        write_outputs(communicator, engine, run.config, out,
                      {true, arguments.embeddings, run.origin.class_names});
        if (communicator.rank() != 0) return;
        print_result(text("predictions: ", (out / "predictions.csv").string(), " (by your ids), ",
                          (out / "predictions.npy").string(), " (dataset order)"));
      });
}

std::shared_ptr<RunArguments> add_run_arguments(CLI::App& command, EngineUse use) {
  auto arguments = std::make_shared<RunArguments>();
  arguments->use = use;
  command.add_option("run", arguments->run, "Run folder that weft train wrote")->required();
  command.add_option("--dataset", arguments->dataset,
                     "Another dataset folder, with the same features");
  command.add_flag("--last", arguments->last, "Use the last checkpoint, not the best");
  return arguments;
}

}  // namespace

void add_evaluate_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("evaluate", "Accuracy of a run's best checkpoint on every split");
  auto arguments = add_run_arguments(*command, EngineUse::evaluate);
  command->add_option("--split", arguments->split, "Another split of the dataset");
  command->add_flag("--json", arguments->json, "Print one line of JSON");
  command->callback([arguments] { evaluate(*arguments); });
}

void add_predict_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "predict", "Class of every vertex, keyed by your ids, from a run's best checkpoint");
  auto arguments = add_run_arguments(*command, EngineUse::predict);
  command->add_option("--out", arguments->out, "Folder for the files (default: the run folder)");
  command->add_flag("--embeddings", arguments->embeddings,
                    "Also write the output of the layer before the last");
  command->callback([arguments] { predict(*arguments); });
}

}  // namespace weft::trainer::commands
