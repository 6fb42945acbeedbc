// SPDX-License-Identifier: MIT
// Reports: every key that other programs rely on is there.
#include "trainer/report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace weft::trainer {
namespace {

TEST(Report, SummaryHasTheKeysThatOthersRelyOn) {
  RunSummary summary;
  summary.model = "gcn";
  summary.best.epoch = 7;
  summary.best.evaluation.accuracy = {0.9, 0.8, 0.7};
  const auto json = nlohmann::json::parse(summary_json(summary));
  for (const char* key :
       {"model", "ranks", "seed", "epochs", "best_epoch", "val_metric", "test_metric", "final_loss",
        "epoch_seconds_median", "time_to_best_seconds", "load_seconds", "bytes_sent_per_epoch",
        "bytes_in_place_per_epoch", "gradient_bytes_per_epoch", "exchange_hidden_share",
        "peak_rss_bytes", "weight_hash"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_EQ(json["best_epoch"], 7);
  EXPECT_DOUBLE_EQ(json["test_metric"], 0.7);
}

TEST(Report, MetricsLineKeepsTimesApart) {
  EpochReport report;
  report.epoch = 3;
  report.loss = 1.25;
  report.evaluation = Evaluation{{0.5, 0.25, 0.125}, {1, 2, 3}};
  auto json = nlohmann::json::parse(metrics_line(report));
  EXPECT_EQ(json["epoch"], 3);
  EXPECT_DOUBLE_EQ(json["val_accuracy"], 0.25);
  EXPECT_TRUE(json["seconds"].contains("gradient_sync"));
  json.erase("seconds");
  for (const auto& [key, value] : json.items())
    EXPECT_EQ(key.find("seconds"), std::string::npos);
}

TEST(Report, ALineReadsBackAsItsReport) {
  EpochReport report;
  report.epoch = 3;
  report.loss = 1.0 / 3.0;
  report.evaluation = Evaluation{{0.5, std::nan(""), 0.125}, {1, 2, 3}};
  report.seconds = {1, 2, 3, 4, 5, 6};
  report.epoch_seconds = 0.1;
  report.halo_bytes = 10;
  report.in_place_bytes = 15;
  report.evaluation_bytes = 20;
  report.gradient_bytes = 30;
  const std::optional<EpochReport> read = parse_metrics_line(metrics_line(report));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(metrics_line(*read), metrics_line(report));
  EXPECT_TRUE(std::isnan(read->evaluation->accuracy[1]));
  report.evaluation.reset();
  EXPECT_FALSE(parse_metrics_line(metrics_line(report))->evaluation.has_value());
  for (const char* line : {"", "{\"epoch\": 1, \"lo", "[]", "{\"epoch\": 1, \"seconds\": 2}"}) {
    EXPECT_FALSE(parse_metrics_line(line).has_value()) << line;
  }
}

TEST(Report, WhatIsUndefinedIsNullOrADash) {
  RunSummary summary;
  summary.best.evaluation.accuracy = {0.9, std::nan(""), 0.7};
  const auto json = nlohmann::json::parse(summary_json(summary));
  EXPECT_TRUE(json["val_metric"].is_null());
  EXPECT_EQ(metric_text(std::nan("")), "-");
  EXPECT_EQ(metric_text(0.5), "0.5000");
}

TEST(Report, EpochLineShowsLossAndAccuracies) {
  EpochReport report;
  report.epoch = 3;
  report.loss = 1.25;
  EXPECT_NE(epoch_line(report, 9).find("epoch 3/9  loss 1.2500"), std::string::npos);
  report.evaluation = Evaluation{{0.5, 0.25, 0.125}, {1, 2, 3}};
  EXPECT_NE(epoch_line(report, 9).find("test 0.1250"), std::string::npos);
}

TEST(Report, MedianOfEvenAndOddCounts) {
  EXPECT_EQ(median({}), 0);
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
}

}  // namespace
}  // namespace weft::trainer
