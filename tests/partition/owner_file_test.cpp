// SPDX-License-Identifier: MIT
#include "partition/owner_file.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <span>
#include <string>

#include "datasets/npy.hpp"
#include "graph/support/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft::partition {
namespace {

using Ids = std::vector<std::int32_t>;

class OwnerFile : public testing::Test {
 protected:
  // The text of the error that reading `path` for 3 vertices and 2 parts gives.
  static std::string error_of(const std::filesystem::path& path) {
    try {
      (void)read_owner_file(path, 3, 2);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  }

  void expect_error(const std::string& content, const std::string& words) const {
    const auto path = folder_.write("owners.txt", content);
    EXPECT_NE(error_of(path).find(words), std::string::npos) << error_of(path);
  }

  test_support::TemporaryFolder folder_;
};

TEST_F(OwnerFile, TextWithCommentsAndBlankLines) {
  const auto path = folder_.write("owners.txt", "# made by hand\n1\n\n 0 \r\n% end\n1");
  EXPECT_EQ(read_owner_file(path, 3, 2), (Ids{1, 0, 1}));
}

TEST_F(OwnerFile, ErrorsNameTheLine) {
  expect_error("0\n# c\n2\n0\n", "owners.txt:3: \"2\" found, expected one part, 0 to 1");
  expect_error("0\n-1\n0\n", "owners.txt:2: \"-1\"");
  expect_error("0\n1 1\n", "owners.txt:2: \"1 1\"");
  expect_error("0\none\n0\n", "owners.txt:2: \"one\"");
  expect_error("99999999999999999999\n0\n0\n", "owners.txt:1:");
}

TEST_F(OwnerFile, ErrorsNameBothCounts) {
  expect_error("0\n1\n", "2 owners, but the graph has 3 vertices");
  expect_error("0\n1\n1\n0\n", "4 owners, but the graph has 3 vertices");
}

TEST_F(OwnerFile, AbsentFileIsNamed) {
  EXPECT_NE(error_of(folder_ / "nothing.txt").find("nothing.txt"), std::string::npos);
}

TEST_F(OwnerFile, ArraysOf32And64Bits) {
  const Ids owner{1, 0, 1};
  datasets::write_npy<std::int32_t>(folder_ / "a.npy", owner, {3});
  EXPECT_EQ(read_owner_file(folder_ / "a.npy", 3, 2), owner);
  const std::vector<std::int64_t> wide{1, 0, 1};
  datasets::write_npy<std::int64_t>(folder_ / "b.npy", wide, {3});
  EXPECT_EQ(read_owner_file(folder_ / "b.npy", 3, 2), owner);
}

TEST_F(OwnerFile, ArraysOfOtherKindsAreRefused) {
  const std::vector<std::int64_t> beyond{1, 0, std::int64_t{1} << 32};
  datasets::write_npy<std::int64_t>(folder_ / "beyond.npy", beyond, {3});
  EXPECT_NE(error_of(folder_ / "beyond.npy").find("found for vertex 2"), std::string::npos);
  const std::vector<float> real{1, 0, 1};
  datasets::write_npy<float>(folder_ / "real.npy", real, {3});
  EXPECT_NE(error_of(folder_ / "real.npy").find("real.npy"), std::string::npos);
  const Ids table{1, 0, 1};
  datasets::write_npy<std::int32_t>(folder_ / "table.npy", table, {3, 1});
  EXPECT_NE(error_of(folder_ / "table.npy").find("2 dimensions"), std::string::npos);
}

}  // namespace
}  // namespace weft::partition
