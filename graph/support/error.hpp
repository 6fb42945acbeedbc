// SPDX-License-Identifier: MIT
// Two kinds of failure: exceptions for input and environment, assertions for our own bugs.
//
// The text of an error names the object, what was found, what was expected and the remedy:
//   partition: 5 parts asked for, but the graph has 3 vertices; use --parts 3 or fewer
#pragma once

#include <stdexcept>
#include <string>

namespace weft {

/// Base of every exception that Weft throws; the program ends with `exit_status()`.
class Error : public std::runtime_error {
 public:
  Error(const std::string& message, int exit_status)
      : std::runtime_error(message), exit_status_(exit_status) {}
  [[nodiscard]] int exit_status() const noexcept { return exit_status_; }

 private:
  int exit_status_;
};

/// Wrong usage or input: exit status 2.
class InputError : public Error {
 public:
  explicit InputError(const std::string& message) : Error(message, 2) {}
};

/// Failure while running (system call, library, lost peer): exit status 1.
class RuntimeError : public Error {
 public:
  explicit RuntimeError(const std::string& message) : Error(message, 1) {}
};

/// Reports a broken invariant of our own on stderr and aborts. Called by WEFT_ASSERT only.
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

}  // namespace weft

/// Checks an invariant of our own code; compiled out unless WEFT_ASSERTIONS is defined.
#ifdef WEFT_ASSERTIONS
#define WEFT_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::weft::assertion_failed(#condition, __FILE__, __LINE__))
#else
#define WEFT_ASSERT(condition) static_cast<void>(0)
#endif
