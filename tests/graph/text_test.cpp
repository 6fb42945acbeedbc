// SPDX-License-Identifier: MIT
#include "graph/support/text.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace weft {
namespace {

TEST(Text, JoinsItsParts) {
  EXPECT_EQ(text("part ", 3, " of ", 4.5, '!'), "part 3 of 4.5!");
}

TEST(FormatCount, GroupsThousands) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1000), "1,000");
  EXPECT_EQ(format_count(1234567), "1,234,567");
  EXPECT_EQ(format_count(-123), "-123");
  EXPECT_EQ(format_count(-123456), "-123,456");
  EXPECT_EQ(format_count(std::numeric_limits<std::int64_t>::min()), "-9,223,372,036,854,775,808");
}

TEST(FormatBytes, HasThreeDigitsAndABinaryUnit) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(1536), "1.50 KiB");
  EXPECT_EQ(format_bytes(10 * 1024), "10.0 KiB");
  EXPECT_EQ(format_bytes(512 * 1024), "512 KiB");
  EXPECT_EQ(format_bytes(1023 * 1024), "1.00 MiB");
  EXPECT_EQ(format_bytes(std::int64_t{3} << 30), "3.00 GiB");
  EXPECT_EQ(format_bytes(-2048), "-2.00 KiB");
}

TEST(FormatFixed, KeepsItsDigits) {
  EXPECT_EQ(format_fixed(0.81849, 4), "0.8185");
  EXPECT_EQ(format_fixed(2.0, 1), "2.0");
  EXPECT_EQ(format_fixed(12.6, 0), "13");
}

TEST(FormatSeconds, PicksTheUnit) {
  EXPECT_EQ(format_seconds(0.0), "0 s");
  EXPECT_EQ(format_seconds(1.5e-8), "15.0 ns");
  EXPECT_EQ(format_seconds(2.5e-5), "25.0 us");
  EXPECT_EQ(format_seconds(0.0123), "12.3 ms");
  EXPECT_EQ(format_seconds(0.99996), "1.00 s");
  EXPECT_EQ(format_seconds(12.34), "12.3 s");
  EXPECT_EQ(format_seconds(125.0), "2 min 05 s");
  EXPECT_EQ(format_seconds(3725.0), "1 h 02 min");
  EXPECT_EQ(format_seconds(-0.5), "-500 ms");
  EXPECT_EQ(format_seconds(std::numeric_limits<double>::infinity()), "inf");
}

TEST(Join, PutsTheSeparatorBetween) {
  EXPECT_EQ(join({"a", "b", "c"}, ", "), "a, b, c");
  EXPECT_EQ(join({"a"}, ", "), "a");
  EXPECT_EQ(join({}, ", "), "");
}

TEST(NearestWord, FindsASlipOfTheFinger) {
  const std::vector<std::string> words{"hidden", "layers", "dropout", "lr"};
  EXPECT_EQ(nearest_word("hiden", words), "hidden");
  EXPECT_EQ(nearest_word("layesr", words), "layers");
  EXPECT_EQ(nearest_word("Dropout", words), "dropout");
  EXPECT_EQ(nearest_word("l", words), "lr");
  EXPECT_EQ(nearest_word("momentum", words), "");
  EXPECT_EQ(nearest_word("x", {}), "");
}

}  // namespace
}  // namespace weft
