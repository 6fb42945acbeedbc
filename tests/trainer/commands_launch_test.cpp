// SPDX-License-Identifier: MIT
// How a job is started: parts against ranks, launchers, hosts that hold their own part, threads.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "graph/support/process.hpp"
#include "tests/trainer/command_harness.hpp"

namespace weft::test_support {
namespace {

constexpr int soon_seconds = 10;  // nobody may wait for a rank that does not come

class Launch : public Commands {
 protected:
  /// Trains on the partition of `num_parts` parts with `ranks` ranks; expects a refusal that holds
  /// all of `words`, soon and without a run folder.
  void expect_refused(int num_parts, int ranks, const std::vector<std::string>& words) {
    const std::string config = make_demo();
    const ProgramResult made = weft(0, "partition " + at("demo") + " --parts " +
                                           std::to_string(num_parts) + " --out " + at("parts"));
    ASSERT_EQ(made.status, 0) << made.err;
    const ProgramResult result = weft(
        ranks, "train " + config + " --set partition.path=" + at("parts") + " --out " + at("run"),
        soon_seconds);
    EXPECT_EQ(result.status, 2) << result.err;
    for (const std::string& each : words)
      expect_words(result.err, each);
    EXPECT_FALSE(std::filesystem::exists(at("run")));
  }

  /// What training says on `ranks` ranks that may use the first `num_cpus` CPUs.
  std::string log_on_cpus(int num_cpus, int ranks) {
    std::string cpus;
    for (int i = 0; i < num_cpus; ++i) {
      const int cpu = affinity_cpus()[static_cast<std::size_t>(i)];
      cpus += (i == 0 ? "" : ",") + std::to_string(cpu);
    }
    const ProgramResult result =
        run_program("taskset -c " + cpus + ' ' +
                    weft_command(ranks, "train " + make_demo() + " --out " + at("run")));
    EXPECT_EQ(result.status, 0) << result.err;
    return result.err;
  }
};

TEST_F(Launch, FewerRanksThanPartsAreRefused) {
  expect_refused(4, 3, {"has 4 parts", "the job has 3 ranks", "mpiexec -n 4"});
}

TEST_F(Launch, MoreRanksThanPartsAreRefused) {
  expect_refused(2, 3, {"has 2 parts", "the job has 3 ranks", "mpiexec -n 2"});
}

// So does each of two processes that a launcher of another library started.
TEST_F(Launch, AProcessAloneIsToldThatItsLauncherMayBeWrong) {
  expect_refused(2, 0,
                 {"has 2 parts", "the job has 1 rank;", "mpiexec -n 2",
                  "launcher and MPI library may differ"});
}

// Two processes that each see one rank would write the same files.
TEST_F(Launch, ALauncherOfAnotherLibraryIsNoticed) {
  if (environment("WEFT_MPIEXEC").find("openmpi") != std::string::npos) {
    GTEST_SKIP() << "Open MPI is this build's own library";
  }
  const std::string config = make_demo();
  const ProgramResult result =
      run_program("OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=1 " +
                  weft_command(0, "train " + config + " --out " + at("run"), soon_seconds));
  EXPECT_EQ(result.status, 2) << result.err;
  expect_words(result.err, "OMPI_COMM_WORLD_SIZE=2");
  EXPECT_FALSE(std::filesystem::exists(at("run")));
}

TEST_F(Launch, AnErrorOfAllRanksIsPrintedOnce) {
  const std::string config = make_demo();
  const ProgramResult result = weft(3, "train " + config + " --set optimizer.lrr=1");
  EXPECT_EQ(result.status, 2);
  const std::string words = "optimizer.lrr is unknown";
  const std::size_t first = result.err.find(words);
  ASSERT_NE(first, std::string::npos) << result.err;
  EXPECT_EQ(result.err.find(words, first + 1), std::string::npos) << result.err;
}

TEST_F(Launch, CommandsOfOneProcessRefuseSeveral) {
  const std::string demo = at("demo");
  make_demo();
  const std::vector<std::string> commands{
      "import " + demo + " --out " + at("new"), "generate ring --out " + at("new"),
      "partition " + demo + " --parts 2 --out " + at("new"), "info " + demo};
  for (const std::string& command : commands) {
    const ProgramResult result = weft(3, command, soon_seconds);
    EXPECT_EQ(result.status, 2) << command << result.err;
    const std::string words =
        command.substr(0, command.find(' ')) + " runs as one process; start it without mpiexec";
    const std::size_t first = result.err.find(words);
    ASSERT_NE(first, std::string::npos) << result.err;
    EXPECT_EQ(result.err.find(words, first + 1), std::string::npos) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_FALSE(std::filesystem::exists(at("new")));
    EXPECT_EQ(weft(1, "info " + demo).status, 0);
  }
}

TEST_F(Launch, APartOfItsOwnIsEnoughForARank) {
  const std::string config = make_demo();
  ASSERT_EQ(weft(0, "partition " + at("demo") + " --parts 2 --out " + at("parts")).status, 0);
  for (const std::string rank : {"0", "1"}) {
    std::filesystem::create_directories(at("host" + rank));
    std::filesystem::copy(at("parts/part-0000" + rank), at("host" + rank + "/part-0000" + rank));
  }
  std::filesystem::remove_all(at("parts"));
  const std::string path = " --set partition.path=" + at("host") + "'{rank}' --out ";
  const ProgramResult result = weft(2, "train " + config + path + at("run"));
  EXPECT_EQ(result.status, 0) << result.err;
  std::filesystem::remove_all(at("host1"));
  const ProgramResult missing = weft(2, "train " + config + path + at("run2"));
  EXPECT_EQ(missing.status, 2);
  expect_words(missing.err, "host1");
}

// Threads come from the CPUs that the process may use, shared by the ranks of the host.
TEST_F(Launch, RanksThatShareACpuGetAThreadEach) {
  expect_words(log_on_cpus(1, 2), "2 rank(s), 1 thread(s) each");
}

TEST_F(Launch, RanksShareTheCpusOfTheHost) {
  if (usable_cpus() < 2) GTEST_SKIP() << "one CPU may be used here, two are needed to share them";
  expect_words(log_on_cpus(2, 2), "2 rank(s), 1 thread(s) each");
}

TEST_F(Launch, ARankAloneGetsAllCpusThatItMayUse) {
  if (usable_cpus() < 2) GTEST_SKIP() << "one CPU may be used here, two are needed for a choice";
  expect_words(log_on_cpus(2, 1), "1 rank(s), 2 thread(s) each");
}

// Rank 0 alone writes checkpoints: where their folder goes away under it, it says so and ends the
// job, and the other ranks do not wait for it.
TEST_F(Launch, AnErrorThatOneRankMeetsAloneIsPrintedAndEndsTheJob) {
  const std::string config = make_demo();
  const std::string train =
      weft_command(2, "train " + config + " --out " + at("run") +
                          " --set train.epochs=10000000 --set train.checkpoint_every=1");
  const ProgramResult ended =
      run_program("{ " + train + " & pid=$!; until [ -s " + at("run/metrics.jsonl") +
                  " ] || ! kill -0 $pid; do sleep 0.01; done; until rm -rf " +
                  at("run/checkpoints") + "; do :; done; wait $pid; }");
  EXPECT_NE(ended.status, 0);
  EXPECT_LT(ended.status, 124) << "it waited until it was killed";
  expect_words(ended.err, "rank 0: ");
  expect_words(ended.err, "; ending the job");
}

}  // namespace
}  // namespace weft::test_support
