// SPDX-License-Identifier: MIT
#include "partition/partition_dataset.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "graph/support/error.hpp"
#include "partition/partition_folder.hpp"
#include "tests/partition/part_checks.hpp"
#include "tests/support/random_dataset.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::partition {
namespace {

namespace fs = std::filesystem;

PartitionOptions options_of(int num_parts, Method method = Method::metis_kway) {
  PartitionOptions options;
  options.num_parts = num_parts;
  options.method = method;
  return options;
}

class PartitionDataset : public testing::Test {
 protected:
  test_support::TemporaryFolder folder_;
  datasets::Dataset dataset_ = test_support::random_dataset();
};

TEST_F(PartitionDataset, PartsOfTheFolderAreValid) {
  const auto outcome = partition_dataset(dataset_, options_of(3), folder_ / "p");
  EXPECT_FALSE(outcome.reused);
  EXPECT_EQ(outcome.record.quality.parts.size(), 3U);
  const auto owner = read_owner(folder_ / "p");
  std::vector<Part> parts;
  for (int p = 0; p < 3; ++p)
    parts.push_back(open_part((folder_ / "p").string(), p));
  test_support::expect_valid_parts(parts, dataset_, owner);
  EXPECT_EQ(parts[0].info.dataset_fingerprint, dataset_.fingerprint);
  EXPECT_NE(parts[0].info.fingerprint, 0U);
}

TEST_F(PartitionDataset, IdenticalPartitionIsReused) {
  const auto first = partition_dataset(dataset_, options_of(3), folder_ / "p");
  const auto written = fs::last_write_time(folder_ / "p" / "partition.json");
  const auto second = partition_dataset(dataset_, options_of(3), folder_ / "p");
  EXPECT_TRUE(second.reused);
  EXPECT_EQ(second.info.fingerprint, first.info.fingerprint);
  EXPECT_EQ(fs::last_write_time(folder_ / "p" / "partition.json"), written);
  EXPECT_NE(explain(second).find("uses the partition of 3 parts"), std::string::npos);
  EXPECT_NE(explain(first).find("made a partition of 3 parts"), std::string::npos);
}

TEST_F(PartitionDataset, OtherContentIsNeverOverwritten) {
  (void)partition_dataset(dataset_, options_of(3), folder_ / "p");
  EXPECT_THROW((void)partition_dataset(dataset_, options_of(2), folder_ / "p"), InputError);
  auto other = test_support::random_dataset();
  other.fingerprint += 1;
  EXPECT_THROW((void)partition_dataset(other, options_of(3), folder_ / "p"), InputError);
  fs::create_directory(folder_ / "q");
  folder_.write("q/notes.txt", "mine");
  EXPECT_THROW((void)partition_dataset(dataset_, options_of(3), folder_ / "q"), InputError);
  EXPECT_EQ(test_support::read_text(folder_ / "q/notes.txt"), "mine");
}

TEST_F(PartitionDataset, FailureLeavesNothingBehind) {
  EXPECT_THROW((void)partition_dataset(dataset_, options_of(1000), folder_ / "p"), InputError);
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(PartitionDataset, NamesTellOptionsApart) {
  EXPECT_EQ(partition_name(options_of(4), dataset_), "metis-k4-s1");
  EXPECT_EQ(partition_name(options_of(4, Method::block), dataset_), "block-k4");
  EXPECT_EQ(partition_name(options_of(4, Method::random), dataset_), "random-k4-s1");
  PartitionOptions volume = options_of(4);
  volume.objective = Objective::volume;
  EXPECT_EQ(partition_name(volume, dataset_), "metis-k4-s1-volume");
  std::set<std::string> names;
  for (const bool edges : {false, true}) {
    for (const bool training : {false, true}) {
      for (const std::vector<double>& weights :
           {std::vector<double>{}, std::vector<double>{1, 2}, std::vector<double>{1, 3}}) {
        PartitionOptions options = options_of(2);
        options.balance_edges = edges;
        options.balance_training = training;
        options.part_weights = weights;
        names.insert(partition_name(options, dataset_));
        names.insert(request_text(options, dataset_));
      }
    }
  }
  EXPECT_EQ(names.size(), 24U);
}

TEST_F(PartitionDataset, OwnerFilesAreToldApartByContent) {
  PartitionOptions options = options_of(2, Method::file);
  options.owner_file = folder_.write("a.txt", "0\n1\n");
  const std::string name = partition_name(options, dataset_);
  options.owner_file = folder_.write("b.txt", "0\n1\n");
  EXPECT_EQ(partition_name(options, dataset_), name);
  options.owner_file = folder_.write("c.txt", "1\n0\n");
  EXPECT_NE(partition_name(options, dataset_), name);
}

TEST_F(PartitionDataset, TheFirstSplitIsTheDefault) {
  PartitionOptions named = options_of(2);
  named.split = dataset_.split_names.front();
  EXPECT_EQ(request_text(named, dataset_), request_text(options_of(2), dataset_));
}

TEST_F(PartitionDataset, EnsureMakesOneInTheDatasetFolderAndFindsItAgain) {
  const auto made = ensure_partition(folder_.path(), dataset_, options_of(2), folder_ / "fallback");
  EXPECT_EQ(made.folder, folder_ / "partitions" / "metis-k2-s1");
  EXPECT_FALSE(made.reused);
  const auto found =
      ensure_partition(folder_.path(), dataset_, options_of(2), folder_ / "fallback");
  EXPECT_TRUE(found.reused);
  EXPECT_EQ(found.folder, made.folder);
  EXPECT_FALSE(fs::exists(folder_ / "fallback"));
}

TEST_F(PartitionDataset, EnsureFallsBackWhereTheDatasetCannotBeWritten) {
  // A folder that does not exist cannot be written to either, whoever runs the test.
  const fs::path read_only = folder_ / "absent" / "dataset";
  const auto made = ensure_partition(read_only, dataset_, options_of(2), folder_ / "fallback");
  EXPECT_EQ(made.folder, folder_ / "fallback" / "metis-k2-s1");
  EXPECT_FALSE(fs::exists(read_only));
  EXPECT_TRUE(ensure_partition(read_only, dataset_, options_of(2), folder_ / "fallback").reused);
}

}  // namespace
}  // namespace weft::partition
