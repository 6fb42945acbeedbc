// SPDX-License-Identifier: MIT
// A run that goes on where it stopped: on the same ranks, on others, and not with another model.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/trainer/command_harness.hpp"

namespace weft::test_support {
namespace {

/// Sets the best epoch of a checkpoint to 0; the text keeps its length.
void forget_best(const std::string& path) {
  std::string bytes = read_text(path);
  const std::string key = "\"best_epoch\":\"";
  const std::size_t at = bytes.find(key);
  ASSERT_NE(at, std::string::npos);
  bytes[at + key.size()] = '0';
  std::ofstream(path, std::ios::binary) << bytes;
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

// A checkpoint knows nothing of ranks: four go on where two stopped, on a partition of their own.
// By SGD: Adam divides a small gradient by its own size, and with it the rounding.
TEST_F(Commands, AnotherNumberOfRanksGoesOn) {
  const std::string config = make_demo("[optimizer]\nname = \"sgd\"\nlr = 0.1\nmomentum = 0.9\n");
  ASSERT_EQ(weft(2, "train " + config + " --out " + at("whole")).status, 0);
  ASSERT_EQ(weft(2, "train " + config + " --out " + at("two") + " --set train.epochs=5").status, 0);
  const ProgramResult resumed = weft(4, "train " + config + " --out " + at("two") + " --resume");
  ASSERT_EQ(resumed.status, 0) << resumed.err;
  const auto whole = metrics_of(at("whole"));
  const auto two = metrics_of(at("two"));
  ASSERT_EQ(whole.size(), 8U);
  ASSERT_EQ(two.size(), 8U);
  for (std::size_t i = 5; i < 8; ++i) {
    EXPECT_EQ(two[i]["epoch"].get<std::size_t>(), i + 1);
    const double expected = whole[i]["loss"];
    EXPECT_NEAR(two[i]["loss"].get<double>(), expected, 1e-5 * expected) << "epoch " << i + 1;
    EXPECT_NE(two[i]["bytes_in_place"], whole[i]["bytes_in_place"]) << "the partition is another";
  }
  EXPECT_EQ(summary_of(at("two"))["ranks"].get<int>(), 4);
}

TEST_F(Commands, AnotherModelDoesNotGoOn) {
  const std::string config = make_demo();
  ASSERT_EQ(weft(2, "train " + config + " --out " + at("run") + " --set train.epochs=2").status, 0);
  const std::string metrics = read_text(at("run/metrics.jsonl"));
  const ProgramResult resumed =
      weft(2, "train " + config + " --out " + at("run") + " --resume --set model.hidden=9");
  EXPECT_EQ(resumed.status, 2);
  expect_words(resumed.err, "has shape [8, 8]; expected [8, 9]");
  EXPECT_EQ(read_text(at("run/metrics.jsonl")), metrics);
}

TEST_F(Commands, AFinishedRunIsNotResumedOverItsSummary) {
  const std::string config = make_demo();
  ASSERT_EQ(weft(1, "train " + config + " --out " + at("run")).status, 0);
  const std::string summary = read_text(at("run/summary.json"));
  const ProgramResult again = weft(2, "train " + config + " --out " + at("run") + " --resume");
  EXPECT_EQ(again.status, 2);
  expect_words(again.err, "has done 8 epochs");
  EXPECT_EQ(read_text(at("run/summary.json")), summary);
}

TEST_F(Commands, ARunFolderThatExistsIsRefused) {
  const std::string config = make_demo();
  ASSERT_EQ(weft(1, "train " + config + " --out " + at("run")).status, 0);
  const ProgramResult again = weft(2, "train " + config + " --out " + at("run"));
  EXPECT_EQ(again.status, 2);
  expect_words(again.err, "--overwrite");
  EXPECT_EQ(weft(1, "train " + config + " --out " + at("run") + " --overwrite").status, 0);
}

// What is written after the last epoch may be cut off: the run is finished, not trained again.
TEST_F(Commands, ARunThatLostItsSummaryIsFinished) {
  const std::string config = make_demo("[output]\npredictions = true\n");
  ASSERT_EQ(weft(2, "train " + config + " --out " + at("run")).status, 0);
  const nlohmann::json summary = summary_of(at("run"));
  const std::string predictions = read_text(at("run/predictions.csv"));
  std::filesystem::remove(at("run/summary.json"));
  std::filesystem::remove(at("run/predictions.csv"));
  const ProgramResult finished = weft(2, "train " + config + " --out " + at("run") + " --resume");
  ASSERT_EQ(finished.status, 0) << finished.err;
  for (const char* key :
       {"best_epoch", "test_metric", "final_loss", "weight_hash", "bytes_sent_per_epoch",
        "bytes_in_place_per_epoch", "epoch_seconds_median", "time_to_best_seconds"}) {
    EXPECT_EQ(summary_of(at("run"))[key], summary[key]) << key;
  }
  EXPECT_EQ(read_text(at("run/predictions.csv")), predictions);
}

// Killed before the first evaluation, a run has no best checkpoint yet.
TEST_F(Commands, ARunWithoutABestCheckpointGoesOn) {
  const std::string config = make_demo();
  ASSERT_EQ(weft(2, "train " + config + " --out " + at("whole")).status, 0);
  ASSERT_EQ(weft(2, "train " + config + " --out " + at("cut") + " --set train.epochs=4").status, 0);
  // As a run leaves it that has evaluated nothing: no best epoch in `last`, no file of it.
  forget_best(at("cut/checkpoints/last.safetensors"));
  std::filesystem::remove(at("cut/checkpoints/best.safetensors"));
  const ProgramResult resumed = weft(2, "train " + config + " --out " + at("cut") + " --resume");
  ASSERT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_EQ(summary_of(at("cut"))["weight_hash"], summary_of(at("whole"))["weight_hash"]);
  EXPECT_GT(summary_of(at("cut"))["best_epoch"].get<int>(), 4);
}

TEST_F(Commands, DivergenceStopsTheRunAndKeepsWhatWasBest) {
  const std::string config = make_demo("[optimizer]\nname = \"sgd\"\nlr = 1e30\n");
  const ProgramResult diverged = weft(2, "train " + config + " --out " + at("run"));
  EXPECT_EQ(diverged.status, 1);
  expect_words(diverged.err, "training has diverged");
  EXPECT_EQ(diverged.err.find("ending the job"), std::string::npos) << "said once, by rank 0";
  EXPECT_TRUE(std::filesystem::exists(at("run/checkpoints/best.safetensors")));
  EXPECT_FALSE(std::filesystem::exists(at("run/checkpoints/last.safetensors")));
}

}  // namespace
}  // namespace weft::test_support
