// SPDX-License-Identifier: MIT
// What an epoch saves: by leaving out rows that the loss cannot reach, and by storing rows as bf16.
// Two engines of one graph train in turn.
//
//   savings_bench [--only pruning|precision] [--graph communities|rmat] [--model gcn|sage]
//                 [--hidden N] [--log2-vertices N] [--quick]
//
// Before the clock starts the losses of three epochs must agree: to 1e-6 where rows are left out,
// to 2e-2 in bf16.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "tests/bench/epoch_engine.hpp"
#include "tests/bench/part_graphs.hpp"

namespace weft::bench {
namespace {

using trainer::RunConfig;

GraphSetting graph_of(const Options& options, double mean_degree) {
  GraphSetting setting;
  setting.kind = options.word("--graph", setting.kind);
  setting.num_vertices = std::int64_t{1}
                         << options.number("--log2-vertices", options.quick ? 12 : 18);
  setting.num_communities = std::max<std::int64_t>(8, setting.num_vertices / 1024);
  setting.mean_degree = options.quick ? std::min(mean_degree, 16.0) : mean_degree;
  return setting;
}

/// Two engines of one part.
struct Pair {
  Pair(comm::Communicator& communicator,
       const partition::Part& part,
       const RunConfig& whole_config,
       const RunConfig& saving_config)
      : whole(communicator, part, whole_config), saving(communicator, part, saving_config) {}

  void verify(double tolerance) {
    for (int epoch = 1; epoch <= 3; ++epoch) {
      const double expected = whole.train();
      const double found = saving.train();
      if (std::abs(found - expected) > tolerance * expected) {
        throw RuntimeError(text("savings_bench: the loss of epoch ", epoch, " is ", found,
                                ", expected ", expected, "; nothing was timed"));
      }
    }
  }
  std::vector<Timing> race(const Options& options) {
    return measure_in_turn(options, {[&] { keep(whole.train()); }, [&] { keep(saving.train()); }});
  }

  Trained whole;
  Trained saving;
};

struct Pruning {
  double mean_degree;
  const char* split;
  const char* labelled;
  double bound;
};

void bench_pruning(const Options& options, Report& report, comm::Communicator& communicator) {
  constexpr Pruning cases[] = {{61, "twelfth", "8 % labelled", 0.75},
                               {8, "hundredth", "1 % labelled", 0.5}};
  for (const Pruning& pruning : cases) {
    const GraphSetting setting = graph_of(options, pruning.mean_degree);
    RunConfig full = config_of(options, options.num_threads);
    full.dataset.split = pruning.split;
    full.train.prune = false;
    RunConfig pruned = full;
    pruned.train.prune = true;
    Pair pair(communicator, make_whole_part(make_bench_dataset(setting), IdOrder::chosen).part,
              full, pruned);
    pair.verify(1e-6);
    const std::vector<Timing> timings = pair.race(options);
    const std::string name =
        text(setting.mean_degree, " neighbors, ", pruning.labelled, ", ", setting.kind);
    report.section(name);
    report.add({"epoch",
                {{"ms", timings[0].median_seconds * 1e3},
                 {"pruned ms", timings[1].median_seconds * 1e3},
                 {"of the rows", pair.saving.engine().savings().computed_share}}});
    report.require_at_most(text("pruned epoch of the full one, ", name),
                           timings[1].median_seconds / timings[0].median_seconds, pruning.bound);
  }
}

void bench_precision(const Options& options, Report& report, comm::Communicator& communicator) {
  const GraphSetting setting = graph_of(options, 61);
  const RunConfig full = config_of(options, options.num_threads);
  RunConfig halves = full;
  halves.train.precision = trainer::Precision::bf16;
  Pair pair(communicator, make_whole_part(make_bench_dataset(setting), IdOrder::chosen).part, full,
            halves);
  pair.verify(2e-2);
  const std::vector<Timing> timings = pair.race(options);
  report.section(text("bf16 against fp32, ", setting.kind));
  report.add({"epoch",
              {{"fp32 ms", timings[0].median_seconds * 1e3},
               {"bf16 ms", timings[1].median_seconds * 1e3},
               {"of fp32", timings[1].median_seconds / timings[0].median_seconds}}});
}

void run(const Options& options, Report& report) {
  comm::Communicator communicator = comm::Communicator::self();
  const bool all = options.only.empty();
  if (!all && options.only != "pruning" && options.only != "precision") {
    throw InputError(
        text("--only: there is no part '", options.only, "'; valid: pruning, precision"));
  }
  if (all || options.only == "pruning") bench_pruning(options, report, communicator);
  if (all || options.only == "precision") bench_precision(options, report, communicator);
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  weft::comm::Environment environment(&argc, &argv);
  const int status =
      weft::bench::run_benchmark("savings_bench", argc, argv, weft::bench::run,
                                 {"--graph", "--model", "--hidden", "--log2-vertices"});
  environment.set_exit_status(status);
  return status;
}
