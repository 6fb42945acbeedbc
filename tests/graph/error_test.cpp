// SPDX-License-Identifier: MIT
#ifndef WEFT_ASSERTIONS
#define WEFT_ASSERTIONS
#endif
#include "graph/support/error.hpp"

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(Error, CarriesTheExitStatus) {
  EXPECT_EQ(InputError("wrong").exit_status(), 2);
  EXPECT_EQ(RuntimeError("failed").exit_status(), 1);
  EXPECT_STREQ(InputError("wrong").what(), "wrong");
}

TEST(AssertDeathTest, NamesTheConditionAndThePlace) {
  EXPECT_DEATH(WEFT_ASSERT(1 + 1 == 3), "1 \\+ 1 == 3 at .*error_test.cpp:[0-9]+");
}

TEST(Assert, PassesWhatHolds) {
  WEFT_ASSERT(1 + 1 == 2);
}

}  // namespace
}  // namespace weft
