// SPDX-License-Identifier: MIT
// timeline.json of a run: all ranks, steps in order, waits inside exchanges, and every byte.
#include <algorithm>
#include <filesystem>
#include <set>
#include <vector>

#include "tests/trainer/command_harness.hpp"

namespace weft::test_support {
namespace {

using Json = nlohmann::json;

constexpr double tolerance_us = 0.01;  // of a double's microseconds

struct Span {
  std::string name;
  std::string row;
  double begin = 0;
  double end = 0;
  int epoch = 0;
  std::int64_t bytes = 0;

  [[nodiscard]] bool is_within(const Span& other) const {
    return begin >= other.begin - tolerance_us && end <= other.end + tolerance_us;
  }
};

Json timeline_of(const std::filesystem::path& run) {
  return Json::parse(read_text(run / "timeline.json"));
}

/// The spans of one row of a rank, by their begin, longer ones first.
std::vector<Span> spans_of(const Json& file, int rank, const std::string& row) {
  std::vector<Span> spans;
  for (const Json& event : file["traceEvents"]) {
    if (event["ph"] == "M" || event["pid"] != rank || event["cat"] != row) continue;
    const double begin = event["ts"].get<double>();
    spans.push_back({event["name"], row, begin, begin + event.value("dur", 0.0),
                     event["args"]["epoch"], event["args"].value("bytes", std::int64_t{0})});
  }
  std::ranges::stable_sort(spans, [](const Span& a, const Span& b) {
    return a.begin < b.begin || (a.begin == b.begin && a.end > b.end);
  });
  return spans;
}

void expect_apart(const std::vector<Span>& spans) {
  for (std::size_t i = 1; i < spans.size(); ++i)
    EXPECT_GE(spans[i].begin, spans[i - 1].end - tolerance_us)
        << spans[i - 1].name << ", " << spans[i].name << " of " << spans[i].row;
}

void expect_each_within(const std::vector<Span>& inner, const std::vector<Span>& outer) {
  for (const Span& span : inner) {
    EXPECT_TRUE(
        std::ranges::any_of(outer, [&](const Span& other) { return span.is_within(other); }))
        << span.name << " of " << span.row << ", epoch " << span.epoch;
  }
}

/// Without the epochs themselves, whose steps lie in them.
std::vector<Span> check_steps(const Json& file, int rank) {
  std::vector<Span> steps = spans_of(file, rank, "steps");
  std::vector<Span> epochs;
  std::ranges::copy_if(steps, std::back_inserter(epochs),
                       [](const Span& span) { return span.name == "epoch"; });
  std::erase_if(steps, [](const Span& span) { return span.name == "epoch"; });
  EXPECT_EQ(epochs.size(), 2U);
  expect_apart(epochs);
  expect_apart(steps);
  std::vector<std::string> names;
  for (const Span& step : steps) {
    names.push_back(step.name);
    const Span& epoch = epochs.at(static_cast<std::size_t>(step.epoch - 1));
    EXPECT_EQ(step.is_within(epoch), step.name != "evaluation") << step.name;
  }
  EXPECT_EQ(names,
            (std::vector<std::string>{"forward", "loss", "backward", "gradient_sync",
                                      "optimizer_step", "evaluation", "forward", "loss", "backward",
                                      "gradient_sync", "optimizer_step", "evaluation"}));
  return steps;
}

void check_rank(const Json& file, int rank) {
  SCOPED_TRACE("rank " + std::to_string(rank));
  const std::vector<Span> steps = check_steps(file, rank);
  const std::vector<Span> compute = spans_of(file, rank, "compute");
  const std::vector<Span> exchanges = spans_of(file, rank, "exchange");
  const std::vector<Span> waits = spans_of(file, rank, "wait");
  EXPECT_FALSE(compute.empty());
  EXPECT_FALSE(exchanges.empty());
  expect_apart(compute);
  expect_apart(exchanges);
  expect_apart(waits);
  expect_each_within(compute, steps);
  expect_each_within(exchanges, steps);
  expect_each_within(waits, exchanges);
  expect_each_within(spans_of(file, rank, "sends"), exchanges);
}

std::int64_t bytes_in_messages(const Json& file, int epoch) {
  std::int64_t bytes = 0;
  for (int rank = 0; rank < 3; ++rank) {
    for (const Span& send : spans_of(file, rank, "sends"))
      bytes += send.epoch == epoch ? send.bytes : 0;
  }
  return bytes;
}

void check_file(const std::filesystem::path& run) {
  const Json file = timeline_of(run);
  std::set<int> ranks;
  for (const Json& event : file["traceEvents"])
    ranks.insert(event["pid"].get<int>());
  EXPECT_EQ(ranks, (std::set<int>{0, 1, 2}));
  for (int rank = 0; rank < 3; ++rank)
    check_rank(file, rank);
  const auto metrics = metrics_of(run);
  for (const int epoch : {1, 2}) {
    const auto& line = metrics.at(static_cast<std::size_t>(epoch - 1));
    EXPECT_EQ(
        bytes_in_messages(file, epoch),
        line["bytes_sent"].get<std::int64_t>() + line["evaluation_bytes_sent"].get<std::int64_t>());
  }
  EXPECT_EQ(bytes_in_messages(file, 3), 0) << "more epochs were recorded than asked for";
  const double hidden = summary_of(run)["exchange_hidden_share"].get<double>();
  EXPECT_GE(hidden, 0);
  EXPECT_LE(hidden, 1);
}

TEST_F(Commands, ATimelineTellsWhatAllRanksDidWhen) {
  const std::string config = make_demo("[output]\ntimeline = 2\n");
  for (const char* shared : {"true", "false"}) {
    SCOPED_TRACE(shared);
    const std::string run = at(std::string("shared-") + shared);
    const ProgramResult result =
        weft(3, "train " + config + " --out " + run + " --set comm.shared_memory=" + shared);
    ASSERT_EQ(result.status, 0) << result.err;
    check_file(run);
  }
}

TEST_F(Commands, NobodyWritesATimelineThatWasNotAskedFor) {
  const std::string config = make_demo();
  ASSERT_EQ(weft(0, "train " + config + " --out " + at("run")).status, 0);
  EXPECT_FALSE(std::filesystem::exists(at("run/timeline.json")));
  EXPECT_TRUE(summary_of(at("run"))["exchange_hidden_share"].is_null());
}

}  // namespace
}  // namespace weft::test_support
