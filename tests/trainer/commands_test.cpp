// SPDX-License-Identifier: MIT
// The commands from outside, as users run them: an edge list of their own to predictions, on one
// and on several ranks; what is refused and how; the same run twice.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/run_program.hpp"

namespace weft {
namespace {

using test_support::ProgramResult;
using test_support::TemporaryFolder;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// `weft ARGUMENTS` on `ranks` ranks (0: without a launcher), never longer than a minute.
ProgramResult weft(int ranks, const std::string& arguments) {
  const std::string launcher =
      ranks == 0 ? "" : environment("WEFT_MPIEXEC") + " -n " + std::to_string(ranks) + ' ';
  return test_support::run_program("timeout --signal=KILL 60 " + launcher +
                                   environment("WEFT_PROGRAM") + ' ' + arguments);
}

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

/// metrics.jsonl without its times.
std::vector<std::string> timeless_metrics(const std::filesystem::path& run) {
  std::vector<std::string> lines;
  for (const std::string& line : lines_of(read(run / "metrics.jsonl"))) {
    auto json = nlohmann::ordered_json::parse(line);
    json.erase("seconds");
    lines.push_back(json.dump());
  }
  return lines;
}

nlohmann::json summary_of(const std::filesystem::path& run) {
  return nlohmann::json::parse(read(run / "summary.json"));
}

class Commands : public ::testing::Test {
 protected:
  /// A generated dataset of 600 vertices and settings for it; returns the settings' path.
  std::string make_demo(const std::string& more_settings = "") {
    const ProgramResult made =
        weft(0, "generate communities --nodes 600 --classes 3 --features 8 --out " + at("demo"));
    EXPECT_EQ(made.status, 0) << made.err;
    return write_config("demo.toml", "demo", more_settings);
  }

  std::string write_config(const std::string& name,
                           const std::string& dataset,
                           const std::string& more_settings) {
    folder_.write(name, "[dataset]\npath = \"" + dataset +
                            "\"\n[model]\ntype = \"gcn\"\nhidden = 8\n[train]\nepochs = 8\n" +
                            more_settings);
    return at(name);
  }

  [[nodiscard]] std::string at(const std::string& name) const {
    return (folder_.path() / name).string();
  }

  TemporaryFolder folder_;
};

// Original ids 7 i mod 101, the feature of a vertex is its id: every output is keyed by the id.
TEST_F(Commands, PredictionsAreKeyedByTheUsersIds) {
  std::string edges;
  for (int i = 0; i < 101; ++i) {
    edges +=
        std::to_string(1000 + 7 * i % 101) + ' ' + std::to_string(1000 + 7 * (i + 1) % 101) + '\n';
  }
  std::string features = "%%MatrixMarket matrix array real general\n101 1\n";
  std::string labels;
  std::string split;
  for (int row = 0; row < 101; ++row) {  // rows follow the rising ids 1000, 1001, ...
    features += std::to_string(row % 2 == 0 ? 1 : -1) + '\n';
    labels += std::to_string(row % 2) + '\n';
    split += row % 3 == 2 ? "1\n" : "0\n";
  }
  folder_.write("edges.txt", edges);
  folder_.write("features.mtx", features);
  folder_.write("labels.txt", labels);
  folder_.write("split.txt", split);
  const ProgramResult imported =
      weft(0, "import " + at("edges.txt") + " --ids sparse --features " + at("features.mtx") +
                  " --labels " + at("labels.txt") + " --split " + at("split.txt") + " --out " +
                  at("data"));
  ASSERT_EQ(imported.status, 0) << imported.err;
  const std::string config =
      write_config("ids.toml", "data", "[optimizer]\nlr = 0.1\n[output]\npredictions = true\n");
  // SAGE sees a vertex's own feature apart from its neighbors', so it can tell the two classes.
  std::string first;
  for (const int ranks : {1, 3}) {
    const std::string run = at("run" + std::to_string(ranks));
    const ProgramResult trained = weft(ranks, "train " + config +
                                                  " --set model.type=sage --set model.dropout=0"
                                                  " --set train.epochs=60 --out " +
                                                  run);
    ASSERT_EQ(trained.status, 0) << trained.err;
    std::map<int, int> predicted;
    for (const std::string& line : lines_of(read(run + "/predictions.csv"))) {
      int id = 0;
      int predicted_class = 0;
      if (std::sscanf(line.c_str(), "%d,%d,", &id, &predicted_class) == 2) {
        predicted[id] = predicted_class;
      }
    }
    ASSERT_EQ(predicted.size(), 101U);
    for (const auto& [id, predicted_class] : predicted)
      EXPECT_EQ(predicted_class, id % 2) << id;
  }
}

// The last vertex has no edge: five rows of features give five vertices and five predictions.
TEST_F(Commands, ATrailingIsolatedVertexIsPredicted) {
  folder_.write("edges.txt", "0 1\n1 2\n2 3\n");
  folder_.write("features.mtx",
                "%%MatrixMarket matrix array real general\n5 2\n1\n2\n3\n4\n5\n5\n4\n3\n2\n1\n");
  folder_.write("labels.txt", "0\n1\n0\n1\n0\n");
  folder_.write("split.txt", "0\n0\n0\n1\n2\n");
  ASSERT_EQ(weft(0, "import " + at("edges.txt") + " --undirected --features " + at("features.mtx") +
                        " --labels " + at("labels.txt") + " --split " + at("split.txt") +
                        " --out " + at("data"))
                .status,
            0);
  const std::string config = write_config("five.toml", "data", "[output]\npredictions = true\n");
  for (const int ranks : {1, 2}) {
    const std::string run = at("run" + std::to_string(ranks));
    const ProgramResult trained = weft(ranks, "train " + config + " --out " + run);
    ASSERT_EQ(trained.status, 0) << trained.err;
    const std::vector<std::string> lines = lines_of(read(run + "/predictions.csv"));
    ASSERT_EQ(lines.size(), 6U);
    EXPECT_EQ(lines[5].rfind("4,", 0), 0U) << lines[5];
    EXPECT_EQ(lines[5].find("nan"), std::string::npos);
  }
}

TEST_F(Commands, TheSameCommandTwiceGivesTheSameBits) {
  const std::string config = make_demo();
  ASSERT_EQ(weft(2, "train " + config + " --out " + at("a")).status, 0);
  ASSERT_EQ(weft(2, "train " + config + " --out " + at("b")).status, 0);
  ASSERT_EQ(weft(2, "train " + config + " --out " + at("c") + " --set train.threads=2").status, 0);
  EXPECT_EQ(timeless_metrics(at("a")), timeless_metrics(at("b")));
  EXPECT_EQ(timeless_metrics(at("a")), timeless_metrics(at("c")));
  EXPECT_EQ(summary_of(at("a"))["weight_hash"], summary_of(at("b"))["weight_hash"]);
  EXPECT_EQ(summary_of(at("a"))["weight_hash"], summary_of(at("c"))["weight_hash"]);
}

TEST_F(Commands, EvaluateGivesWhatTrainingReported) {
  const std::string config = make_demo();
  ASSERT_EQ(weft(2, "train " + config + " --out " + at("run")).status, 0);
  const double expected = summary_of(at("run"))["test_metric"];
  for (const int ranks : {2, 3, 0}) {
    const ProgramResult evaluated = weft(ranks, "evaluate " + at("run") + " --json");
    ASSERT_EQ(evaluated.status, 0) << evaluated.err;
    EXPECT_NEAR(nlohmann::json::parse(evaluated.out)["test_accuracy"].get<double>(), expected, 1e-4)
        << ranks << " ranks";
  }
}

TEST_F(Commands, AResumedRunIsTheRunThatWasNotInterrupted) {
  const std::string config = make_demo();
  ASSERT_EQ(weft(2, "train " + config + " --out " + at("whole")).status, 0);
  ASSERT_EQ(weft(2, "train " + config + " --out " + at("two") + " --set train.epochs=5").status, 0);
  const ProgramResult resumed = weft(2, "train " + config + " --out " + at("two") + " --resume");
  ASSERT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_EQ(timeless_metrics(at("two")), timeless_metrics(at("whole")));
  EXPECT_EQ(summary_of(at("two"))["weight_hash"], summary_of(at("whole"))["weight_hash"]);
}

TEST_F(Commands, AFinishedRunIsNotResumedOverItsSummary) {
  const std::string config = make_demo();
  ASSERT_EQ(weft(1, "train " + config + " --out " + at("run")).status, 0);
  const std::string summary = read(at("run/summary.json"));
  const ProgramResult again = weft(2, "train " + config + " --out " + at("run") + " --resume");
  EXPECT_EQ(again.status, 2);
  EXPECT_NE(again.err.find("has done 8 epochs"), std::string::npos) << again.err;
  EXPECT_EQ(read(at("run/summary.json")), summary);
}

TEST_F(Commands, ARunFolderThatExistsIsRefused) {
  const std::string config = make_demo();
  ASSERT_EQ(weft(1, "train " + config + " --out " + at("run")).status, 0);
  const ProgramResult again = weft(2, "train " + config + " --out " + at("run"));
  EXPECT_EQ(again.status, 2);
  EXPECT_NE(again.err.find("--overwrite"), std::string::npos) << again.err;
  EXPECT_EQ(weft(1, "train " + config + " --out " + at("run") + " --overwrite").status, 0);
}

TEST_F(Commands, PartsAndRanksAreCompared) {
  const std::string config = make_demo();
  ASSERT_EQ(weft(0, "partition " + at("demo") + " --parts 4 --out " + at("parts")).status, 0);
  const ProgramResult result =
      weft(3, "train " + config + " --set partition.path=" + at("parts") + " --out " + at("run"));
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("4 parts"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("3 ranks"), std::string::npos) << result.err;
  EXPECT_FALSE(std::filesystem::exists(at("run")));
}

TEST_F(Commands, AnErrorOfAllRanksIsPrintedOnce) {
  const std::string config = make_demo();
  const ProgramResult result = weft(3, "train " + config + " --set optimizer.lrr=1");
  EXPECT_EQ(result.status, 2);
  const std::string words = "optimizer.lrr is unknown";
  const std::size_t first = result.err.find(words);
  ASSERT_NE(first, std::string::npos) << result.err;
  EXPECT_EQ(result.err.find(words, first + 1), std::string::npos) << result.err;
}

TEST_F(Commands, VerifyProvesThatRanksEqualOne) {
  const std::string config = make_demo();
  const ProgramResult result = weft(3, "verify " + config + " --epochs 1,8");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("3 rank(s) against one, equal"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("layer0.grad_output"), std::string::npos) << result.out;
}

TEST_F(Commands, APartOfItsOwnIsEnoughForARank) {
  const std::string config = make_demo();
  ASSERT_EQ(weft(0, "partition " + at("demo") + " --parts 2 --out " + at("parts")).status, 0);
  for (const std::string rank : {"0", "1"}) {
    std::filesystem::create_directories(at("host" + rank));
    std::filesystem::copy(at("parts/part-0000" + rank), at("host" + rank + "/part-0000" + rank));
  }
  std::filesystem::remove_all(at("parts"));
  const ProgramResult result = weft(
      2, "train " + config + " --set partition.path=" + at("host") + "'{rank}' --out " + at("run"));
  EXPECT_EQ(result.status, 0) << result.err;
  std::filesystem::remove_all(at("host1"));
  const ProgramResult missing = weft(2, "train " + config + " --set partition.path=" + at("host") +
                                            "'{rank}' --out " + at("run2"));
  EXPECT_EQ(missing.status, 2);
  EXPECT_NE(missing.err.find("host1"), std::string::npos) << missing.err;
}

TEST_F(Commands, DryRunCountsAndWritesNothing) {
  const std::string config = make_demo();
  const ProgramResult result = weft(0, "train " + config + " --dry-run --out " + at("run"));
  EXPECT_EQ(result.status, 0) << result.err;
  for (const char* ranks : {"\n1 ", "\n2 ", "\n64 "}) {
    EXPECT_NE(result.out.find(ranks), std::string::npos) << result.out;
  }
  EXPECT_FALSE(std::filesystem::exists(at("run")));
  EXPECT_FALSE(std::filesystem::exists(at("demo/partitions")));
}

TEST_F(Commands, PrintedSettingsCanBeRunAgain) {
  const std::string config = make_demo();
  const ProgramResult printed =
      weft(0, "train " + config + " --print-config --set optimizer.lr=0.125");
  ASSERT_EQ(printed.status, 0) << printed.err;
  folder_.write("again.toml", printed.out);
  const ProgramResult again = weft(0, "train " + at("again.toml") + " --print-config");
  EXPECT_EQ(again.out, printed.out);
  EXPECT_NE(printed.out.find("lr = 0.125"), std::string::npos);
}

TEST_F(Commands, InfoTellsWhatAFolderIs) {
  const std::string config = make_demo();
  ASSERT_EQ(weft(2, "train " + config + " --out " + at("run")).status, 0);
  const std::vector<std::pair<std::string, std::string>> expected{
      {"demo", "dataset"},
      {"demo/partitions/metis-k2-s1", "partition"},
      {"run", "test_metric"},
      {"run/checkpoints/best.safetensors", "layer0.weight"}};
  for (const auto& [path, words] : expected) {
    const ProgramResult result = weft(0, "info " + at(path));
    EXPECT_EQ(result.status, 0) << path << result.err;
    EXPECT_NE(result.out.find(words), std::string::npos) << path << result.out;
  }
  EXPECT_EQ(weft(0, "info " + at("nothing")).status, 2);
  EXPECT_EQ(weft(0, "info " + folder_.path().string()).status, 2);
}

// Two processes that each see one rank would write the same files.
TEST_F(Commands, ALauncherOfAnotherLibraryIsNoticed) {
  const std::string config = make_demo();
  const ProgramResult result = test_support::run_program(
      "OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=1 timeout 30 " + environment("WEFT_PROGRAM") +
      " train " + config + " --out " + at("run"));
  if (environment("WEFT_MPIEXEC").find("openmpi") != std::string::npos) {
    GTEST_SKIP() << "Open MPI is this build's own library";
  }
  EXPECT_EQ(result.status, 2) << result.err;
  EXPECT_FALSE(std::filesystem::exists(at("run")));
}

// Threads come from the CPUs that the process may use, shared by the ranks of the host.
TEST_F(Commands, ThreadsFollowTheAffinityMask) {
  const std::string config = make_demo();
  const ProgramResult one = test_support::run_program(
      "taskset -c 0 timeout 60 " + environment("WEFT_MPIEXEC") + " -n 2 " +
      environment("WEFT_PROGRAM") + " train " + config + " --out " + at("one"));
  ASSERT_EQ(one.status, 0) << one.err;
  EXPECT_NE(one.err.find("2 rank(s), 1 thread(s) each"), std::string::npos) << one.err;
}

}  // namespace
}  // namespace weft
