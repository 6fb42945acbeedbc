// SPDX-License-Identifier: MIT
#include "datasets/text_fields.hpp"

#include <cmath>

#include "datasets/input_problems.hpp"
#include "tests/datasets/file_makers.hpp"

namespace weft::datasets::tests {

namespace {

using Fields = std::vector<std::string>;

Fields split(char delimiter, std::string_view line) {
  FieldSplitter splitter(delimiter);
  std::string problem;
  EXPECT_TRUE(splitter.split(line, problem)) << problem;
  return {splitter.fields().begin(), splitter.fields().end()};
}

std::string problem_of(char delimiter, std::string_view line) {
  FieldSplitter splitter(delimiter);
  std::string problem;
  EXPECT_FALSE(splitter.split(line, problem));
  return problem;
}

std::string finite_problem(std::string_view field) {
  float value = 0.0F;
  std::string problem;
  EXPECT_FALSE(parse_finite(field, "weight", value, problem));
  return problem;
}

}  // namespace

TEST(TextFields, Trims) {
  EXPECT_EQ(without_line_end("a\r\r\n"), "a");
  EXPECT_EQ(without_line_end("a\rb"), "a\rb");
  EXPECT_EQ(trimmed(" \t a b\t"), "a b");
  EXPECT_EQ(trimmed("  "), "");
}

TEST(TextFields, KnowsComments) {
  EXPECT_TRUE(is_comment("# x"));
  EXPECT_TRUE(is_comment(" \t% x"));
  EXPECT_FALSE(is_comment("1 # x"));
  EXPECT_FALSE(is_comment("  "));
}

TEST(TextFields, SplitsAtBlanks) {
  EXPECT_EQ(split('\0', " 1\t 2  "), (Fields{"1", "2"}));
  EXPECT_EQ(split('\0', ""), Fields{});
}

TEST(TextFields, SplitsAtDelimiters) {
  EXPECT_EQ(split(',', "1, 2 ,"), (Fields{"1", "2", ""}));
  EXPECT_EQ(split(',', ""), Fields{""});
  EXPECT_EQ(split('\t', "1\t\t2"), (Fields{"1", "", "2"}));
  EXPECT_EQ(split(';', "a;\"b;c\""), (Fields{"a", "b;c"}));
}

TEST(TextFields, KnowsQuotes) {
  EXPECT_EQ(split(',', "\"a, b\" , \"c\"\"d\"\"\",\"\""), (Fields{"a, b", "c\"d\"", ""}));
  EXPECT_EQ(split('\t', "\t\"x\ty\"\t1"), (Fields{"", "x\ty", "1"}));
  expect_parts(problem_of(',', "\"a,b"), {"never closed"});
  expect_parts(problem_of(',', "\"a\"x,b"), {"'x,b' after a closing quote"});
}

TEST(TextFields, ParsesWholeNumbersStrictly) {
  std::uint64_t number = 0;
  EXPECT_TRUE(parse_unsigned("18446744073709551615", number));
  EXPECT_EQ(number, UINT64_MAX);
  for (const char* bad :
       {"", " 1", "1 ", "+1", "-1", "1.0", "0x1", "1e3", "18446744073709551616"}) {
    EXPECT_FALSE(parse_unsigned(bad, number)) << bad;
  }
  std::int64_t whole = 0;
  EXPECT_TRUE(parse_signed("-7", whole));
  EXPECT_EQ(whole, -7);
}

TEST(TextFields, WordsWhatIsWrongWithAnId) {
  expect_parts(problem_of_id(""), {"empty id"});
  expect_parts(problem_of_id("-2"), {"negative id -2"});
  expect_parts(problem_of_id("99999999999999999999"), {"63 bits"});
  expect_parts(problem_of_id("2.0"), {"decimal point"});
  expect_parts(problem_of_id("1e3"), {"exponent"});
  expect_parts(problem_of_id("nan"), {"no number"});
  expect_parts(problem_of_id("two"), {"'two' is no number", "--ids string"});
  expect_parts(problem_of_id(std::string_view("1\0", 2)), {"NUL"});
}

TEST(TextFields, TellsNamesFromMisspelledNumbers) {
  for (const char* name : {"two", "v1", "nan", "1_000"})
    EXPECT_TRUE(looks_like_name(name)) << name;
  for (const char* number : {"", "7", "-2", "2.0", "1e3", "99999999999999999999"})
    EXPECT_FALSE(looks_like_name(number)) << number;
}

TEST(TextFields, ParsesFiniteNumbers) {
  float value = 0.0F;
  std::string problem;
  for (const auto& [field, expected] : std::vector<std::pair<const char*, float>>{
           {"0.5", 0.5F}, {"-3", -3.0F}, {"1e-3", 1e-3F}, {"3.4e38", 3.4e38F}, {"1e-50", 0.0F}}) {
    EXPECT_TRUE(parse_finite(field, "weight", value, problem)) << field;
    EXPECT_EQ(value, expected);
  }
  expect_parts(finite_problem("nan"), {"weight 'nan'", "finite"});
  expect_parts(finite_problem("-inf"), {"finite"});
  expect_parts(finite_problem("1e39"), {"range of float"});
  expect_parts(finite_problem("1e999"), {"range of double"});
  expect_parts(finite_problem("0,5"), {"decimal point"});
  expect_parts(finite_problem(""), {"weight is empty"});
  expect_parts(finite_problem("0x10"), {"'0x10'"});
}

TEST(TextFields, KnowsUtf8) {
  for (const char* good : {"", "abc", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80"}) {
    EXPECT_TRUE(is_utf8(good)) << good;
  }
  for (const char* bad : {"\xff", "\xc3", "\xc3(", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80",
                          "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "a\x80"}) {
    EXPECT_FALSE(is_utf8(bad)) << in_quotes(bad);
  }
}

TEST(TextFields, NamesDelimiters) {
  EXPECT_EQ(delimiter_name('\0'), "blanks");
  EXPECT_EQ(delimiter_name('\t'), "tabs");
  EXPECT_EQ(delimiter_name(','), "','");
}

}  // namespace weft::datasets::tests
