// SPDX-License-Identifier: MIT
// All ranks end a failed step with the same error, whoever failed and however.
#include <functional>
#include <new>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "comm/communicator.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"

namespace weft::comm {
namespace {

// The text and exit status that this rank ends `step` with; status 0 if nothing is thrown.
struct Outcome {
  int status = 0;
  std::string text;
};

Outcome outcome_of(Communicator& world, const std::function<void()>& step) {
  try {
    agree_on_errors(world, step);
    return {};
  } catch (const Error& error) {
    return {error.exit_status(), error.what()};
  }
}

TEST(AgreeOnErrors, LetsSuccessPass) {
  Communicator world = Communicator::world();
  int runs = 0;
  EXPECT_EQ(outcome_of(world, [&] { ++runs; }).status, 0);
  EXPECT_EQ(runs, 1);
}

TEST(AgreeOnErrors, ThrowsTheFailingRanksErrorEverywhere) {
  Communicator world = Communicator::world();
  const int failing = world.size() - 1;
  const auto step = [&] {
    if (world.rank() == failing) throw InputError(text("part ", failing, ": missing"));
  };
  const Outcome outcome = outcome_of(world, step);
  EXPECT_EQ(outcome.text, text("part ", failing, ": missing"));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THROW(agree_on_errors(world, step), InputError);
}

TEST(AgreeOnErrors, PrefersTheLowestRank) {
  Communicator world = Communicator::world();
  const int first = world.size() / 2;
  const Outcome outcome = outcome_of(world, [&] {
    if (world.rank() >= first) throw RuntimeError(text("rank ", world.rank()));
  });
  EXPECT_EQ(outcome.text, text("rank ", first));
  EXPECT_EQ(outcome.status, 1);
}

TEST(AgreeOnErrors, MarksAFailureThatAllHaveMet) {
  Communicator world = Communicator::world();
  const auto step = [&] {
    if (world.rank() == 0) throw RuntimeError("failed while running");
  };
  EXPECT_THROW(agree_on_errors(world, step), AgreedError);
}

TEST(AgreeOnErrors, KeepsOtherExitStatuses) {
  Communicator world = Communicator::world();
  const Outcome outcome = outcome_of(world, [&] {
    if (world.rank() == 0) throw Error("special", 5);
  });
  EXPECT_EQ(outcome.status, 5);
}

TEST(AgreeOnErrors, CarriesForeignExceptions) {
  Communicator world = Communicator::world();
  const auto on_last = [&](const std::function<void()>& fail) {
    return outcome_of(world, [&] {
      if (world.rank() == world.size() - 1) fail();
    });
  };
  const Outcome standard = on_last([] { throw std::logic_error("standard"); });
  EXPECT_EQ(standard.text, "standard");
  EXPECT_EQ(standard.status, 1);
  const Outcome memory = on_last([] { throw std::bad_alloc(); });
  EXPECT_NE(memory.text.find("memory"), std::string::npos);
  EXPECT_EQ(memory.status, 1);
  EXPECT_EQ(on_last([] { throw 42; }).status, 1);  // NOLINT(hicpp-exception-baseclass)
}

TEST(AgreeOnErrors, CarriesEmptyAndLongTexts) {
  Communicator world = Communicator::world();
  for (const std::size_t length : {0U, 100000U}) {
    const std::string expected(length, 'e');
    const Outcome outcome = outcome_of(world, [&] {
      if (world.rank() == 0) throw InputError(expected);
    });
    EXPECT_EQ(outcome.text, expected);
    EXPECT_EQ(outcome.status, 2);
  }
}

}  // namespace
}  // namespace weft::comm
