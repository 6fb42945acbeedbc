// SPDX-License-Identifier: MIT
#include "datasets/vertex_count.hpp"

#include "tests/datasets/file_makers.hpp"

namespace weft::datasets::tests {

TEST(VertexCount, AllMustAgree) {
  std::optional<VertexCount> known;
  learn_vertex_count(known, {3, "rows of f.npy"});
  EXPECT_NO_THROW(learn_vertex_count(known, {3, "rows of labels.txt"}));
  EXPECT_EQ(error_of([&] {
              learn_vertex_count(known, {4, "rows of labels.txt"});
            }),
            "rows of labels.txt: 4, expected 3 (rows of f.npy)");
}

TEST(VertexCount, HasALimit) {
  std::optional<VertexCount> known;
  expect_parts(error_of([&] { learn_vertex_count(known, {0, "--nodes"}); }), {"--nodes: 0"});
  expect_parts(error_of([&] {
                 learn_vertex_count(known, {std::int64_t{1} << 31, "--nodes"});
               }),
               {"2147483648 vertices", "2,147,483,647", "split"});
}

}  // namespace weft::datasets::tests
