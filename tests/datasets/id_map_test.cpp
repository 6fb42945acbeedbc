// SPDX-License-Identifier: MIT
#include "datasets/id_map.hpp"

#include "tests/datasets/file_makers.hpp"

namespace weft::datasets::tests {

namespace {
std::int64_t find(const IdMap& map, std::uint64_t id) {
  return map.find(id);
}
}  // namespace

TEST(IdMap, ConsecutiveIds) {
  IdMap map = IdMap::consecutive(3);
  EXPECT_EQ(find(map, 0), 0);
  EXPECT_EQ(find(map, 2), 2);
  EXPECT_EQ(find(map, 3), -1);
  EXPECT_EQ(find(map, UINT64_MAX), -1);
  EXPECT_TRUE(map.take_numbers().empty());
  IdMap one_based = IdMap::consecutive(3, 1);
  EXPECT_EQ(find(one_based, 0), -1);
  EXPECT_EQ(find(one_based, 3), 2);
  EXPECT_EQ(one_based.take_numbers(), (std::vector<std::int64_t>{1, 2, 3}));
}

TEST(IdMap, NumbersInAnyOrder) {
  for (const std::vector<std::int64_t>& ids :
       {std::vector<std::int64_t>{5, 7, 9}, std::vector<std::int64_t>{9, 5, 7}}) {
    IdMap map(ids);
    for (std::size_t v = 0; v < ids.size(); ++v) {
      EXPECT_EQ(find(map, static_cast<std::uint64_t>(ids[v])), static_cast<std::int64_t>(v));
    }
    EXPECT_EQ(find(map, 6), -1);
    EXPECT_EQ(find(map, 100), -1);
    EXPECT_EQ(map.take_numbers(), ids);
  }
}

TEST(IdMap, StringsByTheirBytes) {
  IdMap map(std::vector<std::string>{"b", "10", "2", "B"});
  EXPECT_TRUE(map.has_strings());
  EXPECT_EQ(map.find("10"), 1);
  EXPECT_EQ(map.find("B"), 3);
  EXPECT_EQ(map.find("a"), -1);
  EXPECT_EQ(map.size(), 4);
  EXPECT_EQ(map.take_strings().front(), "b");
}

TEST(IdMap, FindsRepeatedIds) {
  EXPECT_FALSE(IdMap(std::vector<std::int64_t>{3, 1, 2}).find_repeated());
  const auto repeated = IdMap(std::vector<std::int64_t>{3, 1, 2, 1}).find_repeated();
  ASSERT_TRUE(repeated.has_value());
  EXPECT_EQ(repeated->first, 1);
  EXPECT_EQ(repeated->second, 3);
  EXPECT_TRUE(IdMap(std::vector<std::string>{"a", "a"}).find_repeated());
}

}  // namespace weft::datasets::tests
