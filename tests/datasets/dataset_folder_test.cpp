// SPDX-License-Identifier: MIT
#include "datasets/dataset_folder.hpp"

#include "datasets/npy.hpp"
#include "tests/datasets/file_makers.hpp"
#include "tests/datasets/toy_dataset.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::datasets::tests {

using test_support::TemporaryFolder;

namespace {

/// A written toy dataset, to be damaged and opened.
class DatasetFolder : public testing::Test {
 protected:
  DatasetFolder() { write_dataset(toy_dataset(), path); }

  [[nodiscard]] std::string error(bool verify = false) const {
    return error_of([&] { (void)open_dataset(path, verify); });
  }
  void replace(const std::string& file, const std::string& old, const std::string& now) const {
    std::string content = test_support::read_text(path / file);
    const std::size_t at = content.find(old);
    ASSERT_NE(at, content.npos);
    folder.write("set/" + file, content.replace(at, old.size(), now));
  }

  TemporaryFolder folder;
  std::filesystem::path path = folder / "set";
};

}  // namespace

TEST_F(DatasetFolder, ReadsWhatWasWritten) {
  const Dataset toy = toy_dataset();
  const Dataset read = open_dataset(path, true);
  EXPECT_EQ(read.name, "toy");
  EXPECT_EQ(read.num_vertices, 3);
  EXPECT_TRUE(read.directed);
  EXPECT_EQ(read.task, Task::single_label);
  EXPECT_EQ(read.num_classes, 3);
  EXPECT_EQ(arcs_of(read.graph), arcs_of(toy.graph));
  EXPECT_EQ(vector_of(read.features.dense), vector_of(toy.features.dense));
  EXPECT_EQ(read.features.num_columns, 2);
  EXPECT_EQ(vector_of(read.labels), vector_of(toy.labels));
  EXPECT_EQ(read.class_names, toy.class_names);
  EXPECT_EQ(read.split_names, toy.split_names);
  EXPECT_EQ(vector_of(read.splits), vector_of(toy.splits));
  EXPECT_EQ(vector_of(read.node_ids.numbers), vector_of(toy.node_ids.numbers));
  EXPECT_EQ(read.provenance, "made by hand");
  EXPECT_NE(read.fingerprint, 0U);
}

TEST_F(DatasetFolder, ReadsSparseFeaturesAndOtherTasks) {
  Dataset toy = toy_dataset();
  make_sparse(toy);
  toy.task = Task::multi_label;
  toy.multi_labels = keep(toy, std::vector<std::uint8_t>{1, 0, 0, 0, 1, 1, 0, 0, 0});
  toy.node_ids = {};
  toy.node_ids.strings = {"x y", "", "\xc3\xa9"};
  toy.graph.edge_weight = {};
  write_dataset(toy, folder / "sparse");
  const Dataset read = open_dataset(folder / "sparse", true);
  EXPECT_TRUE(read.features.is_sparse());
  EXPECT_EQ(vector_of(read.features.row_ptr), vector_of(toy.features.row_ptr));
  EXPECT_EQ(vector_of(read.features.col_idx), vector_of(toy.features.col_idx));
  EXPECT_EQ(vector_of(read.features.values), vector_of(toy.features.values));
  EXPECT_EQ(vector_of(read.multi_labels), vector_of(toy.multi_labels));
  EXPECT_EQ(read.node_ids.strings, toy.node_ids.strings);
  EXPECT_FALSE(read.graph.is_weighted());
  toy.task = Task::regression;
  toy.num_classes = 2;
  toy.targets = keep(toy, std::vector<float>{1, 2, 3, 4, 5, 6});
  toy.class_names = {};
  write_dataset(toy, folder / "regression");
  EXPECT_EQ(vector_of(open_dataset(folder / "regression").targets), vector_of(toy.targets));
}

TEST_F(DatasetFolder, NamesWhatIsNotThere) {
  expect_parts(error_of([&] { (void)open_dataset(folder / "none"); }),
               {"none", "no dataset folder", "weft import"});
  std::filesystem::remove(path / "labels.npy");
  expect_parts(error(), {"labels.npy", "cannot open"});
}

TEST_F(DatasetFolder, HoldsShapesAgainstTheManifest) {
  replace("dataset.json", "\"num_vertices\": 3", "\"num_vertices\": 4");
  expect_parts(error(), {"row_ptr.npy", "shape [4], expected [5] by dataset.json"});
}

TEST_F(DatasetFolder, HoldsTypesAgainstTheManifest) {
  write_npy<std::int64_t>(path / "labels.npy", std::vector<std::int64_t>{0, 0, 0}, {3});
  expect_parts(error(), {"labels.npy", "type <i8, expected <i4"});
}

TEST_F(DatasetFolder, ChecksTheEndsOfOffsets) {
  write_npy<std::int64_t>(path / "row_ptr.npy", std::vector<std::int64_t>{0, 1, 3, 2}, {4});
  expect_parts(error(), {"row_ptr.npy", "offsets run from 0 to 2, expected 0 to 3"});
}

TEST_F(DatasetFolder, VerifiesChecksumsOnRequest) {
  write_npy<std::int32_t>(path / "labels.npy", std::vector<std::int32_t>{1, 1, 1}, {3});
  EXPECT_NO_THROW((void)open_dataset(path));
  expect_parts(error(true), {"labels.npy", "checksum", "import the dataset again"});
}

TEST_F(DatasetFolder, VerifiesColumnsOnRequest) {
  Dataset toy = toy_dataset();
  toy.graph.col_idx = keep(toy, std::vector<std::int32_t>{1, 0, 3});
  write_dataset(toy, folder / "bad");
  expect_parts(error_of([&] { (void)open_dataset(folder / "bad", true); }),
               {"col_idx.npy", "row 1 has column 3", "below 3"});
  toy.graph.col_idx = keep(toy, std::vector<std::int32_t>{1, 2, 2});
  write_dataset(toy, folder / "twice");
  expect_parts(error_of([&] { (void)open_dataset(folder / "twice", true); }),
               {"row 1 has column 2 after 2"});
  toy.graph.row_ptr = keep(toy, std::vector<std::int64_t>{0, 4, 3, 3});
  write_dataset(toy, folder / "falling");
  expect_parts(error_of([&] { (void)open_dataset(folder / "falling", true); }),
               {"offsets of row 0 fall or pass the end"});
}

TEST_F(DatasetFolder, HoldsCodesAgainstTheirRange) {
  write_npy<std::int32_t>(path / "labels.npy", std::vector<std::int32_t>{0, 9, 0}, {3});
  expect_parts(error(), {"labels.npy: entry 1 is 9, expected -1 to "});
  Dataset toy = toy_dataset();
  std::vector<std::int8_t> codes(toy.splits.begin(), toy.splits.end());
  codes.back() = 3;
  toy.splits = keep(toy, std::move(codes));
  write_dataset(toy, folder / "codes");
  expect_parts(error_of([&] { (void)open_dataset(folder / "codes"); }),
               {"splits.npy: entry", "is 3, expected -1 to 2"});
}

TEST_F(DatasetFolder, CountsNames) {
  Dataset toy = toy_dataset();
  toy.node_ids = {};
  toy.node_ids.strings = {"a", "b", "c"};
  write_dataset(toy, folder / "named");
  folder.write("named/node_ids.txt", "a\nb\n");
  expect_parts(error_of([&] { (void)open_dataset(folder / "named"); }),
               {"node_ids.txt", "2 ids, expected 3"});
}

TEST_F(DatasetFolder, FingerprintFollowsTheFiles) {
  Dataset toy = toy_dataset();
  write_dataset(toy, folder / "same");
  EXPECT_EQ(open_dataset(folder / "same").fingerprint, open_dataset(path).fingerprint);
  toy.labels = keep(toy, std::vector<std::int32_t>{2, 0, 0});
  write_dataset(toy, folder / "other");
  EXPECT_NE(open_dataset(folder / "other").fingerprint, open_dataset(path).fingerprint);
}

}  // namespace weft::datasets::tests
