// SPDX-License-Identifier: MIT
#include "datasets/edge_chunk.hpp"

#include "datasets/edge_line_parser.hpp"
#include "tests/datasets/file_makers.hpp"
#include "tests/graph/threads.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::datasets::tests {

using test_support::TemporaryFolder;

namespace {

CollectedEdges<graph::Arc> collect(const std::filesystem::path& path, bool strings = false) {
  TextSource source(path);
  IdRule rule;
  rule.high = 1000000;
  rule.collects_strings = strings;
  const EdgeLineFormat format;
  return collect_edges<graph::Arc>(source, {},
                                   [&](std::string_view text, EdgeChunk<graph::Arc>& chunk) {
                                     parse_edge_lines(text, format, rule, chunk);
                                   },
                                   {});
}

/// More than one chunk of lines; line `bad`, from 1, is broken.
std::string many_lines(int count, int bad) {
  std::string lines;
  for (int i = 1; i <= count; ++i) {
    lines += i == bad ? std::string("x 1\n") : std::to_string(i % 1000) + " 999999\n";
  }
  return lines;
}

}  // namespace

TEST(EdgeChunk, StringTableKeepsTheOrderOfAppearance) {
  StringTable table;
  EXPECT_EQ(table.add("b"), 0);
  EXPECT_EQ(table.add("a"), 1);
  EXPECT_EQ(table.add("b"), 0);
  EXPECT_EQ(table.names(), (std::vector<std::string>{"b", "a"}));
  table.clear();
  EXPECT_EQ(table.add("a"), 0);
}

TEST(EdgeChunk, JoinsChunksInOrderForAnyNumberOfThreads) {
  const TemporaryFolder folder;
  constexpr int count = 400000;
  const auto path = folder.write("a.txt", many_lines(count, 0));
  for (const int threads : {1, 3}) {
    test_support::with_threads(threads, [&] {
      const auto all = collect(path);
      ASSERT_EQ(all.arcs.size(), static_cast<std::size_t>(count));
      EXPECT_EQ(all.counts.lines, count);
      for (int i = 0; i < count; i += 997) {
        ASSERT_EQ(all.arcs[static_cast<std::size_t>(i)].source, (i + 1) % 1000);
      }
    });
  }
}

TEST(EdgeChunk, NamesTheTrueLineInEveryChunk) {
  const TemporaryFolder folder;
  constexpr int count = 400000;
  for (const int bad : {1, 2, 70000, 200001, count}) {
    const std::string lines = many_lines(count, bad);
    for (const auto& path : {folder.write("a.txt", lines), folder.write("a.gz", gzip_of(lines))}) {
      expect_parts(error_of([&] { (void)collect(path); }), {weft::text(":", bad, ": id 'x'")});
    }
  }
}

TEST(EdgeChunk, GathersNamesOverChunks) {
  const TemporaryFolder folder;
  const auto all = collect(folder.write("a.txt", many_lines(400000, 0)), true);
  EXPECT_EQ(all.names.size(), 1001U);
  EXPECT_EQ(all.names[0], "1");
  const graph::Arc last = all.arcs.back();
  EXPECT_EQ(all.names[static_cast<std::size_t>(last.source)], "0");
  EXPECT_EQ(all.names[static_cast<std::size_t>(last.destination)], "999999");
}

TEST(EdgeChunk, StopsAtAnIdThatIsTooWide) {
  const TemporaryFolder folder;
  TextSource source(folder.write("a.txt", "1 3000000000\n"));
  IdRule rule;
  rule.collects_numbers = true;
  const auto all =
      collect_edges<graph::Arc>(source, {},
                                [&](std::string_view text, EdgeChunk<graph::Arc>& chunk) {
                                  parse_edge_lines(text, EdgeLineFormat(), rule, chunk);
                                },
                                {});
  EXPECT_TRUE(all.too_wide);
}

}  // namespace weft::datasets::tests
