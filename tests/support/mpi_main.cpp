// SPDX-License-Identifier: MIT
// main() of the tests that run on several ranks: every rank runs every test; rank 0 prints as
// usual; what fails on another rank is printed at once with the rank's name, since the ranks that
// wait for it may never come to an end; all ranks return failure if one failed.
#include <array>
#include <cstdint>
#include <iostream>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "comm/communicator.hpp"
#include "graph/support/text.hpp"

namespace {

// Prints failures of a rank that has no other output, and collects the names of failed tests.
class RankListener : public testing::EmptyTestEventListener {
 public:
  explicit RankListener(int rank) : rank_(rank) {}

  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed() || rank_ == 0) return;
    const char* file = result.file_name() == nullptr ? "unknown file" : result.file_name();
    std::cerr << weft::text("[rank ", rank_, "] ", test_, "\n[rank ", rank_, "] ", file, ":",
                            result.line_number(), ": ", result.message(), "\n")
              << std::flush;
  }
  void OnTestStart(const testing::TestInfo& info) override {
    test_ = weft::text(info.test_suite_name(), ".", info.name());
  }
  void OnTestEnd(const testing::TestInfo& info) override {
    if (info.result()->Failed()) failed_.push_back(test_);
  }

  [[nodiscard]] const std::vector<std::string>& failed() const { return failed_; }

 private:
  int rank_;
  std::string test_;
  std::vector<std::string> failed_;
};

// Rank 0 lists what failed where; returns the status that all ranks share.
int report(weft::comm::Communicator& world, const std::vector<std::string>& failed, int status) {
  const std::vector<std::string> by_rank = world.all_gather(weft::join(failed, ", "));
  if (world.rank() == 0) {
    for (std::size_t rank = 0; rank < by_rank.size(); ++rank) {
      if (by_rank[rank].empty()) continue;
      std::cerr << weft::text("[rank ", rank, "] FAILED: ", by_rank[rank], "\n");
    }
  }
  std::array<std::int64_t, 1> worst = {failed.empty() ? status : 1};
  world.all_reduce_max(std::span<std::int64_t>(worst));
  return static_cast<int>(worst[0]);
}

int run_tests() {
  weft::comm::Communicator world = weft::comm::Communicator::world();
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  auto listener = std::make_unique<RankListener>(world.rank());
  const RankListener& results = *listener;
  listeners.Append(listener.release());  // GoogleTest deletes it
  if (world.rank() != 0) {
    const std::unique_ptr<testing::TestEventListener> unused(
        listeners.Release(listeners.default_result_printer()));
  }
  const int status = RUN_ALL_TESTS();
  return report(world, results.failed(), status);
}

}  // namespace

int main(int argc, char** argv) {
  weft::comm::Environment environment(&argc, &argv);
  testing::InitGoogleTest(&argc, argv);
  const int status = run_tests();
  environment.set_exit_status(status);
  return status;
}
