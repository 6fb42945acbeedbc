// SPDX-License-Identifier: MIT
#include "tests/datasets/decompress_checks.hpp"
#include "tests/datasets/file_makers.hpp"

namespace weft::datasets::tests {

namespace {

std::string inflated(const std::string& bytes, std::size_t piece = 1000) {
  return decompressed(Encoding::gzip, bytes, piece);
}

}  // namespace

TEST(DecompressGzip, ReadsMembersBackToBack) {
  const std::string lines = numbered_lines(100000);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{1} << 20}) {
    EXPECT_EQ(inflated(gzip_of(lines), piece), lines);
    EXPECT_EQ(inflated(gzip_of("a\n") + gzip_of("") + gzip_of("b\n"), piece), "a\nb\n");
  }
  EXPECT_EQ(inflated(gzip_of("")), "");
}

TEST(DecompressGzip, IgnoresZeroPadding) {
  EXPECT_EQ(inflated(gzip_of("a\n") + std::string(512, '\0')), "a\n");
}

TEST(DecompressGzip, RefusesAStreamThatIsCutShort) {
  const std::string whole = gzip_of("0 1\n1 2\n");
  for (std::size_t size = 2; size < whole.size(); ++size) {
    expect_parts(error_of([&] { (void)inflated(whole.substr(0, size)); }), {"f:@", "ends early"});
  }
}

TEST(DecompressGzip, RefusesAWrongChecksum) {
  std::string bytes = gzip_of("0 1\n1 2\n");
  bytes[bytes.size() - 6] = static_cast<char>(bytes[bytes.size() - 6] ^ 1);
  expect_parts(error_of([&] { (void)inflated(bytes); }), {"f:@", "incorrect data check"});
}

TEST(DecompressGzip, RefusesBytesBehindTheLastMember) {
  const std::string bytes = gzip_of("0 1\n");
  expect_parts(error_of([&] { (void)inflated(bytes + "garbage!"); }),
               {text("f:@", bytes.size()), "8 bytes after the last gzip member"});
}

}  // namespace weft::datasets::tests
