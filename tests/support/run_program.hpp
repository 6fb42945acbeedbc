// SPDX-License-Identifier: MIT
// Runs a command line as a user would, and keeps its status and both outputs.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "tests/support/temporary_folder.hpp"

namespace weft::test_support {

struct ProgramResult {
  int status = -1;  ///< exit status; 128 + signal where a signal ended it
  std::string out;
  std::string err;
};

/// Runs `command` by the shell, without standard input.
inline ProgramResult run_program(const std::string& command) {
  const TemporaryFolder folder;
  const std::string out = (folder / "out").string();
  const std::string err = (folder / "err").string();
  const int status =
      std::system(("( " + command + " ) </dev/null >'" + out + "' 2>'" + err + "'").c_str());
  ProgramResult result;
  if (WIFEXITED(status)) result.status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.status = 128 + WTERMSIG(status);
  result.out = read_text(out);
  result.err = read_text(err);
  return result;
}

}  // namespace weft::test_support
