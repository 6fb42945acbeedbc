// SPDX-License-Identifier: MIT
// Runs `weft import` of the build under test.
#pragma once

#include <cstdlib>
#include <string>

#include "graph/support/text.hpp"
#include "tests/support/run_program.hpp"

namespace weft::datasets::tests {

inline test_support::ProgramResult run_import(const std::string& arguments) {
  const char* program = std::getenv("WEFT_PROGRAM");
  return test_support::run_program(
      text("'", program == nullptr ? "weft" : program, "' import ", arguments));
}

}  // namespace weft::datasets::tests
