// SPDX-License-Identifier: MIT
// What of the environment can be seen from inside; how jobs end is seen by exit_test.sh.
#include <string>

#include <gtest/gtest.h>

#include "comm/communicator.hpp"

namespace weft::comm {
namespace {

TEST(Environment, NamesItsLibraryOnOneLine) {
  const std::string name = Environment::library_version();
  EXPECT_NE(name.find("MPI"), std::string::npos) << name;
  EXPECT_NE(name.find('.'), std::string::npos) << name;
  EXPECT_EQ(name.find_first_of("\n\t,"), std::string::npos) << name;
}

}  // namespace
}  // namespace weft::comm
