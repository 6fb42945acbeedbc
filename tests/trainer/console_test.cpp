// SPDX-License-Identifier: MIT
// What goes to stdout and what to stderr, and how tables are laid out.
#include "trainer/console.hpp"

#include <gtest/gtest.h>

namespace weft::trainer {
namespace {

TEST(Console, ResultsGoToStdoutAndNotesToStderr) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  print_result("accuracy 0.81");
  print_status("epoch 1/9");
  print_note("made a partition");
  print_warning("12 lines skipped");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "accuracy 0.81\n");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "epoch 1/9\nweft: note: made a partition\nweft: warning: 12 lines skipped\n");
}

TEST(Console, TableAlignsFirstColumnLeftAndOthersRight) {
  EXPECT_EQ(format_table({{"part", "vertices"}, {"0", "7"}, {"total", "12,345"}}),
            "part   vertices\n"
            "0             7\n"
            "total    12,345\n");
}

TEST(Console, TableTakesShortRowsAndCountsCharactersNotBytes) {
  EXPECT_EQ(format_table({{"é", "x"}, {"ab"}, {"c", "yz"}}),
            "é    x\n"
            "ab\n"
            "c   yz\n");
  EXPECT_EQ(format_table({}), "");
}

TEST(Console, LongCellsDoNotWidenTheirColumn) {
  const std::string sentence(61, 'x');
  EXPECT_EQ(format_table({{"from", sentence}, {"vertices", "34"}}),
            "from      " + sentence + "\nvertices  34\n");
}

TEST(Console, ProgressIsSilentForShortSteps) {
  testing::internal::CaptureStderr();
  {
    const ProgressCallback progress = stderr_progress();
    progress("reading", 0.0);
    progress("reading", 0.5);
    progress("reading", 1.0);
    progress("sorting", 0.3);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace weft::trainer
