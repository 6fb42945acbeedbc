// SPDX-License-Identifier: MIT
#include "datasets/chunk_pipeline.hpp"

#include <atomic>

#include "tests/datasets/decompress_checks.hpp"
#include "tests/datasets/file_makers.hpp"
#include "tests/graph/threads.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::datasets::tests {

using test_support::TemporaryFolder;

TEST(ChunkPipeline, JoinsInFileOrderForAnyNumberOfThreads) {
  const TemporaryFolder folder;
  const std::string lines = numbered_lines(200000);
  const auto plain = folder.write("a.txt", lines);
  const auto gzip = folder.write("a.gz", gzip_of(lines));
  for (const int threads : {1, 2, 7, 16}) {
    test_support::with_threads(threads, [&] {
      for (const auto& path : {plain, gzip}) {
        TextSource source(path);
        std::vector<std::string> slots(num_chunk_slots());
        std::string joined;
        process_chunks(source, 1000,
                       {[&](const TextChunk& chunk, std::size_t slot) { slots[slot] = chunk.text; },
                        [&](std::size_t slot) {
                          joined += slots[slot];
                          return true;
                        }});
        EXPECT_TRUE(joined == lines);
      }
    });
  }
}

TEST(ChunkPipeline, StopsWhenJoinSaysSo) {
  const TemporaryFolder folder;
  TextSource source(folder.write("a.txt", numbered_lines(100000)));
  int joined = 0;
  process_chunks(source, 100,
                 {[](const TextChunk&, std::size_t) {}, [&](std::size_t) { return ++joined < 3; }});
  EXPECT_EQ(joined, 3);
  EXPECT_LT(source.position(), source.file_bytes());
}

TEST(ChunkPipeline, PassesErrorsOn) {
  const TemporaryFolder folder;
  TextSource source(folder.write("a.txt", numbered_lines(100000)));
  expect_parts(error_of([&] {
                 process_chunks(source, 100,
                                {[](const TextChunk&, std::size_t) { throw InputError("stop"); },
                                 [](std::size_t) { return true; }});
               }),
               {"stop"});
}

TEST(ChunkPipeline, GivesEachChunkInFlightASlotOfItsOwn) {
  const TemporaryFolder folder;
  TextSource source(folder.write("a.txt", numbered_lines(100000)));
  std::vector<std::atomic<int>> users(num_chunk_slots());
  process_chunks(source, 100,
                 {[&](const TextChunk&, std::size_t slot) { EXPECT_EQ(users[slot]++, 0); },
                  [&](std::size_t slot) {
                    EXPECT_EQ(users[slot]--, 1);
                    return true;
                  }});
}

}  // namespace weft::datasets::tests
