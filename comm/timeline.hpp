// SPDX-License-Identifier: MIT
// What a rank did when: spans of time in rows that a viewer shows below each other. Off until asked
// for; then it costs a branch.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

namespace weft::comm {

/// The rows of a rank, in the order in which they are shown.
enum class TimelineRow {
  steps,     ///< epochs and their steps
  compute,   ///< work inside a sum over neighbors
  sends,     ///< moments at which messages were handed to MPI
  exchange,  ///< from the begin of an exchange until all of it has arrived and left
  wait,      ///< parts of an exchange during which its rank had nothing else to do
};

/// From `begin` to `end`; equal for a moment. Names are literals: they are borrowed.
struct TimelineSpan {
  using Time = std::chrono::steady_clock::time_point;

  TimelineRow row = TimelineRow::steps;
  const char* name = "";
  Time begin;
  Time end;
  std::int64_t bytes = -1;  ///< of a message; -1: none
  int peer = -1;            ///< to which it goes
  int epoch = 0;
};

/// For one thread at a time.
class Timeline {
 public:
  using Time = TimelineSpan::Time;

  [[nodiscard]] static Time now() { return std::chrono::steady_clock::now(); }
  [[nodiscard]] bool is_on() const { return is_on_; }
  /// Records from now on, as of `epoch`. The first call is the zero of time.
  void record(int epoch) {
    if (epochs_begun_++ == 0) zero_ = now();
    epoch_ = epoch;
    is_on_ = true;
  }
  void stop() { is_on_ = false; }

  void add(TimelineSpan span) {
    if (!is_on_) return;
    span.epoch = epoch_;
    spans_.push_back(span);
  }
  /// In the order in which they ended.
  [[nodiscard]] const std::vector<TimelineSpan>& spans() const { return spans_; }
  [[nodiscard]] double seconds_of(Time time) const {
    return std::chrono::duration<double>(time - zero_).count();
  }

 private:
  bool is_on_ = false;
  int epoch_ = 0;
  int epochs_begun_ = 0;
  Time zero_;
  std::vector<TimelineSpan> spans_;
};

/// Adds the span of its own life; `timeline` may be null.
class TimelineScope {
 public:
  TimelineScope(Timeline* timeline, TimelineRow row, const char* name)
      : timeline_(timeline != nullptr && timeline->is_on() ? timeline : nullptr),
        span_{row, name, {}, {}} {
    if (timeline_ != nullptr) span_.begin = Timeline::now();
  }
  ~TimelineScope() {
    if (timeline_ == nullptr) return;
    span_.end = Timeline::now();
    timeline_->add(span_);
  }
  TimelineScope(const TimelineScope&) = delete;
  TimelineScope& operator=(const TimelineScope&) = delete;

 private:
  Timeline* timeline_;
  TimelineSpan span_;
};

}  // namespace weft::comm
