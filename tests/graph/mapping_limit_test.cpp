// SPDX-License-Identifier: MIT
// A file that does not fit the address space that the process may have.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "graph/support/error.hpp"
#include "graph/support/files.hpp"
#include "tests/support/temporary_folder.hpp"

namespace weft {
namespace {

/// Lets the process grow by `bytes` more, until the end of the scope.
class AddressSpaceLimit {
 public:
  explicit AddressSpaceLimit(rlim_t bytes) {
    getrlimit(RLIMIT_AS, &before_);
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlimit limit{pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + bytes,
                       before_.rlim_max};
    EXPECT_EQ(setrlimit(RLIMIT_AS, &limit), 0);
  }
  ~AddressSpaceLimit() { setrlimit(RLIMIT_AS, &before_); }
  AddressSpaceLimit(const AddressSpaceLimit&) = delete;
  AddressSpaceLimit& operator=(const AddressSpaceLimit&) = delete;

 private:
  rlimit before_{};
};

TEST(MappingLimit, AFileThatDoesNotFitIsNoWrongInput) {
  const test_support::TemporaryFolder folder;
  const std::filesystem::path path = folder.write("large", "");
  std::filesystem::resize_file(path, std::uintmax_t{1} << 30);  // without blocks on the disk
  const AddressSpaceLimit limit(rlim_t{1} << 28);
  try {
    const MappedFile file(path);
    FAIL() << "1 GiB was mapped into 256 MiB";
  } catch (const RuntimeError& error) {
    const std::string words = error.what();
    EXPECT_NE(words.find(path.string()), std::string::npos) << words;
    EXPECT_NE(words.find("out of memory"), std::string::npos) << words;
    EXPECT_NE(words.find("ulimit -v"), std::string::npos) << words;
  }
}

}  // namespace
}  // namespace weft
