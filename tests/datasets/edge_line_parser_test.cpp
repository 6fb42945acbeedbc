// SPDX-License-Identifier: MIT
#include "datasets/edge_line_parser.hpp"

#include "tests/datasets/file_makers.hpp"

namespace weft::datasets::tests {

namespace {

using graph::Arc;

IdRule below(std::uint64_t high) {
  IdRule rule;
  rule.high = high;
  rule.limit = "is too large";
  return rule;
}

EdgeChunk<Arc> parse(const std::string& text,
                     const EdgeLineFormat& format = {},
                     const IdRule& rule = below(100)) {
  EdgeChunk<Arc> chunk;
  parse_edge_lines(text, format, rule, chunk);
  chunk.arcs.resize(chunk.num_arcs);
  return chunk;
}

std::string problem(const std::string& text,
                    const EdgeLineFormat& format = {},
                    const IdRule& rule = below(100)) {
  return error_of([&] { parse(text, format, rule).problems.raise("f"); });
}

EdgeLineFormat weighted(char delimiter = '\0') {
  EdgeLineFormat format;
  format.delimiter = delimiter;
  format.num_columns = 3;
  format.weight = 2;
  return format;
}

}  // namespace

TEST(EdgeLineParser, ReadsPairs) {
  const auto chunk = parse("0 1\n1\t2\n  3 \t 4  \n5 6\r\n7 8\r\r\n007 0000000000000000000009\n");
  EXPECT_EQ(chunk.arcs, (std::vector<Arc>{{0, 1}, {1, 2}, {3, 4}, {5, 6}, {7, 8}, {7, 9}}));
  EXPECT_EQ(chunk.counts.lines, 6);
  EXPECT_TRUE(chunk.problems.empty());
}

TEST(EdgeLineParser, ReadsNumbersOfEveryLength) {
  std::string lines;
  std::vector<Arc> expected;
  for (int repetition = 0; repetition < 3; ++repetition) {
    for (std::int64_t source = 1; source < 1'000'000'000; source = source * 10 + source % 7) {
      for (std::int64_t destination = 9; destination < 1'000'000'000; destination *= 7) {
        lines += weft::text(source, repetition == 1 ? "\t" : " ", destination,
                            repetition == 2 ? "\r\n" : "\n");
        expected.push_back(
            {static_cast<std::int32_t>(source), static_cast<std::int32_t>(destination)});
      }
    }
  }
  const auto chunk = parse(lines, {}, below(2'000'000'000));
  EXPECT_EQ(chunk.arcs, expected);
  EXPECT_EQ(chunk.counts.lines, std::ssize(expected));
}

TEST(EdgeLineParser, NamesTheLineOfAProblemAmongShortPairs) {
  for (const char* bad : {"1:2", "1 2 ", "12 x", "123456789", " ", "1  5", "a 1", "1\v2", "1 2/",
                          "1/2", "99 1", "1 99"}) {
    std::string lines;
    for (int i = 0; i < 40; ++i)
      lines += i == 20 ? weft::text(bad, "\n") : "7 8\n";
    const auto chunk = parse(lines, {}, below(99));
    EXPECT_EQ(chunk.counts.lines, 40) << bad;
    const bool is_good = std::string(bad) == "1 2 " || std::string(bad) == "1  5";
    const bool is_blank_line = std::string(bad) == " ";
    EXPECT_EQ(chunk.num_arcs, is_good ? 40U : 39U) << bad;
    EXPECT_EQ(chunk.problems.total(), is_good || is_blank_line ? 0 : 1) << bad;
    if (is_good || is_blank_line) continue;
    expect_parts(error_of([&] { chunk.problems.raise("f"); }), {"f:21: "});
  }
}

TEST(EdgeLineParser, CountsCommentsAndBlankLines) {
  const auto chunk = parse("# a\n0 1\n\n \t\r\n  % b\n1 2\n");
  EXPECT_EQ(chunk.arcs, (std::vector<Arc>{{0, 1}, {1, 2}}));
  EXPECT_EQ(chunk.counts.lines, 6);
  EXPECT_EQ(chunk.counts.comments, 2);
  EXPECT_EQ(chunk.counts.blanks, 2);
}

TEST(EdgeLineParser, RefusesBrokenPairs) {
  expect_parts(problem("0 1\n1 -2\n"), {"f:2: negative id -2"});
  expect_parts(problem("18446744073709551616 1\n"), {"63 bits"});
  expect_parts(problem("9223372036854775808 1\n"), {"63 bits"});
  expect_parts(problem("1\n"), {"1 field, expected 2"});
  expect_parts(problem("1 2 3\n"), {"3 fields, expected 2"});
  expect_parts(problem("1 2x\n"), {"'2x' is no number"});
  expect_parts(problem("1 2.0\n"), {"decimal point"});
  expect_parts(problem("1 0x10\n"), {"'0x10'"});
  expect_parts(problem("1 1e3\n"), {"exponent"});
  expect_parts(problem("1 +2\n"), {"'+2'"});
  expect_parts(problem("1 2 # note\n"), {"comment after data"});
  expect_parts(problem(std::string("1\0 2\n", 5)), {"NUL byte"});
  expect_parts(problem("0\t1\r1\t2\r\n"), {"carriage return"});
  expect_parts(problem("1,2\n"), {"1 field"});
}

TEST(EdgeLineParser, KeepsGoingBehindAProblem) {
  const auto chunk = parse("0 1\nx\n2 3\ny\n");
  EXPECT_EQ(chunk.arcs, (std::vector<Arc>{{0, 1}, {2, 3}}));
  EXPECT_EQ(chunk.problems.total(), 2);
}

TEST(EdgeLineParser, HoldsIdsInTheirRange) {
  EXPECT_EQ(parse("99 0\n").arcs, (std::vector<Arc>{{99, 0}}));
  expect_parts(problem("0 100\n"), {"f:1: vertex id 100 is too large"});
  IdRule one_based = below(4);
  one_based.low = 1;
  EXPECT_EQ(parse("1 3\n", {}, one_based).arcs, (std::vector<Arc>{{0, 2}}));
  expect_parts(problem("0 1\n", {}, one_based), {"vertex id 0"});
  expect_parts(problem("4 1\n", {}, one_based), {"vertex id 4"});
}

TEST(EdgeLineParser, ReadsWideIds) {
  IdRule rule;
  rule.collects_numbers = true;
  EdgeChunk<Arc> narrow;
  parse_edge_lines("2147483646 0\n", EdgeLineFormat(), rule, narrow);
  EXPECT_FALSE(narrow.too_wide);
  parse_edge_lines("2147483647 0\n", EdgeLineFormat(), rule, narrow);
  EXPECT_TRUE(narrow.too_wide);
  EdgeChunk<WideArc> wide;
  parse_edge_lines("9223372036854775807 1\n", EdgeLineFormat(), rule, wide);
  EXPECT_TRUE(wide.problems.empty());
  EXPECT_EQ(wide.arcs[0].source, INT64_MAX);
}

TEST(EdgeLineParser, ReadsWeights) {
  const auto chunk = parse("0 1 0.5\n1 2 3e1\n2 3 0\n", weighted());
  EXPECT_EQ(chunk.num_arcs, 3U);
  EXPECT_EQ(std::vector<float>(chunk.weights.begin(), chunk.weights.begin() + 3),
            (std::vector<float>{0.5F, 30.0F, 0.0F}));
  expect_parts(problem("0 1 nan\n", weighted()), {"weight 'nan'"});
  expect_parts(problem("0 1 inf\n", weighted()), {"finite"});
  expect_parts(problem("0 1\n", weighted()), {"2 fields, expected 3"});
  expect_parts(problem("0 1 0,5\n", weighted()), {"decimal point"});
  expect_parts(problem("0 1 -3\n", weighted()), {"negative weight -3", "--allow-negative-weights"});
  EdgeLineFormat signed_weights = weighted();
  signed_weights.allow_negative_weights = true;
  EXPECT_EQ(parse("0 1 -3\n", signed_weights).weights[0], -3.0F);
}

TEST(EdgeLineParser, ReadsColumnsByPosition) {
  EdgeLineFormat format = weighted(',');
  format.num_columns = 4;
  format.source = 3;
  format.destination = 1;
  format.weight = 0;
  const auto chunk = parse("0.5, 7 ,\"x, y\",\"8\"\n", format);
  EXPECT_EQ(chunk.arcs, (std::vector<Arc>{{8, 7}}));
  EXPECT_EQ(chunk.weights[0], 0.5F);
  expect_parts(problem("1,,x,2\n", format), {"empty id"});
}

TEST(EdgeLineParser, GathersNames) {
  EdgeLineFormat format;
  format.delimiter = ',';
  IdRule rule;
  rule.collects_strings = true;
  const auto chunk = parse("b,a\n\"a\",\"c, d\"\n", format, rule);
  EXPECT_EQ(chunk.names.names(), (std::vector<std::string>{"b", "a", "c, d"}));
  EXPECT_EQ(chunk.arcs, (std::vector<Arc>{{0, 1}, {1, 2}}));
  expect_parts(problem("\xff,a\n", format, rule), {"not UTF-8"});
  expect_parts(problem(",a\n", format, rule), {"empty id"});
}

TEST(EdgeLineParser, LooksIdsUp) {
  const IdMap numbers(std::vector<std::int64_t>{30, 10, 20});
  IdRule rule;
  rule.known = &numbers;
  EXPECT_EQ(parse("10 30\n", {}, rule).arcs, (std::vector<Arc>{{1, 0}}));
  expect_parts(problem("10 11\n", {}, rule), {"'11' is not among the 3 ids"});
  const IdMap names(std::vector<std::string>{"x", "y"});
  rule.known = &names;
  EXPECT_EQ(parse("y x\n", {}, rule).arcs, (std::vector<Arc>{{1, 0}}));
  expect_parts(problem("y z\n", {}, rule), {"'z' is not among the 2 ids"});
}

TEST(EdgeLineParser, ReusesItsChunk) {
  EdgeChunk<Arc> chunk;
  parse_edge_lines("0 1\n1 2\nx\n", EdgeLineFormat(), below(9), chunk);
  parse_edge_lines("3 4\n", EdgeLineFormat(), below(9), chunk);
  EXPECT_EQ(chunk.num_arcs, 1U);
  EXPECT_EQ(chunk.arcs[0], (Arc{3, 4}));
  EXPECT_EQ(chunk.counts.lines, 1);
  EXPECT_TRUE(chunk.problems.empty());
}

}  // namespace weft::datasets::tests
