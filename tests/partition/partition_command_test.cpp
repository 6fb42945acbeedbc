// SPDX-License-Identifier: MIT
#include "partition/commands/partition_command.hpp"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "datasets/dataset_folder.hpp"
#include "graph/support/error.hpp"
#include "partition/partition_folder.hpp"
#include "tests/support/random_dataset.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::partition::commands {
namespace {

class PartitionCommand : public testing::Test {
 protected:
  PartitionCommand() { datasets::write_dataset(test_support::random_dataset(), dataset_); }

  // Runs `weft partition DATASET arguments`; stdout and stderr are kept.
  void run(const std::vector<std::string>& arguments) {
    std::vector<std::string> words{"partition", dataset_.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
    CLI::App app;
    add_partition_command(app);
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    try {
      app.parse(words);
    } catch (...) {
      out_ = testing::internal::GetCapturedStdout();
      err_ = testing::internal::GetCapturedStderr();
      throw;
    }
    out_ = testing::internal::GetCapturedStdout();
    err_ = testing::internal::GetCapturedStderr();
  }

  test_support::TemporaryFolder folder_;
  std::filesystem::path dataset_ = folder_ / "data";
  std::string out_;
  std::string err_;
};

TEST_F(PartitionCommand, WritesThePartitionAndPrintsTheTable) {
  run({"--parts", "3", "--width", "16", "--layers", "3"});
  const auto folder = dataset_ / "partitions" / "metis-k3-s1";
  EXPECT_EQ(read_partition_info(folder.string()).num_parts, 3);
  for (const char* words : {"part", "vertices", "halo rows", "max/share",
                            "cut:", "boundary vertices:", "width 16, 3 layers", "peak memory"}) {
    EXPECT_NE(out_.find(words), std::string::npos) << words << "\n" << out_;
  }
  EXPECT_NE(err_.find("of memory expected"), std::string::npos) << err_;
  EXPECT_NE(err_.find("made a partition of 3 parts"), std::string::npos) << err_;
}

TEST_F(PartitionCommand, SaysThatAnIdenticalOneIsUsed) {
  run({"--parts", "2"});
  run({"--parts", "2"});
  EXPECT_NE(err_.find("uses the partition of 2 parts"), std::string::npos) << err_;
  EXPECT_NE(out_.find("cut:"), std::string::npos) << out_;
}

TEST_F(PartitionCommand, JsonIsPartitionJson) {
  const auto out = folder_ / "parts";
  run({"--parts", "2", "--method", "random", "--seed", "7", "--json", "--out", out.string()});
  EXPECT_EQ(out_.front(), '{');
  EXPECT_NE(out_.find("\"halo_rows\""), std::string::npos);
  EXPECT_NE(out_.find("\"request\": \"--method random --parts 2 --seed 7\""), std::string::npos)
      << out_;
}

TEST_F(PartitionCommand, ReportsMissingTrainingVertices) {
  // Two parts of random's 60 vertices: all training vertices on part 0.
  const auto dataset = datasets::open_dataset(dataset_);
  std::string owners;
  for (const std::int8_t role : dataset.split(""))
    owners.append(role == 0 ? "0\n" : "1\n");
  run({"--parts", "2", "--owner-file", folder_.write("owners.txt", owners).string()});
  EXPECT_NE(err_.find("warning: 1 part (1) of 2 own no training vertex"), std::string::npos)
      << err_;
}

TEST_F(PartitionCommand, WrongWordsAreRefused) {
  EXPECT_THROW(run({"--parts", "2", "--method", "mets"}), InputError);
  EXPECT_THROW(run({"--parts", "2", "--balance", "vertices,colors"}), InputError);
  EXPECT_THROW(run({"--parts", "2", "--method", "file"}), InputError);
  EXPECT_THROW(run({"--parts", "2", "--split", "none"}), InputError);
  EXPECT_THROW(run({"--parts", "100"}), InputError);
  EXPECT_THROW(run({}), CLI::ParseError);
  EXPECT_FALSE(std::filesystem::exists(dataset_ / "partitions" / "metis-k2-s1"));
}

}  // namespace
}  // namespace weft::partition::commands
