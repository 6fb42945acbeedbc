// SPDX-License-Identifier: MIT
#include "datasets/dataset.hpp"

#include "tests/datasets/file_makers.hpp"

namespace weft::datasets::tests {

TEST(Dataset, TasksHaveNames) {
  for (const Task task : {Task::none, Task::single_label, Task::multi_label, Task::regression}) {
    EXPECT_EQ(task_of_name(task_name(task)), task);
  }
  expect_parts(error_of([] { (void)task_of_name("guess"); }), {"'guess'", "single_label"});
}

TEST(Dataset, IdsAsText) {
  NodeIds ids;
  EXPECT_TRUE(ids.is_identity());
  EXPECT_EQ(ids.text_of(3), "3");
  const std::vector<std::int64_t> numbers{10, 20};
  ids.numbers = numbers;
  EXPECT_FALSE(ids.is_identity());
  EXPECT_EQ(ids.text_of(1), "20");
  ids = {};
  ids.strings = {"a", "b"};
  EXPECT_EQ(ids.text_of(0), "a");
}

TEST(Dataset, FindsSplitsByName) {
  Dataset dataset;
  dataset.name = "toy";
  dataset.num_vertices = 2;
  expect_parts(error_of([&] { (void)dataset.split(""); }), {"'toy' has no split"});
  dataset.split_names = {"public", "random"};
  dataset.splits = keep(dataset, std::vector<std::int8_t>{0, 1, 2, -1});
  EXPECT_EQ(vector_of(dataset.split("")), (std::vector<std::int8_t>{0, 1}));
  EXPECT_EQ(vector_of(dataset.split("random")), (std::vector<std::int8_t>{2, -1}));
  expect_parts(error_of([&] { (void)dataset.split("other"); }), {"'other'", "public, random"});
}

TEST(Dataset, KeepsWhatViewsPointTo) {
  Dataset copy;
  {
    Dataset dataset;
    dataset.labels = keep(dataset, std::vector<std::int32_t>{4, 5});
    copy = dataset;
  }
  EXPECT_EQ(vector_of(copy.labels), (std::vector<std::int32_t>{4, 5}));
}

}  // namespace weft::datasets::tests
