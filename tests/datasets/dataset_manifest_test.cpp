// SPDX-License-Identifier: MIT
#include "datasets/dataset_manifest.hpp"

#include "tests/datasets/file_makers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::datasets::tests {

using test_support::TemporaryFolder;

namespace {

DatasetManifest example() {
  DatasetManifest manifest;
  manifest.name = "a \"b\" \xc3\xa9";
  manifest.num_vertices = 5'000'000'000;
  manifest.num_edges = 7;
  manifest.directed = false;
  manifest.task = Task::regression;
  manifest.num_classes = 2;
  manifest.num_features = 3;
  manifest.split_names = {"x"};
  manifest.class_names = {"p", "q"};
  manifest.provenance = "here";
  manifest.checksums = {{"col_idx.npy", 0xFEDCBA9876543210U}, {"row_ptr.npy", 1}};
  return manifest;
}

}  // namespace

TEST(DatasetManifest, ReadsWhatItWrote) {
  const TemporaryFolder folder;
  write_manifest(example(), folder / "dataset.json");
  const DatasetManifest read = read_manifest(folder / "dataset.json");
  EXPECT_EQ(read.name, example().name);
  EXPECT_EQ(read.num_vertices, 5'000'000'000);
  EXPECT_EQ(read.num_edges, 7);
  EXPECT_FALSE(read.directed);
  EXPECT_EQ(read.task, Task::regression);
  EXPECT_EQ(read.num_classes, 2);
  EXPECT_EQ(read.num_features, 3);
  EXPECT_EQ(read.split_names, example().split_names);
  EXPECT_EQ(read.class_names, example().class_names);
  EXPECT_EQ(read.checksums, example().checksums);
  EXPECT_EQ(read.fingerprint(), example().fingerprint());
}

TEST(DatasetManifest, NamesTheKeyThatIsWrong) {
  const TemporaryFolder folder;
  write_manifest(example(), folder / "good.json");
  const std::string good = test_support::read_text(folder / "good.json");
  const auto error_with = [&](const std::string& old, const std::string& now) {
    std::string content = good;
    content.replace(content.find(old), old.size(), now);
    const auto path = folder.write("bad.json", content);
    return error_of([&] { (void)read_manifest(path); });
  };
  expect_parts(error_with("\"num_edges\": 7,", ""), {"bad.json", "'num_edges' is missing"});
  expect_parts(error_with("7,", "\"x\","), {"'num_edges' has the wrong type", "\"x\""});
  expect_parts(error_with("7,", "-7,"), {"'num_edges' is -7"});
  expect_parts(error_with("\"format_version\": 1", "\"format_version\": 2"),
               {"format_version 2, expected 1"});
  expect_parts(error_with("weft-dataset", "other"), {"format 'other'"});
  expect_parts(error_with("regression", "magic"), {"'magic'", "single_label"});
  expect_parts(error_with("fedcba9876543210", "xyz"), {"checksum 'xyz' of col_idx.npy"});
  expect_parts(error_with("{", "[}"), {"bad.json:@", "not valid JSON"});
  const auto array = folder.write("array.json", "[1]");
  expect_parts(error_of([&] { (void)read_manifest(array); }), {"no JSON object"});
}

TEST(DatasetManifest, FingerprintSeesNamesAndSums) {
  DatasetManifest other = example();
  other.checksums["row_ptr.npy"] = 2;
  EXPECT_NE(other.fingerprint(), example().fingerprint());
  other = example();
  other.checksums.erase("row_ptr.npy");
  EXPECT_NE(other.fingerprint(), example().fingerprint());
}

}  // namespace weft::datasets::tests
