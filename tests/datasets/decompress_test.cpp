// SPDX-License-Identifier: MIT
#include "datasets/decompress.hpp"

#include "tests/datasets/file_makers.hpp"

namespace weft::datasets::tests {

TEST(Decompress, KnowsEncodingsByTheirFirstBytes) {
  const auto encoding = [](std::string bytes) {
    return encoding_of(std::as_bytes(std::span(bytes)));
  };
  EXPECT_EQ(encoding(gzip_of("x")), Encoding::gzip);
  EXPECT_EQ(encoding(zstd_of("x")), Encoding::zstd);
  EXPECT_EQ(encoding("\x5f\x2a\x4d\x18...."), Encoding::zstd);
  EXPECT_EQ(encoding("\x50\x2a\x4d\x18"), Encoding::zstd);
  EXPECT_EQ(encoding("\x50\x2a\x4d"), Encoding::plain);
  EXPECT_EQ(encoding("0 1\n"), Encoding::plain);
  EXPECT_EQ(encoding(""), Encoding::plain);
}

TEST(Decompress, NamesEncodings) {
  EXPECT_STREQ(encoding_name(Encoding::gzip), "gzip");
  EXPECT_STREQ(encoding_name(Encoding::zstd), "zstd");
  EXPECT_STREQ(encoding_name(Encoding::plain), "plain text");
  EXPECT_THROW((void)make_decompressor(Encoding::plain, {}, "x"), RuntimeError);
}

}  // namespace weft::datasets::tests
