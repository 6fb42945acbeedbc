// SPDX-License-Identifier: MIT
#include "datasets/text_lines.hpp"

#include "tests/datasets/decompress_checks.hpp"
#include "tests/datasets/file_makers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::datasets::tests {

using test_support::TemporaryFolder;

TEST(TextLines, CountsPhysicalLines) {
  const TemporaryFolder folder;
  TextLines lines(folder.write("a", "x\r\n\n y \nz"), 1000);
  std::string_view line;
  std::vector<std::string> all;
  while (lines.next(line)) {
    all.emplace_back(line);
    EXPECT_EQ(lines.number(), static_cast<std::int64_t>(all.size()));
  }
  EXPECT_EQ(all, (std::vector<std::string>{"x", "", " y ", "z"}));
  EXPECT_EQ(lines.number(), 4);
}

TEST(TextLines, CrossesChunks) {
  const TemporaryFolder folder;
  const std::string content = numbered_lines(3'000'000);
  TextLines lines(folder.write("a.gz", gzip_of(content)), 10'000'000);
  std::string joined;
  std::string_view line;
  while (lines.next(line))
    joined.append(line).push_back('\n');
  EXPECT_TRUE(joined == content);
}

TEST(TextLines, NamesTheLineWithANulOrACarriageReturn) {
  const TemporaryFolder folder;
  const auto error = [&](const std::string& content) {
    TextLines lines(folder.write("a", content), 1000);
    return error_of([&] {
      std::string_view line;
      while (lines.next(line)) {
      }
    });
  };
  expect_parts(error(std::string("0\n1\0\n", 5)), {"a:2: NUL byte"});
  expect_parts(error("0\r1\r2\n"), {"a:1: carriage return"});
}

}  // namespace weft::datasets::tests
