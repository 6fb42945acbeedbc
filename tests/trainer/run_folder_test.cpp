// SPDX-License-Identifier: MIT
// A run folder is never overwritten by accident, and a folder that is no run never at all.
#include "trainer/run_folder.hpp"

#include <gtest/gtest.h>

#include <memory>

#include <fstream>
#include <sstream>

#include "graph/support/error.hpp"
#include "tests/support/temporary_folder.hpp"
#include "trainer/config_io.hpp"

namespace weft::trainer {
namespace {

RunConfig config() {
  RunConfig result;
  result.dataset.path = "/somewhere/data";
  result.optimizer.lr = 0.25;
  return result;
}

std::string lines_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

TEST(RunFolder, RefusesAFolderThatIsThere) {
  const test_support::TemporaryFolder parent;
  RunFolder folder(parent.path() / "run");
  EXPECT_NO_THROW(folder.check(ExistingRun::refuse));
  folder.create(ExistingRun::refuse);
  folder.describe(config(), {});
  EXPECT_THROW(folder.check(ExistingRun::refuse), InputError);
  EXPECT_NO_THROW(folder.check(ExistingRun::overwrite));
  EXPECT_THROW(folder.check(ExistingRun::resume), InputError);
}

TEST(RunFolder, APartitionThatAFailedStartLeftIsNotInTheWay) {
  const test_support::TemporaryFolder parent;
  std::filesystem::create_directory(parent.path() / "metis-k4-s1");
  std::ofstream(parent.path() / "metis-k4-s1" / "partition.json") << "{}";
  EXPECT_NO_THROW(RunFolder(parent.path()).check(ExistingRun::refuse));
  std::ofstream(parent.path() / "notes.txt") << "mine";
  EXPECT_THROW(RunFolder(parent.path()).check(ExistingRun::refuse), InputError);
}

TEST(RunFolder, TwoRunsDoNotShareAFolder) {
  const test_support::TemporaryFolder parent;
  auto first = std::make_unique<RunFolder>(parent.path() / "run");
  first->create(ExistingRun::refuse);
  RunFolder second(parent.path() / "run");
  try {
    second.create(ExistingRun::overwrite);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("another run is writing"), std::string::npos)
        << error.what();
  }
  first.reset();
  EXPECT_NO_THROW(second.create(ExistingRun::overwrite));
}

TEST(RunFolder, NeverOverwritesWhatIsNoRun) {
  const test_support::TemporaryFolder parent;
  std::ofstream(parent.path() / "thesis.tex") << "years of work";
  EXPECT_THROW(RunFolder(parent.path()).check(ExistingRun::overwrite), InputError);
}

TEST(RunFolder, OverwritingLeavesFilesOfOthers) {
  const test_support::TemporaryFolder parent;
  RunFolder folder(parent.path() / "run");
  folder.create(ExistingRun::refuse);
  folder.describe(config(), {});
  folder.append_metrics("{\"epoch\": 1}");
  std::ofstream(folder.path() / "notes.txt") << "mine";
  folder.create(ExistingRun::overwrite);
  EXPECT_FALSE(std::filesystem::exists(folder.metrics()));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "notes.txt"));
}

TEST(RunFolder, ConfigCanBeRunAgain) {
  const test_support::TemporaryFolder parent;
  RunFolder folder(parent.path() / "run");
  folder.create(ExistingRun::refuse);
  folder.describe(config(), {});
  const RunConfig again = load_config(folder.config());
  EXPECT_EQ(again.optimizer.lr, 0.25);
  EXPECT_EQ(effective_toml(again), effective_toml(config()));
}

TEST(RunFolder, CutsMetricsBehindTheResumedEpoch) {
  const test_support::TemporaryFolder parent;
  RunFolder folder(parent.path() / "run");
  folder.create(ExistingRun::refuse);
  EpochReport report;
  std::string kept;
  for (report.epoch = 1; report.epoch <= 4; ++report.epoch) {
    folder.append_metrics(metrics_line(report));
    if (report.epoch <= 2) kept += metrics_line(report) + '\n';
  }
  folder.append_metrics("{\"epoch\": 1, \"lo");  // cut off by a crash
  folder.cut_metrics(2);
  EXPECT_EQ(lines_of(folder.metrics()), kept);
  const std::vector<EpochReport> reports = folder.read_metrics(1);
  ASSERT_EQ(reports.size(), 1U);
  EXPECT_EQ(reports[0].epoch, 1);
}

}  // namespace
}  // namespace weft::trainer
