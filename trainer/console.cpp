// SPDX-License-Identifier: MIT
// The only place, besides the commands, that writes to stdout and stderr.
//
// stdout carries results alone, so that `weft ... | tool` works; all else goes to stderr. A line is
// written in one call: lines of several ranks that share a terminal do not mix.
#include "trainer/console.hpp"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "graph/support/text.hpp"

namespace weft::trainer {
namespace {

constexpr double quiet_seconds = 1.0;         ///< steps that end sooner show nothing
constexpr double terminal_interval = 0.1;     ///< between two rewrites of a terminal's line
constexpr double log_interval_seconds = 5.0;  ///< between two lines in a file
constexpr std::size_t long_cell = 60;         ///< characters
constexpr std::string_view erase_line = "\r\x1b[K";

void write_line(std::ostream& out, std::string_view prefix, std::string_view line) {
  out << text(prefix, line, '\n') << std::flush;
}

/// State of the progress line; one object a callback.
class ProgressLine {
 public:
  ProgressLine() : on_terminal_(isatty(STDERR_FILENO) == 1) {}
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { erase(); }

  void report(std::string_view step, double fraction) {
    if (step != step_) begin(step);
    if (fraction >= 1.0) return end();
    if (since_begin_.seconds() < quiet_seconds) return;
    const double interval = on_terminal_ ? terminal_interval : log_interval_seconds;
    if (shown_ && since_shown_.seconds() < interval) return;
    show(fraction);
  }

 private:
  void begin(std::string_view step) {
    erase();
    step_ = step;
    shown_ = false;
    since_begin_.restart();
  }

  void show(double fraction) {
    const std::string line =
        text(step_, ' ', format_fixed(100.0 * std::max(fraction, 0.0), 0), '%');
    if (on_terminal_) {
      std::cerr << text(erase_line, line) << std::flush;
    } else {
      write_line(std::cerr, "weft: ", line);
    }
    shown_ = true;
    since_shown_.restart();
  }

  void end() {
    erase();
    if (shown_ && !on_terminal_) {
      write_line(std::cerr,
                 "weft: ", text(step_, " done, ", format_seconds(since_begin_.seconds())));
    }
    step_.clear();
    shown_ = false;
  }

  void erase() {
    if (shown_ && on_terminal_) std::cerr << erase_line << std::flush;
  }

  bool on_terminal_;
  std::string step_;
  bool shown_ = false;
  Stopwatch since_begin_;
  Stopwatch since_shown_;
};

/// Number of characters in UTF-8 text: bytes that do not continue one.
std::size_t display_width(std::string_view cell) {
  return static_cast<std::size_t>(std::count_if(cell.begin(), cell.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
  }));
}

/// Cells beyond `long_cell` characters stick out: one of them should not push a whole column away.
std::vector<std::size_t> column_widths(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t column = 0; column < row.size(); ++column) {
      const std::size_t width = display_width(row[column]);
      if (width <= long_cell) widths[column] = std::max(widths[column], width);
    }
  }
  return widths;
}

}  // namespace

void print_result(std::string_view line) {
  write_line(std::cout, "", line);
}

void print_status(std::string_view line) {
  write_line(std::cerr, "", line);
}

void print_note(std::string_view line) {
  write_line(std::cerr, "weft: note: ", line);
}

void print_warning(std::string_view line) {
  write_line(std::cerr, "weft: warning: ", line);
}

std::string format_table(const std::vector<std::vector<std::string>>& rows) {
  const std::vector<std::size_t> widths = column_widths(rows);
  std::string table;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      const std::size_t width = display_width(row[column]);
      const std::string padding(widths[column] - std::min(width, widths[column]), ' ');
      if (column > 0) line += "  ";
      line += column == 0 ? row[column] + padding : padding + row[column];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    table += line + '\n';
  }
  return table;
}

ProgressCallback stderr_progress() {
  auto line = std::make_shared<ProgressLine>();
  return [line](std::string_view step, double fraction) { line->report(step, fraction); };
}

}  // namespace weft::trainer
