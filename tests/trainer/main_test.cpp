// SPDX-License-Identifier: MIT
// The program from outside: help, version, and what it says to a wrong command line.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tests/support/run_program.hpp"

namespace weft {
namespace {

using test_support::ProgramResult;

ProgramResult weft(const std::string& arguments) {
  const char* program = std::getenv("WEFT_PROGRAM");
  return test_support::run_program(std::string(program == nullptr ? "weft" : program) + ' ' +
                                   arguments);
}

#define EXPECT_HAS(message, part) \
  EXPECT_NE((message).find(part), std::string::npos) << "in: " << (message)

TEST(Program, HelpListsEveryCommandAndEndsWith0) {
  const ProgramResult result = weft("--help");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
  for (const char* command :
       {"import", "generate", "info", "partition", "train", "evaluate", "predict", "verify"}) {
    EXPECT_HAS(result.out, command);
    const ProgramResult help = weft(std::string(command) + " --help");
    EXPECT_EQ(help.status, 0) << command;
    EXPECT_HAS(help.out, command);
    EXPECT_EQ(help.out.find("The straight path"), std::string::npos) << "the program's own footer";
  }
  EXPECT_HAS(result.out, "The straight path");
}

TEST(Program, VersionNamesWhatItWasBuiltWith) {
  const ProgramResult result = weft("--version");
  EXPECT_EQ(result.status, 0);
  EXPECT_HAS(result.out, "weft 0.");
  EXPECT_HAS(result.out, "compiler: ");
  EXPECT_HAS(result.out, "MPI: ");
  EXPECT_HAS(result.out, "-bit ids");
  EXPECT_HAS(result.out, "-bit reals");
}

TEST(Program, UnknownCommandsGetTheNearest) {
  const ProgramResult result = weft("tran config.toml");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_HAS(result.err, "weft: error: command 'tran' is unknown; valid: import,");
  EXPECT_HAS(result.err, "did you mean 'train'?");
}

TEST(Program, UnknownOptionsGetTheNearest) {
  const ProgramResult result = weft("partition folder --prats=3");
  EXPECT_EQ(result.status, 2);
  EXPECT_HAS(result.err, "partition: option '--prats' is unknown; valid: ");
  EXPECT_HAS(result.err, "did you mean '--parts'?");
}

TEST(Program, MissingAndSuperfluousArgumentsAreNamed) {
  EXPECT_HAS(weft("").err, "no command given");
  EXPECT_EQ(weft("").status, 2);
  EXPECT_HAS(weft("train").err, "train: config is required");
  EXPECT_HAS(weft("train a.toml b.toml").err, "argument 'b.toml' was not expected");
  EXPECT_HAS(weft("partition folder --parts many").err, "--parts = many");
  EXPECT_EQ(weft("partition folder --parts many").status, 2);
}

TEST(Program, InputErrorsEndWith2AndOneLine) {
  const ProgramResult result = weft("train /no/such/config.toml");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_HAS(result.err, "weft: error: ");
  EXPECT_HAS(result.err, "/no/such/config.toml");
  EXPECT_EQ(result.err.find('\n'), result.err.size() - 1);
}

TEST(Program, OnlyOneRankComplainsOfTheCommandLine) {
  EXPECT_EQ(test_support::run_program("PMI_RANK=1 ${WEFT_PROGRAM:-weft} tran").err, "");
  EXPECT_HAS(test_support::run_program("PMI_RANK=0 ${WEFT_PROGRAM:-weft} tran").err, "unknown");
}

TEST(Program, HelpOfTrainDescribesEveryKey) {
  const std::string help = weft("train --help").out;
  for (const char* key : {"feature_scaling", "weight_decay", "input_dropout", "eval_every"}) {
    EXPECT_HAS(help, key);
  }
}

}  // namespace
}  // namespace weft
