// SPDX-License-Identifier: MIT
// An epoch on K ranks of one thread each, against one rank of K threads: what parts cost on one
// machine. METIS's parts in Weft's order; the same model, graph and seed.
//
//   mpiexec.hydra -n 2 ranks_bench [--graph communities|rmat] [--model gcn|sage] [--hidden N]
//                                  [--log2-vertices N] [--quick]
//
// Before the clock starts the losses of three epochs must agree to 1e-5. Rounds of both run in
// turn; while rank 0 trains alone the others wait without a CPU.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "graph/support/timing.hpp"
#include "tests/bench/epoch_engine.hpp"
#include "tests/bench/part_graphs.hpp"

namespace weft::bench {
namespace {

GraphSetting graph_of(const Options& options) {
  GraphSetting setting;
  setting.kind = options.word("--graph", setting.kind);
  setting.num_vertices = std::int64_t{1}
                         << options.number("--log2-vertices", options.quick ? 12 : 18);
  setting.num_communities = std::max<std::int64_t>(8, setting.num_vertices / 1024);
  return setting;
}

/// The same model on all ranks, and on rank 0 alone.
class Race {
 public:
  Race(comm::Communicator& world, comm::Communicator& self, const Options& options)
      : world_(world) {
    const datasets::Dataset dataset = make_bench_dataset(graph_of(options));
    const PartsOf parts(dataset, world.size());
    together_ = std::make_unique<Trained>(world, parts.build(world.rank()), config_of(options, 1));
    if (world.rank() == 0) {
      alone_ = std::make_unique<Trained>(self, make_whole_part(dataset, IdOrder::chosen).part,
                                         config_of(options, world.size()));
    }
  }

  void verify() {
    for (int epoch = 1; epoch <= 3; ++epoch) {
      const double found = together_->train();
      const double expected = alone_ ? alone_->train() : found;
      if (std::abs(found - expected) > 1e-5 * expected) {
        throw RuntimeError(text("ranks_bench: the loss of epoch ", epoch, " is ", found, " on ",
                                world_.size(), " ranks, expected ", expected, " as on one"));
      }
    }
  }

  /// Seconds of an epoch on all ranks, the slowest one's.
  double together() {
    world_.barrier();
    const Stopwatch watch;
    keep(together_->train());
    double seconds = watch.seconds();
    world_.all_reduce_max(std::span(&seconds, 1));
    return seconds;
  }
  /// Seconds of one on rank 0; nothing elsewhere.
  double alone() {
    world_.barrier();
    const Stopwatch watch;
    if (alone_) keep(alone_->train());
    const double seconds = watch.seconds();
    world_.barrier();
    return seconds;
  }

 private:
  comm::Communicator& world_;
  std::unique_ptr<Trained> together_;
  std::unique_ptr<Trained> alone_;
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void run(const Options& options, Report& report) {
  comm::Communicator world = comm::Communicator::world();
  comm::Communicator self = comm::Communicator::self();
  if (world.size() < 2) throw InputError("ranks_bench: 1 rank, expected 2 or more: use mpiexec");
  Race race(world, self, options);
  race.verify();
  std::vector<double> together;
  std::vector<double> alone;
  for (int round = 0; round < options.repetitions; ++round) {
    together.push_back(race.together());
    alone.push_back(race.alone());
  }
  if (world.rank() != 0) return;
  report.section(text("Ranks against threads, ", options.word("--graph", "communities")));
  report.add(
      {"epoch", {{"ms on ranks", median(together) * 1e3}, {"ms on threads", median(alone) * 1e3}}});
  report.require_at_most(
      text(world.size(), " ranks x 1 thread, of 1 rank x ", world.size(), " threads"),
      median(together) / median(alone), 1.1);
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  weft::comm::Environment environment(&argc, &argv);
  const int status =
      weft::bench::run_benchmark("ranks_bench", argc, argv, weft::bench::run,
                                 {"--graph", "--model", "--hidden", "--log2-vertices"});
  environment.set_exit_status(status);
  return status;
}
