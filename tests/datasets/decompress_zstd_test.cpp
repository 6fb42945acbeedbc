// SPDX-License-Identifier: MIT
#include "tests/datasets/decompress_checks.hpp"
#include "tests/datasets/file_makers.hpp"

namespace weft::datasets::tests {

namespace {

std::string decoded(const std::string& bytes, std::size_t piece = 1000) {
  return decompressed(Encoding::zstd, bytes, piece);
}

}  // namespace

TEST(DecompressZstd, ReadsFramesBackToBack) {
  const std::string lines = numbered_lines(300000);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{1} << 20}) {
    EXPECT_EQ(decoded(zstd_of(lines), piece), lines);
    EXPECT_EQ(decoded(zstd_of("a\n") + zstd_of("") + zstd_of("b\n"), piece), "a\nb\n");
  }
}

TEST(DecompressZstd, SkipsSkippableFrames) {
  const std::string skipped = std::string("\x53\x2a\x4d\x18\x03\0\0\0", 8) + "xyz";
  EXPECT_EQ(decoded(skipped + zstd_of("a\n") + skipped), "a\n");
}

TEST(DecompressZstd, RefusesAStreamThatIsCutShort) {
  const std::string whole = zstd_of(numbered_lines(2000));
  for (std::size_t size = 4; size < whole.size(); size += 7) {
    expect_parts(error_of([&] { (void)decoded(whole.substr(0, size)); }), {"f:@", "ends early"});
  }
}

TEST(DecompressZstd, RefusesDamageAndGarbage) {
  std::string bytes = zstd_of(numbered_lines(20000));
  expect_parts(error_of([&] { (void)decoded(bytes + "garbage!"); }), {"f:@", "damaged"});
  for (std::size_t i = 0; i < 8; ++i)
    bytes[40 + i] = '\xff';
  expect_parts(error_of([&] { (void)decoded(bytes); }), {"f:@"});
}

}  // namespace weft::datasets::tests
