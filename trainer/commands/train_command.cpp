// SPDX-License-Identifier: MIT
// Training from the command line: load, describe, run the loop, write what was asked for.
#include "trainer/commands/train_command.hpp"

#include <algorithm>
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
#include "trainer/commands/run_outputs.hpp"
#include "trainer/config_io.hpp"
#include "trainer/console.hpp"
#include "trainer/distributed_program.hpp"
#include "trainer/dry_run.hpp"
#include "trainer/html_report.hpp"
#include "trainer/load_part.hpp"
#include "trainer/run_folder.hpp"
#include "trainer/timeline_file.hpp"
#include "trainer/training_loop.hpp"

namespace weft::trainer::commands {

namespace {

struct TrainArguments {
  std::filesystem::path config;
  std::vector<std::string> overrides;
  std::filesystem::path out;
  bool resume = false;
  bool overwrite = false;
  bool dry_run = false;
  bool print_config = false;

  [[nodiscard]] ExistingRun existing() const {
    if (resume) return ExistingRun::resume;
    return overwrite ? ExistingRun::overwrite : ExistingRun::refuse;
  }
  /// Where the run goes: --out, or runs/NAME for NAME.toml.
  [[nodiscard]] std::filesystem::path run_path() const {
    return out.empty() ? std::filesystem::path("runs") / config.stem() : out;
  }
};

/// A line a rank: what it owns. Collective; the table is complete on rank 0.
std::string ranks_table(comm::Communicator& communicator, const Engine& engine) {
  const partition::Part& part = engine.part();
  std::string row = text(communicator.rank(), '\t', host_name(), '\t', part.num_owned(), '\t',
                         part.num_boundary, '\t', part.num_halo());
  for (const auto& rows : engine.labelled().rows)
    row += text('\t', rows.size());
  std::vector<std::vector<std::string>> table{
      {"rank", "host", "owned", "boundary", "halo", "train", "val", "test"}};
  for (const std::string& line : communicator.all_gather(row)) {
    table.emplace_back();
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, '\t');)
      table.back().push_back(field);
  }
  return format_table(table);
}

/// The largest rank's peak: what it has had, or what it has and will take. Collective
std::int64_t estimate_memory(comm::Communicator& communicator, const Engine& engine) {
  std::int64_t bytes = std::max(peak_rss_bytes(), rss_bytes() + engine.planned_buffers().total());
  communicator.all_reduce_max(std::span<std::int64_t>(&bytes, 1));
  return bytes;
}

/// What epochs leave out, for people.
std::string savings_text(const Savings& savings) {
  const auto percent = [](double share) { return text(format_fixed(100 * share, 1), " %"); };
  std::string line =
      text("a training epoch computes ", percent(savings.computed_share), " of all rows");
  if (savings.halo_rows > 0) {
    const double share =
        static_cast<double>(savings.halo_slots) / static_cast<double>(savings.halo_rows);
    line += text(", moves ", percent(share), " of the halo rows");
  }
  if (savings.kept_sum_rows > 0) line += ", sums the input's neighbors once";
  return line;
}

RunFacts facts_of(comm::Communicator& communicator,
                  Engine& engine,
                  const RunConfig& config,
                  const std::string& partition_path) {
  RunFacts facts;
  facts.hosts = communicator.all_gather(host_name());
  facts.threads_per_rank = engine.context().num_threads();
  facts.seed = config.train.seed;
  facts.dataset_fingerprint = engine.part().info.dataset_fingerprint;
  facts.partition_fingerprint = engine.part().info.fingerprint;
  facts.partition_path = partition_path;
  facts.mpi_library = comm::Environment::library_version();
  return facts;
}

/// A run that is over is refused: there is nothing to go on with. One that trained to its end and
/// was cut off before its summary is finished.
void check_unfinished(const RunFolder& folder, const TrainingState& last, int num_epochs) {
  if (last.epoch < num_epochs) return;
  if (last.epoch == num_epochs && !std::filesystem::exists(folder.summary())) return;
  throw InputError(text("train: ", folder.path().string(), " has done ", last.epoch,
                        " epochs and train.epochs is ", num_epochs,
                        "; raise it (--set train.epochs=", last.epoch + 1, " or more) to go on"));
}

/// Continues from checkpoints/last, which rank 0 reads for all. Collective
void resume(comm::Communicator& communicator,
            const RunFolder& folder,
            int num_epochs,
            Engine& engine,
            TrainingLoop& loop) {
  TrainingState last;
  TrainingState best;
  std::vector<EpochReport> reports;
  capture_state(engine, 0, last);
  capture_state(engine, 0, best);
  comm::agree_on_errors(communicator, [&] {
    if (communicator.rank() != 0) return;
    const std::uint64_t fingerprint = engine.part().info.dataset_fingerprint;
    last = read_checkpoint(folder.last(), engine, fingerprint);
    if (last.best.epoch > 0) best = read_checkpoint(folder.best(), engine, fingerprint);
    check_unfinished(folder, last, num_epochs);
    reports = folder.read_metrics(last.epoch);
  });
  share_state(communicator, last);
  share_state(communicator, best);
  loop.resume(last, best, std::move(reports));
}

/// What the checkpoints of this run say about themselves.
CheckpointOrigin origin_of(Engine& engine, const RunConfig& config) {
  CheckpointOrigin origin;
  origin.dataset_fingerprint = engine.part().info.dataset_fingerprint;
  origin.config_toml = effective_toml(config);
  origin.num_classes = engine.part().info.num_classes;
  origin.num_features = engine.part().rows.features.num_columns;
  origin.statistics = engine.feature_statistics();
  if (!config.dataset.path.empty()) {
    origin.class_names = datasets::open_dataset(config.dataset.path).class_names;
  }
  return origin;
}

LoopObservers observers_of(comm::Communicator& communicator,
                           Engine& engine,
                           const RunFolder& folder,
                           const RunConfig& config,
                           const CheckpointOrigin& origin) {
  LoopObservers observers;
  if (communicator.rank() != 0) return observers;
  observers.epoch_done = [&](const EpochReport& report) {
    folder.append_metrics(metrics_line(report));
    if (config.output.log_format == LogFormat::json) {
      print_result(metrics_line(report));
    } else {
      print_status(epoch_line(report, config.train.epochs));
    }
  };
  observers.save = [&](const TrainingState& last, const TrainingState& best) {
    if (best.epoch > 0) write_checkpoint(folder.best(), best, engine, origin);
    if (last.epoch > 0) write_checkpoint(folder.last(), last, engine, origin);
  };
  return observers;
}

void print_summary(const RunSummary& summary, const RunFolder& folder, LogFormat format) {
  const Evaluation& best = summary.best.evaluation;
  // Where stdout carries lines of JSON, the table is for people only.
  const auto print = format == LogFormat::json ? print_status : print_result;
  print(format_table({
      {"result", ""},
      {"test accuracy", metric_text(best.accuracy[2])},
      {"validation accuracy", metric_text(best.accuracy[1])},
      {"best epoch", text(summary.best.epoch, " of ", summary.epochs)},
      {"final loss", format_fixed(summary.final_loss, 4)},
      {"epoch time (median)", format_seconds(summary.epoch_seconds_median)},
      {"halo bytes an epoch", format_bytes(summary.bytes_sent_per_epoch)},
      {"read in place an epoch", format_bytes(summary.bytes_in_place_per_epoch)},
      {"exchange hidden share", metric_text(summary.exchange_hidden_share)},
      {"peak memory of a rank", format_bytes(summary.peak_rss_bytes)},
      {"run folder", folder.path().string()},
  }));
}

/// Everything between a loaded part and a finished run folder.
void train(comm::Communicator& communicator,
           const TrainArguments& arguments,
           const RunConfig& config) {
  const Stopwatch load_watch;
  RunFolder folder(arguments.run_path());
  const bool is_root = communicator.rank() == 0;
  const auto on_root = [&](const std::function<void()>& step) {
    comm::agree_on_errors(communicator, [&] {
      if (is_root) step();
    });
  };
  on_root([&] { folder.check(arguments.existing()); });
  LoadedPart loaded = load_part(communicator, config, folder.path(),
                                is_root ? stderr_progress() : ProgressCallback{});
  if (is_root && !loaded.note.empty()) print_note(loaded.note);
  Engine engine(communicator, prepare_engine(communicator, std::move(loaded.part), config), config);
  const std::int64_t memory_estimate = estimate_memory(communicator, engine);
  const std::string ranks = ranks_table(communicator, engine);
  const Savings savings = engine.savings();
  const std::string sharing_note = engine.sharing_note();
  if (is_root) {
    if (!sharing_note.empty()) print_note(sharing_note);
    print_status(effective_toml(config));
    print_status(text(communicator.size(), " rank(s), ", engine.context().num_threads(),
                      " thread(s) each\n", ranks,
                      "memory of the largest rank: ", format_bytes(memory_estimate)));
    print_status(savings_text(savings));
    if (engine.labelled().global_counts[1] == 0) {
      print_warning(
          "the split has no labelled validation vertex, so the last epoch counts as the best");
    }
  }
  const RunFacts facts = facts_of(communicator, engine, config, loaded.partition_path);
  TrainingLoop loop(communicator, engine, config);
  on_root([&] {
    if (arguments.resume) folder.lock();
  });
  if (arguments.resume) resume(communicator, folder, config.train.epochs, engine, loop);
  CheckpointOrigin origin;
  on_root([&] {
    origin = origin_of(engine, config);
    folder.create(arguments.existing());
    folder.describe(config, facts);
    if (arguments.resume) folder.cut_metrics(loop.first_epoch() - 1);
  });
  double load_seconds = load_watch.seconds();
  communicator.all_reduce_max(std::span<double>(&load_seconds, 1));
  const StopRequest stop;
  LoopObservers observers = observers_of(communicator, engine, folder, config, origin);
  observers.is_stopped = [&] { return stop.signal() != 0; };
  RunSummary summary = loop.run(observers);
  if (config.output.timeline > 0)
    write_timeline(communicator, engine.timeline(), folder.timeline());
  summary.load_seconds = load_seconds;
  summary.memory_estimate_bytes = memory_estimate;
  loop.restore_best();
  write_outputs(communicator, engine, config, folder.path(),
                {config.output.predictions, config.output.embeddings, origin.class_names});
  on_root([&] {
    write_file_atomically(folder.report(),
                          html_report(summary, loop.reports(), effective_toml(config)));
    // Last: a run with a summary is complete.
    write_file_atomically(folder.summary(), summary_json(summary));
    print_summary(summary, folder, config.output.log_format);
  });
}

void run(const TrainArguments& arguments) {
  if (arguments.print_config) {
    print_result(effective_toml(load_config(arguments.config, arguments.overrides)));
    return;
  }
  run_on_all_ranks([&](comm::Communicator& communicator) {
    const RunConfig config = share_config(
        communicator, [&] { return load_config(arguments.config, arguments.overrides); });
    if (arguments.dry_run) {
      comm::agree_on_errors(communicator, [&] {
        if (communicator.rank() == 0) print_result(dry_run_report(config, stderr_progress()));
      });
      return;
    }
    train(communicator, arguments, config);
  });
}

}  // namespace

void add_train_command(CLI::App& app) {
  auto arguments = std::make_shared<TrainArguments>();
  CLI::App* command = app.add_subcommand(
      "train", "Train a model: mpiexec -n K weft train CONFIG.toml (one rank without mpiexec)");
  command->add_option("config", arguments->config, "The run's settings (TOML)")->required();
  command->add_option("--set", arguments->overrides, "Override a key: optimizer.lr=0.01")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_option("--out", arguments->out, "Run folder (default: runs/NAME for NAME.toml)");
  CLI::Option* resume = command->add_flag("--resume", arguments->resume,
                                          "Go on from the run folder's last checkpoint");
  command->add_flag("--overwrite", arguments->overwrite, "Replace the run in the run folder")
      ->excludes(resume);
  command->add_flag("--dry-run", arguments->dry_run,
                    "Print memory, bytes and predicted time for 1 to 64 ranks, and stop");
  command->add_flag("--print-config", arguments->print_config,
                    "Print the effective settings as TOML, and stop");
  command->footer("\nKeys of the configuration:\n" + describe_keys());
  command->callback([arguments] { run(*arguments); });
}

}  // namespace weft::trainer::commands
