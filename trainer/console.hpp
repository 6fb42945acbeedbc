// SPDX-License-Identifier: MIT
// What commands show to people: results on stdout, progress and warnings on stderr.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph/support/timing.hpp"

namespace weft::trainer {

/// Writes a line to stdout.
void print_result(std::string_view line);

/// Writes a line to stderr as it is: what a run tells while it goes on.
void print_status(std::string_view line);

/// Writes "weft: note: ..." / "weft: warning: ..." to stderr.
void print_note(std::string_view line);
void print_warning(std::string_view line);

/// A table with left-aligned first column and right-aligned others; the first row is the header.
/// A cell of more than 60 characters does not widen its column.
[[nodiscard]] std::string format_table(const std::vector<std::vector<std::string>>& rows);

/// Progress on stderr: one line that is rewritten on a terminal, else a line each time a step
/// begins and every few seconds. Nothing for steps that end within a second.
[[nodiscard]] ProgressCallback stderr_progress();

}  // namespace weft::trainer
