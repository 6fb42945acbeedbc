// SPDX-License-Identifier: MIT
// How long a step takes, and how far it is.
#pragma once

#include <chrono>
#include <functional>
#include <string_view>

namespace weft {

/// Measures wall-clock time from its construction.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }
  void restart() { start_ = Clock::now(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

/// Called by long work with the name of the step and the share done (0..1). May be empty; then
/// nothing is reported. Called from one thread at a time; must be cheap.
using ProgressCallback = std::function<void(std::string_view step, double fraction)>;

/// Calls `progress` if there is one.
inline void report_progress(const ProgressCallback& progress,
                            std::string_view step,
                            double fraction) {
  if (progress) progress(step, fraction);
}

}  // namespace weft
