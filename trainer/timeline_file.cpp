// SPDX-License-Identifier: MIT
// Every rank writes its own events; rank 0 puts them into one list.
#include "trainer/timeline_file.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <vector>

#include "graph/support/files.hpp"
#include "graph/support/text.hpp"

namespace weft::trainer {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, 5> row_names{"steps", "compute", "sends", "exchange", "wait"};

Json metadata(int rank, const char* kind, Json arguments) {
  return {{"ph", "M"}, {"name", kind}, {"pid", rank}, {"args", std::move(arguments)}};
}

Json event_of(const comm::Timeline& timeline, const comm::TimelineSpan& span, int rank) {
  constexpr double microseconds = 1e6;
  const double begin = timeline.seconds_of(span.begin) * microseconds;
  const double end = timeline.seconds_of(span.end) * microseconds;
  Json event;
  event["name"] = span.name;
  event["cat"] = row_names[static_cast<std::size_t>(span.row)];
  if (span.row == comm::TimelineRow::sends) {
    event["ph"] = "i";
    event["s"] = "t";
  } else {
    event["ph"] = "X";
    event["dur"] = end - begin;
  }
  event["ts"] = begin;
  event["pid"] = rank;
  event["tid"] = static_cast<int>(span.row);
  event["args"]["epoch"] = span.epoch;
  if (span.peer >= 0) event["args"]["to_rank"] = span.peer;
  if (span.bytes >= 0) event["args"]["bytes"] = span.bytes;
  return event;
}

}  // namespace

std::string timeline_events(const comm::Timeline& timeline, int rank) {
  std::vector<Json> events;
  events.push_back(metadata(rank, "process_name", {{"name", text("rank ", rank)}}));
  events.push_back(metadata(rank, "process_sort_index", {{"sort_index", rank}}));
  for (std::size_t row = 0; row < row_names.size(); ++row) {
    for (const auto& [kind, arguments] :
         {std::pair<const char*, Json>{"thread_name", {{"name", row_names[row]}}},
          std::pair<const char*, Json>{"thread_sort_index", {{"sort_index", row}}}}) {
      Json event = metadata(rank, kind, arguments);
      event["tid"] = row;
      events.push_back(std::move(event));
    }
  }
  for (const comm::TimelineSpan& span : timeline.spans())
    events.push_back(event_of(timeline, span, rank));
  std::string lines;
  for (const Json& event : events)
    lines.append(lines.empty() ? "" : ",\n").append(event.dump());
  return lines;
}

void write_timeline(comm::Communicator& communicator,
                    const comm::Timeline& timeline,
                    const std::filesystem::path& path) {
  const std::string mine = timeline_events(timeline, communicator.rank());
  const auto all = communicator.gather(std::as_bytes(std::span(mine)));
  comm::agree_on_errors(communicator, [&] {
    if (communicator.rank() != 0) return;
    std::string file = "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n";
    const char* separator = "";
    for (const std::vector<std::byte>& events : all) {
      file.append(separator);
      file.append(reinterpret_cast<const char*>(events.data()), events.size());
      separator = ",\n";
    }
    write_file_atomically(path, file.append("\n]}\n"));
  });
}

}  // namespace weft::trainer
