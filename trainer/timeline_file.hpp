// SPDX-License-Identifier: MIT
// timeline.json: what all ranks did when, in the trace event format that chrome://tracing and
// Perfetto (ui.perfetto.dev) open. A rank is a process, a row of its timeline a thread.
//
// Source: Google, "Trace Event Format", 2016: complete events ("X"), instants ("i"), metadata
// ("M"); times in microseconds.
#pragma once

#include <filesystem>
#include <string>

#include "comm/communicator.hpp"
#include "comm/timeline.hpp"

namespace weft::trainer {

/// The events of one rank, one a line, separated by commas; without the list around them.
[[nodiscard]] std::string timeline_events(const comm::Timeline& timeline, int rank);

/// Writes the events of all ranks to `path`, on rank 0.
/// Collective
void write_timeline(comm::Communicator& communicator,
                    const comm::Timeline& timeline,
                    const std::filesystem::path& path);

}  // namespace weft::trainer
