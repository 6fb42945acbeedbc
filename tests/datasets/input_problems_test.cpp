// SPDX-License-Identifier: MIT
#include "datasets/input_problems.hpp"

#include "tests/datasets/file_makers.hpp"

namespace weft::datasets::tests {

TEST(InputProblems, RaisesNothingWhereThereIsNone) {
  const InputProblems problems;
  EXPECT_TRUE(problems.empty());
  EXPECT_NO_THROW(problems.raise("f"));
}

TEST(InputProblems, JoinsChunksInFileOrder) {
  InputProblems first;
  first.add(3, "a");
  InputProblems second;
  second.add(1, "b");
  InputProblems all;
  all.append(first, 0);
  all.append(second, 10);
  EXPECT_EQ(error_of([&] { all.raise("f"); }), "f:3: a\nf:11: b");
}

TEST(InputProblems, KeepsTwentyAndCountsAll) {
  InputProblems all;
  for (int chunk = 0; chunk < 3; ++chunk) {
    InputProblems part;
    for (int line = 1; line <= 500; ++line)
      part.add(line, "x");
    all.append(part, chunk * 1000);
  }
  EXPECT_EQ(all.total(), 1500);
  const std::string message = error_of([&] { all.raise("f"); });
  expect_parts(message, {"f:20: x", "f: 1,480 more problems, 1,500 in all"});
  EXPECT_EQ(message.find("f:21:"), message.npos);
  all.clear();
  EXPECT_TRUE(all.empty());
}

TEST(InputProblems, OneLineStandsForACommonMistake) {
  InputProblems all;
  for (int chunk = 0; chunk < 3; ++chunk) {
    InputProblems part;
    part.add(2, "x");
    for (int line = 3; line <= 500; ++line)
      part.add_common(line, "name");
    all.append(part, chunk * 1000);
  }
  EXPECT_EQ(all.total(), 1497);
  EXPECT_EQ(error_of([&] { all.raise("f"); }),
            "f:2: x\nf:3: name (and on 1,493 more lines)\nf:1002: x\nf:2002: x");
  all.clear();
  all.add_common(1, "name");
  EXPECT_EQ(error_of([&] { all.raise("f"); }), "f:1: name");
}

TEST(InputProblems, CommonMistakesBehindTheListAreCounted) {
  InputProblems all;
  for (int line = 1; line <= 20; ++line)
    all.add(line, "x");
  all.add_common(21, "name");
  all.add_common(22, "name");
  expect_parts(error_of([&] { all.raise("f"); }), {"f:20: x", "f: 2 more problems, 22 in all"});
}

TEST(InputProblems, Places) {
  EXPECT_EQ(error_of([] { fail_at_line("f", 7, "m"); }), "f:7: m");
  EXPECT_EQ(error_of([] { fail_at_byte("f", 7, "m"); }), "f:@7: m");
}

TEST(InputProblems, QuotesWhatDoesNotPrint) {
  EXPECT_EQ(in_quotes("ab"), "'ab'");
  EXPECT_EQ(in_quotes(std::string_view("a\0\xff\n", 4)), "'a\\x00\\xff\\x0a'");
  EXPECT_EQ(in_quotes(std::string(50, 'x')), "'" + std::string(40, 'x') + "...'");
}

}  // namespace weft::datasets::tests
