// SPDX-License-Identifier: MIT
// From a dataset folder to this rank's part: made once, found again, checked against the ranks.
#include "trainer/load_part.hpp"

#include <gtest/gtest.h>

#include <string>

#include "datasets/dataset_folder.hpp"
#include "graph/support/error.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/trainer/engine_harness.hpp"

namespace weft::trainer {
namespace {

/// A dataset folder of rank 0 that every rank knows; removed when all are done.
class LoadPart : public ::testing::Test {
 protected:
  LoadPart() : world_(comm::Communicator::world()) {
    shared_ = world_.all_gather(folder_.path().string())[0];
    if (world_.rank() == 0) {
      datasets::write_dataset(test_support::random_dataset(), shared_ / "data");
    }
    world_.barrier();
    config_.dataset.path = shared_ / "data";
  }
  void TearDown() override { world_.barrier(); }

  comm::Communicator world_;
  test_support::TemporaryFolder folder_;
  std::filesystem::path shared_;
  RunConfig config_;
};

TEST_F(LoadPart, MakesAPartitionOnceAndFindsItAgain) {
  const LoadedPart first = load_part(world_, config_, shared_ / "fallback");
  EXPECT_EQ(first.part.part, world_.rank());
  EXPECT_EQ(first.part.info.num_parts, world_.size());
  EXPECT_TRUE(std::filesystem::exists(first.partition_path));
  std::int64_t owned = first.part.num_owned();
  world_.all_reduce_sum(std::span<std::int64_t>(&owned, 1));
  EXPECT_EQ(owned, test_support::random_dataset().num_vertices);
  const LoadedPart second = load_part(world_, config_, shared_ / "fallback");
  EXPECT_EQ(second.partition_path, first.partition_path);
  if (world_.rank() == 0) {
    EXPECT_NE(first.note.find("made"), std::string::npos) << first.note;
    EXPECT_EQ(second.note.find("made"), std::string::npos) << second.note;
  }
}

TEST_F(LoadPart, RefusesAPartitionForOtherRanks) {
  config_.partition.parts = world_.size() + 1;
  EXPECT_THROW(static_cast<void>(load_part(world_, config_, shared_ / "fallback")), InputError);
}

TEST_F(LoadPart, NamesAMissingPartition) {
  config_.partition.path = (shared_ / "nothing").string();
  try {
    static_cast<void>(load_part(world_, config_, shared_ / "fallback"));
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("nothing"), std::string::npos) << error.what();
  }
}

// Hosts that keep their parts on disks of their own may hold those of different imports.
TEST_F(LoadPart, RefusesPartsOfDifferentPartitions) {
  if (world_.size() == 1) GTEST_SKIP() << "parts of two partitions need two ranks";
  const std::string path = load_part(world_, config_, shared_ / "fallback").partition_path;
  config_.partition.seed = 7;
  config_.partition.method = partition::Method::random;
  const std::string other = load_part(world_, config_, shared_ / "fallback").partition_path;
  config_.partition.path = world_.rank() == 1 ? other : path;
  try {
    static_cast<void>(load_part(world_, config_, shared_ / "fallback"));
    ADD_FAILURE() << "no error";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("different partitions"), std::string::npos)
        << error.what();
  }
}

TEST_F(LoadPart, TheWholeDatasetIsOnePartWithoutHalo) {
  const partition::Part whole = load_whole(config_.dataset.path);
  EXPECT_EQ(whole.num_owned(), test_support::random_dataset().num_vertices);
  EXPECT_EQ(whole.num_halo(), 0);
  EXPECT_TRUE(whole.plan.peers.empty());
}

}  // namespace
}  // namespace weft::trainer
