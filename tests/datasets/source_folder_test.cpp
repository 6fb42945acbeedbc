// SPDX-License-Identifier: MIT
#include "datasets/source_folder.hpp"

#include "tests/datasets/file_makers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::datasets::tests {

using test_support::TemporaryFolder;

TEST(SourceFolder, TakesTheUsualNames) {
  const TemporaryFolder folder;
  for (const char* name : {"edges.txt.gz", "features.npz", "features.mtx.gz", "labels.txt",
                           "split.txt", "splits.txt", "original_ids.txt", "README.md"}) {
    folder.write(name, "");
  }
  const FoundFiles found = find_source_files(folder.path());
  EXPECT_EQ(found.files.edges, folder / "edges.txt.gz");
  EXPECT_EQ(found.files.features, folder / "features.npz");
  EXPECT_EQ(found.files.labels, folder / "labels.txt");
  EXPECT_EQ(found.files.splits, folder / "splits.txt");
  EXPECT_EQ(found.files.node_ids, folder / "original_ids.txt");
  EXPECT_FALSE(found.has_many_labels);
  ASSERT_EQ(found.notes.size(), 5U);
  expect_parts(found.notes[1], {"features are taken from", "features.npz"});
}

TEST(SourceFolder, TakesWhatThereIs) {
  const TemporaryFolder folder;
  expect_parts(error_of([&] { (void)find_source_files(folder.path()); }),
               {"no edge list", "edges.txt", "edges.csv"});
  folder.write("edges.csv", "");
  folder.write("labels_multi.txt", "");
  folder.write("split.txt", "");
  const FoundFiles found = find_source_files(folder.path());
  EXPECT_EQ(found.files.edges, folder / "edges.csv");
  EXPECT_TRUE(found.files.features.empty());
  EXPECT_EQ(found.files.splits, folder / "split.txt");
  EXPECT_TRUE(found.has_many_labels);
}

}  // namespace weft::datasets::tests
