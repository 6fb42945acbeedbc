// SPDX-License-Identifier: MIT
#include "datasets/text_source.hpp"

#include "tests/datasets/decompress_checks.hpp"
#include "tests/datasets/file_makers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::datasets::tests {

using test_support::TemporaryFolder;

namespace {

/// All chunks of a file, joined; each must end with a line end.
std::string read_all(const std::filesystem::path& path, std::size_t chunk_bytes) {
  TextSource source(path);
  TextChunk chunk;
  std::string all;
  while (source.next(chunk_bytes, chunk)) {
    EXPECT_FALSE(chunk.text.empty());
    EXPECT_EQ(chunk.text.back(), '\n');
    source.release_before(chunk.source_end);
    all += chunk.text;
  }
  EXPECT_EQ(source.position(), source.file_bytes());
  return all;
}

}  // namespace

TEST(TextSource, GivesWholeLinesInEveryEncoding) {
  const TemporaryFolder folder;
  const std::string lines = numbered_lines(50000);
  const auto plain = folder.write("a.txt", lines);
  const auto gzip = folder.write("a.gz", gzip_of(lines));
  const auto zstd = folder.write("a", zstd_of(lines));
  for (const std::size_t bytes : {1U, 3U, 100U, 4096U, 1U << 20}) {
    EXPECT_EQ(read_all(plain, bytes), lines);
    EXPECT_EQ(read_all(gzip, bytes), lines);
    EXPECT_EQ(read_all(zstd, bytes), lines);
  }
}

TEST(TextSource, EndsTheLastLine) {
  const TemporaryFolder folder;
  for (const std::string content : {"0 1\n1 2", "0 1", "\n", "0 1\n\n", ""}) {
    const std::string expected =
        content.empty() || content.back() == '\n' ? content : content + "\n";
    for (const std::size_t bytes : {1U, 2U, 100U}) {
      EXPECT_EQ(read_all(folder.write("a.txt", content), bytes), expected);
      EXPECT_EQ(read_all(folder.write("a.gz", gzip_of(content)), bytes), expected);
    }
  }
}

TEST(TextSource, SkipsAByteOrderMark) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_all(folder.write("a", "\xef\xbb\xbf# x\n"), 100), "# x\n");
  EXPECT_EQ(read_all(folder.write("b", gzip_of("\xef\xbb\xbf# x\n")), 100), "# x\n");
}

TEST(TextSource, PeeksAndSkips) {
  const TemporaryFolder folder;
  for (const std::string& content : {std::string("abcdef\n"), gzip_of("abcdef\n")}) {
    TextSource source(folder.write("a", content));
    EXPECT_EQ(source.peek(3), "abc");
    EXPECT_EQ(source.peek(100), "abcdef\n");
    source.skip(4);
    EXPECT_EQ(source.peek(2), "ef");
    TextChunk chunk;
    ASSERT_TRUE(source.next(100, chunk));
    EXPECT_EQ(chunk.text, "ef\n");
    EXPECT_FALSE(source.next(100, chunk));
    EXPECT_EQ(source.peek(5), "");
  }
}

TEST(TextSource, RefusesWhatIsNoText) {
  const TemporaryFolder folder;
  const auto error = [&](const std::string& content) {
    const auto path = folder.write("x.txt", content);
    return error_of([&] { const TextSource source(path); });
  };
  using namespace std::string_literals;
  expect_parts(error("BZh91AY"), {"x.txt:@0", "bzip2", "decompress it first"});
  expect_parts(error("\xfd\x37zXZ\0\0"s), {"xz data"});
  expect_parts(error("PAR1...."), {"Parquet", "CSV"});
  expect_parts(error("ARROW1"), {"Arrow"});
  expect_parts(error("\x89HDF\r\n"), {"HDF5"});
  expect_parts(error("\x93NUMPY"), {"NumPy"});
  expect_parts(error("PK\x03\x04"), {"zip"});
  expect_parts(error("\xff\xfe"
                     "0\0"s),
               {"x.txt:1: UTF-16"});
  expect_parts(error(gzip_of("\xfe\xff")), {"UTF-16"});
  expect_parts(error_of([&] { const TextSource source(folder / "none.txt"); }), {"none.txt"});
}

TEST(TextSource, BoundsWhatIsDecompressed) {
  const TemporaryFolder folder;
  const auto path = folder.write("bomb.gz", gzip_of(std::string(10'000'000, '\n')));
  TextSource source(path, 1'000'000);
  TextChunk chunk;
  expect_parts(error_of([&] {
                 while (source.next(1 << 16, chunk)) {
                 }
               }),
               {"bomb.gz", "--max-decompressed"});
}

TEST(TextSource, KeepsAChunkWhileTheNextIsTaken) {
  const TemporaryFolder folder;
  TextSource source(folder.write("a.gz", gzip_of("a\nb\nc\n")));
  TextChunk first;
  TextChunk second;
  ASSERT_TRUE(source.next(2, first));
  ASSERT_TRUE(source.next(2, second));
  EXPECT_EQ(first.text, "a\n");
  EXPECT_EQ(second.text, "b\n");
}

}  // namespace weft::datasets::tests
