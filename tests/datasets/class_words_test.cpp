// SPDX-License-Identifier: MIT
#include "datasets/class_words.hpp"

#include "tests/datasets/file_makers.hpp"

namespace weft::datasets::tests {

namespace {

std::string problem_after(std::initializer_list<const char*> words) {
  ClassWords classes;
  std::string problem;
  for (const char* word : words) {
    if (classes.add(word, problem) == -2) return problem;
  }
  return "none";
}

}  // namespace

TEST(ClassWords, NumbersStayNumbers) {
  ClassWords classes;
  std::string problem;
  EXPECT_EQ(classes.add("-1", problem), -1);
  EXPECT_EQ(classes.add("3", problem), 3);
  EXPECT_EQ(classes.add("0", problem), 0);
  EXPECT_EQ(classes.num_classes(), 4);
  EXPECT_TRUE(classes.final_of().empty());
  EXPECT_TRUE(classes.sorted_names().empty());
}

TEST(ClassWords, NamesAreSortedByTheirBytes) {
  ClassWords classes;
  std::string problem;
  EXPECT_EQ(classes.add("b", problem), 0);
  EXPECT_EQ(classes.add("-1", problem), -1);
  EXPECT_EQ(classes.add("B c", problem), 1);
  EXPECT_EQ(classes.add("b", problem), 0);
  EXPECT_EQ(classes.num_classes(), 2);
  EXPECT_EQ(classes.sorted_names(), (std::vector<std::string>{"B c", "b"}));
  EXPECT_EQ(classes.final_of(), (std::vector<std::int32_t>{1, 0}));
}

TEST(ClassWords, RefusesMixtures) {
  expect_parts(problem_after({"1", "a"}), {"'a', expected a number"});
  expect_parts(problem_after({"a", "1"}), {"'1', expected a name"});
  expect_parts(problem_after({"1", "1.5"}), {"'1.5' has a fraction", "regression"});
  expect_parts(problem_after({"1.5"}), {"fraction"});
  expect_parts(problem_after({"-2"}), {"class -2"});
  expect_parts(problem_after({"1048576"}), {"class 1048576", "1048575"});
  EXPECT_EQ(problem_after({"1048575"}), "none");
}

}  // namespace weft::datasets::tests
