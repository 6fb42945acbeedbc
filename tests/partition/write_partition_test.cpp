// SPDX-License-Identifier: MIT
// What lies in the folders that are written; reading back is tested in partition_folder_test.cpp.
#include "partition/write_partition.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "datasets/npy.hpp"
#include "graph/support/error.hpp"
#include "partition/own_methods.hpp"
#include "partition/partition_folder.hpp"
#include "tests/partition/part_checks.hpp"
#include "tests/partition/small_datasets.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::partition {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

Names names_in(const fs::path& folder) {
  Names names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

class WritePartition : public testing::Test {
 protected:
  void write(const datasets::Dataset& dataset, const ProgressCallback& progress = {}) {
    const graph::Degrees degrees = graph::compute_degrees(dataset.graph);
    PartBuilder builder(dataset, degrees, owner_, test_support::info_of(dataset, 2));
    write_partition(builder, PartitionRecord{}, folder_ / "p", progress);
  }

  test_support::TemporaryFolder folder_;
  std::vector<std::int32_t> owner_{0, 0, 1, 1};
  datasets::Dataset dataset_ =
      test_support::dataset_of(test_support::graph_of(4, test_support::path_arcs(4)), false);
};

TEST_F(WritePartition, FilesOfABareGraph) {
  write(dataset_);
  EXPECT_EQ(names_in(folder_ / "p"),
            (Names{"partition.json", "owner.npy", "part-00000", "part-00001"}));
  EXPECT_EQ(names_in(folder_ / "p/part-00000"),
            (Names{"part.json", "row_ptr.npy", "col_idx.npy", "global_ids.npy", "halo_owner.npy",
                   "in_degree.npy", "has_loop.npy", "send_rows.npy"}));
}

TEST_F(WritePartition, FilesOfRows) {
  test_support::add_rows(dataset_, true);
  write(dataset_);
  const Names names = names_in(folder_ / "p/part-00001");
  for (const char* file : {"features_row_ptr.npy", "features_col_idx.npy", "features_values.npy",
                           "labels.npy", "splits.npy"}) {
    EXPECT_EQ(names.count(file), 1U) << file;
  }
  EXPECT_EQ(names.count("features.npy"), 0U);
}

// Anybody can open the arrays: types and shapes are those that the design names.
TEST_F(WritePartition, ArraysHaveTheirDocumentedTypes) {
  write(dataset_);
  const auto owner = datasets::map_npy<std::int32_t>(folder_ / "p/owner.npy");
  EXPECT_EQ(owner.shape, (std::vector<std::int64_t>{4}));
  const auto ids = datasets::map_npy<std::int64_t>(folder_ / "p/part-00000/global_ids.npy");
  EXPECT_EQ(std::vector<std::int64_t>(ids.values.begin(), ids.values.end()),
            (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_NO_THROW((void)datasets::map_npy<std::int64_t>(folder_ / "p/part-00000/row_ptr.npy"));
  EXPECT_NO_THROW((void)datasets::map_npy<std::int32_t>(folder_ / "p/part-00000/col_idx.npy"));
  EXPECT_NO_THROW((void)datasets::map_npy<double>(folder_ / "p/part-00000/in_degree.npy"));
}

TEST_F(WritePartition, AFailureLeavesNothingBehind) {
  const auto fail = [](std::string_view, double fraction) {
    if (fraction > 0.4) throw RuntimeError("stopped");
  };
  EXPECT_THROW(write(dataset_, fail), RuntimeError);
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(WritePartition, AFolderWithContentIsRefused) {
  fs::create_directory(folder_ / "p");
  folder_.write("p/notes.txt", "mine");
  EXPECT_THROW(write(dataset_), InputError);
  EXPECT_EQ(names_in(folder_ / "p"), (Names{"notes.txt"}));
}

}  // namespace
}  // namespace weft::partition
