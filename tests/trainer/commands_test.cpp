// SPDX-License-Identifier: MIT
// The commands from outside, as users run them: the same run twice, settings and folders explained,
// ranks proved equal to one.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/trainer/command_harness.hpp"

namespace weft::test_support {
namespace {

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

// Around this ring the weights at a vertex sum to 2, 0, -1, 1 by turns; GCN's loop adds 1.
TEST_F(Commands, NegativeWeightsGiveFiniteLosses) {
  std::string edges;
  std::string features = matrix_header(60, 1);
  std::string labels;
  std::string split;
  for (int v = 0; v < 60; ++v) {
    const char* weight = v % 4 == 0 ? " -1\n" : v % 4 == 1 ? " 1\n" : v % 4 == 2 ? " -2\n" : " 3\n";
    edges += std::to_string(v) + ' ' + std::to_string((v + 1) % 60) + weight;
    features += std::to_string(v % 7) + '\n';
    labels += std::to_string(v % 2) + '\n';
    split += v % 3 == 2 ? "1\n" : "0\n";
  }
  import_data(edges, features, labels, split, "--undirected --allow-negative-weights");
  const std::string config = write_config("negative.toml", "data", "");
  for (const std::string model : {"gcn", "sage"}) {
    for (const int ranks : {1, 2}) {
      const std::string run = at(model + std::to_string(ranks));
      const ProgramResult trained =
          weft(ranks, "train " + config + " --set train.epochs=5 --set model.type=" + model +
                          " --out " + run);
      ASSERT_EQ(trained.status, 0) << trained.err;
      const auto epochs = metrics_of(run);
      ASSERT_EQ(epochs.size(), 5U);
      for (const auto& epoch : epochs)
        EXPECT_TRUE(epoch["loss"].is_number()) << epoch;  // JSON has null for what is not finite
    }
  }
}

TEST_F(Commands, VerifyProvesThatRanksEqualOne) {
  const std::string config = make_demo();
  const ProgramResult result = weft(3, "verify " + config + " --epochs 1,8");
  EXPECT_EQ(result.status, 0) << result.err;
  expect_words(result.out, "3 rank(s) against one, equal");
  expect_words(result.out, "layer0.grad_output");
}

TEST_F(Commands, DryRunCountsAndWritesNothing) {
  const std::string config = make_demo();
  const ProgramResult result = weft(0, "train " + config + " --dry-run --out " + at("run"));
  EXPECT_EQ(result.status, 0) << result.err;
  for (const char* ranks : {"\n1 ", "\n2 ", "\n64 "})
    expect_words(result.out, ranks);
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
  expect_words(printed.out, "lr = 0.125");
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
    expect_words(result.out, words);
  }
  EXPECT_EQ(weft(0, "info " + at("nothing")).status, 2);
  EXPECT_EQ(weft(0, "info " + folder_.path().string()).status, 2);
}

}  // namespace
}  // namespace weft::test_support
