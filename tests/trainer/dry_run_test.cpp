// SPDX-License-Identifier: MIT
// The table of a dry run, and that it leaves nothing behind.
#include "trainer/dry_run.hpp"

#include <gtest/gtest.h>

#include <string>

#include "datasets/dataset_folder.hpp"
#include "graph/support/error.hpp"
#include "tests/support/random_dataset.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::trainer {
namespace {

TEST(DryRun, ShowsEveryNumberOfRanksThatTheGraphCanFill) {
  const test_support::TemporaryFolder folder;
  datasets::write_dataset(test_support::random_dataset(), folder / "data");
  RunConfig config;
  config.dataset.path = folder / "data";
  config.train.threads = 1;
  const std::string report = dry_run_report(config, {});
  for (const char* ranks : {"\n1 ", "\n2 ", "\n4 ", "\n32 "}) {
    EXPECT_NE(report.find(ranks), std::string::npos) << report;
  }
  EXPECT_EQ(report.find("\n64 "), std::string::npos) << "60 vertices cannot fill 64 ranks";
  EXPECT_FALSE(std::filesystem::exists(folder / "data" / "partitions"));
}

TEST(DryRun, NeedsADatasetThatCanBeTrainedOn) {
  const test_support::TemporaryFolder folder;
  RunConfig config;
  EXPECT_THROW(static_cast<void>(dry_run_report(config, {})), InputError);
  datasets::Dataset dataset = test_support::random_dataset();
  dataset.features = {};
  datasets::write_dataset(dataset, folder / "data");
  config.dataset.path = folder / "data";
  EXPECT_THROW(static_cast<void>(dry_run_report(config, {})), InputError);
}

}  // namespace
}  // namespace weft::trainer
