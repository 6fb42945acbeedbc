// SPDX-License-Identifier: MIT
#include "datasets/dataset_folder.hpp"

#include "tests/datasets/file_makers.hpp"
#include "tests/datasets/toy_dataset.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::datasets::tests {

using test_support::TemporaryFolder;

namespace {

std::size_t entries_in(const std::filesystem::path& folder) {
  const std::filesystem::directory_iterator begin(folder);
  return static_cast<std::size_t>(std::distance(begin, std::filesystem::directory_iterator()));
}

}  // namespace

TEST(DatasetFolderWrite, RefusesAFolderWithContent) {
  const TemporaryFolder folder;
  write_dataset(toy_dataset(), folder / "set");
  expect_parts(error_of([&] { write_dataset(toy_dataset(), folder / "set"); }), {"set", "exists"});
  std::filesystem::create_directory(folder / "empty");
  EXPECT_NO_THROW(write_dataset(toy_dataset(), folder / "empty"));
}

TEST(DatasetFolderWrite, LeavesNothingBehindAnError) {
  const TemporaryFolder folder;
  Dataset toy = toy_dataset();
  toy.node_ids = {};
  toy.node_ids.strings = {"a", "b\nc", "d"};
  expect_parts(error_of([&] { write_dataset(toy, folder / "set"); }), {"line end"});
  EXPECT_EQ(entries_in(folder.path()), 0U);
}

TEST(DatasetFolderWrite, RefusesArraysThatDoNotFit) {
  const TemporaryFolder folder;
  const auto write = [&](auto change) {
    Dataset toy = toy_dataset();
    change(toy);
    EXPECT_THROW(write_dataset(toy, folder / "set"), RuntimeError);
  };
  write([](Dataset& toy) { toy.graph.edge_weight = toy.graph.edge_weight.first(2); });
  write([](Dataset& toy) { toy.features.num_rows = 2; });
  write([](Dataset& toy) { toy.labels = toy.labels.first(2); });
  write([](Dataset& toy) { toy.splits = toy.splits.first(3); });
  write([](Dataset& toy) { toy.num_vertices = 4; });
  EXPECT_EQ(entries_in(folder.path()), 0U);
}

TEST(DatasetFolderWrite, ReportsEachFile) {
  const TemporaryFolder folder;
  std::vector<std::string> steps;
  write_dataset(toy_dataset(), folder / "set",
                [&](std::string_view step, double) { steps.emplace_back(step); });
  EXPECT_EQ(steps.size(), entries_in(folder / "set") - 1);  // dataset.json is none
}

}  // namespace weft::datasets::tests
