// SPDX-License-Identifier: MIT
// The loop keeps the best epoch, a resumed run is the run that was not interrupted, and ranks whose
// weights differ stop together (T8).
#include "trainer/training_loop.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "graph/support/error.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/trainer/engine_harness.hpp"

namespace weft::trainer {
namespace {

using test_support::Owners;

/// An engine with its loop, and the lines that it reported (without times).
struct LoopRun {
  explicit LoopRun(comm::Communicator& world, const RunConfig& run_config)
      : config(run_config),
        engine(world,
               prepare_engine(
                   world,
                   test_support::my_part(world, test_support::random_dataset(), Owners::random),
                   config),
               config),
        loop(world, engine, config) {}

  RunSummary run() {
    LoopObservers observers;
    observers.epoch_done = [this](const EpochReport& report) {
      EpochReport timeless = report;
      timeless.seconds.fill(0);
      timeless.epoch_seconds = 0;
      lines.push_back(metrics_line(timeless));
      reports.push_back(report);
    };
    observers.save = [this](const TrainingState& last, const TrainingState& best) {
      saved_last = last;
      saved_best = best;
    };
    observers.is_stopped = is_stopped;
    return loop.run(observers);
  }

  RunConfig config;
  Engine engine;
  TrainingLoop loop;
  std::function<bool()> is_stopped;
  std::vector<std::string> lines;
  std::vector<EpochReport> reports;
  TrainingState saved_last;
  TrainingState saved_best;
};

RunConfig config_of(int epochs) {
  RunConfig config = test_support::small_config(ModelType::gcn);
  config.train.epochs = epochs;
  return config;
}

TEST(TrainingLoop, KeepsTheFirstBestEpochByValidation) {
  comm::Communicator world = comm::Communicator::world();
  LoopRun run(world, config_of(12));
  const RunSummary summary = run.run();
  ASSERT_EQ(run.reports.size(), 12U);
  int best = 0;
  double best_accuracy = -1;
  for (const EpochReport& report : run.reports) {
    if (report.evaluation->accuracy[1] > best_accuracy) {
      best_accuracy = report.evaluation->accuracy[1];
      best = report.epoch;
    }
  }
  EXPECT_EQ(summary.best.epoch, best);
  EXPECT_DOUBLE_EQ(summary.best.evaluation.accuracy[1], best_accuracy);
  run.loop.restore_best();
  EXPECT_DOUBLE_EQ(run.engine.evaluate().accuracy[1], best_accuracy);
}

TEST(TrainingLoop, EvaluatesEveryFewEpochsAndAtTheEnd) {
  comm::Communicator world = comm::Communicator::world();
  RunConfig config = config_of(7);
  config.train.eval_every = 3;
  LoopRun run(world, config);
  run.run();
  std::vector<int> evaluated;
  for (const EpochReport& report : run.reports) {
    if (report.evaluation.has_value()) evaluated.push_back(report.epoch);
  }
  EXPECT_EQ(evaluated, (std::vector<int>{3, 6, 7}));
}

std::string runtime_error_of(LoopRun& run) {
  try {
    run.run();
    return "no error";
  } catch (const RuntimeError& error) {
    return error.what();
  }
}

TEST(TrainingLoop, StopsAllRanksWhereOneHasOtherWeights) {
  comm::Communicator world = comm::Communicator::world();
  if (world.size() == 1) GTEST_SKIP() << "weights that differ need two ranks";
  LoopRun run(world, config_of(3));
  if (world.rank() == 1) run.engine.model().parameters().values()[0] += Real{1e-3F};
  const std::string error = runtime_error_of(run);
  EXPECT_NE(error.find("after epoch 1 the ranks' weights differ"), std::string::npos) << error;
  EXPECT_EQ(run.saved_last.epoch, 0) << "what differs was saved";
}

TEST(TrainingLoop, StopsAllRanksWhereOneIsAskedTo) {
  comm::Communicator world = comm::Communicator::world();
  LoopRun run(world, config_of(5));
  int num_asked = 0;
  run.is_stopped = [&] { return ++num_asked == 2 && world.rank() == world.size() - 1; };
  const std::string error = runtime_error_of(run);
  EXPECT_NE(error.find("stopped by a signal after epoch 2 of 5"), std::string::npos) << error;
  EXPECT_EQ(run.reports.size(), 2U);
  EXPECT_EQ(run.saved_last.epoch, world.rank() == 0 ? 2 : 0);
}

TEST(TrainingLoop, EndsAsUsualWhereTheLastEpochIsAskedToStop) {
  comm::Communicator world = comm::Communicator::world();
  LoopRun run(world, config_of(2));
  run.is_stopped = [&] { return run.reports.size() == 1; };
  EXPECT_EQ(run.run().epochs, 2);
}

TEST(TrainingLoop, AddsBytesOfAllRanksAndTakesTheSlowestTime) {
  comm::Communicator world = comm::Communicator::world();
  LoopRun run(world, config_of(1));
  run.run();
  const EpochReport& report = run.reports.at(0);
  const comm::HaloTraffic traffic = run.engine.traffic();  // the evaluation's, too
  std::array<std::int64_t, 2> bytes{traffic.bytes_sent,
                                    world.size() > 1 ? run.engine.model().parameters().size() : 0};
  StepSeconds seconds = run.engine.seconds();
  world.all_reduce_sum(std::span<std::int64_t>(bytes));
  world.all_reduce_max(std::span<double>(seconds));
  EXPECT_EQ(report.halo_bytes + report.evaluation_bytes, bytes[0]);
  EXPECT_EQ(report.gradient_bytes, bytes[1] * static_cast<std::int64_t>(sizeof(Real)));
  EXPECT_EQ(report.seconds, seconds);
  const double* begin = seconds.data();
  EXPECT_GE(report.epoch_seconds, *std::max_element(begin, begin + num_steps - 1));
  EXPECT_LE(report.epoch_seconds, std::accumulate(begin, begin + num_steps - 1, 0.0) + 1e-9);
}

TEST(TrainingLoop, ResumesBitForBitThroughAFile) {
  comm::Communicator world = comm::Communicator::world();
  LoopRun whole(world, config_of(10));
  const RunSummary expected = whole.run();

  LoopRun first(world, config_of(5));
  first.run();
  const test_support::TemporaryFolder folder;
  const CheckpointOrigin origin{42, "config"};
  if (world.rank() == 0) {
    write_checkpoint(folder / "last", first.saved_last, first.engine, origin);
    write_checkpoint(folder / "best", first.saved_best, first.engine, origin);
  }
  std::vector<std::string> paths = world.all_gather(folder.path().string());
  const std::filesystem::path shared = paths[0];

  LoopRun second(world, config_of(10));
  second.loop.resume(read_checkpoint(shared / "last", second.engine, 42),
                     read_checkpoint(shared / "best", second.engine, 42));
  EXPECT_EQ(second.loop.first_epoch(), 6);
  const RunSummary resumed = second.run();
  EXPECT_EQ(resumed.weight_hash, expected.weight_hash);
  EXPECT_EQ(resumed.best.epoch, expected.best.epoch);
  EXPECT_EQ(second.lines, std::vector<std::string>(whole.lines.begin() + 5, whole.lines.end()));
  world.barrier();
}

}  // namespace
}  // namespace weft::trainer
