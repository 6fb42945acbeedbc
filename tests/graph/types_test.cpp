// SPDX-License-Identifier: MIT
#include "graph/support/types.hpp"

#include <gtest/gtest.h>

#include <string>

#include "graph/support/error.hpp"

namespace weft {
namespace {

TEST(CheckedLocalId, TakesThirtyOneBits) {
  EXPECT_EQ(checked_local_id(0, "id"), 0);
  EXPECT_EQ(checked_local_id(max_local_vertices, "id"), 2147483647);
}

TEST(CheckedLocalId, NamesWhatDoesNotFit) {
  for (const std::int64_t value : {std::int64_t{-1}, max_local_vertices + 1}) {
    try {
      (void)checked_local_id(value, "halo vertex");
      FAIL() << value;
    } catch (const InputError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("halo vertex"), std::string::npos) << message;
      EXPECT_NE(message.find(std::to_string(value)), std::string::npos) << message;
      EXPECT_EQ(error.exit_status(), 2);
    }
  }
}

}  // namespace
}  // namespace weft
