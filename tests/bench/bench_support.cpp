// SPDX-License-Identifier: MIT
// Best and median: the best is what the machine can do, the median shows how busy it was.
#include "tests/bench/bench_support.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <sstream>

#include "graph/support/error.hpp"
#include "graph/support/files.hpp"
#include "graph/support/process.hpp"
#include "graph/support/text.hpp"
#include "graph/support/timing.hpp"

namespace weft::bench {
namespace {

std::string valid_options(const std::vector<std::string>& own) {
  std::string all =
      "--quick, --json FILE, --only PART, --threads N, --repetitions N, "
      "--clock wall|cpu";
  for (const std::string& option : own)
    all.append(", ").append(option);
  return all;
}

int positive_number(const std::string& option, const std::string& value) {
  int number = 0;
  const char* end = value.data() + value.size();
  const auto result = std::from_chars(value.data(), end, number);
  if (result.ec != std::errc() || result.ptr != end || number < 1) {
    throw InputError(text(option, ": '", value, "' is not a number of 1 or more"));
  }
  return number;
}

bool is_cpu_clock(const std::string& value) {
  if (value == "wall" || value == "cpu") return value == "cpu";
  throw InputError(text("--clock: '", value, "' is unknown; valid: wall, cpu"));
}

double process_cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

std::string Options::word(const std::string& option, const std::string& otherwise) const {
  const auto found = own.find(option);
  return found == own.end() ? otherwise : found->second;
}

int Options::number(const std::string& option, int otherwise) const {
  const auto found = own.find(option);
  return found == own.end() ? otherwise : positive_number(option, found->second);
}

Options parse_options(int argc, char** argv, const std::vector<std::string>& own) {
  Options options;
  options.num_threads = usable_cpus();
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--quick") {
      options.quick = true;
      continue;
    }
    if (i + 1 == argc) {
      throw InputError(text("option '", argument,
                            "' is unknown or lacks its value; valid: ", valid_options(own)));
    }
    const char* value = argv[++i];
    if (argument == "--json") {
      options.json_path = value;
    } else if (argument == "--only") {
      options.only = value;
    } else if (argument == "--threads") {
      options.num_threads = positive_number(argument, value);
    } else if (argument == "--repetitions") {
      options.repetitions = positive_number(argument, value);
    } else if (argument == "--clock") {
      options.cpu_clock = is_cpu_clock(value);
    } else if (std::find(own.begin(), own.end(), argument) != own.end()) {
      options.own[argument] = value;
    } else {
      throw InputError(text("option '", argument, "' is unknown; valid: ", valid_options(own)));
    }
  }
  return options;
}

Timing measure(int repetitions, const std::function<void()>& body) {
  Options options;
  options.repetitions = repetitions;
  return measure_in_turn(options, {body}).front();
}

std::vector<Timing> measure_in_turn(const Options& options,
                                    const std::vector<std::function<void()>>& bodies) {
  const Stopwatch watch;
  const auto now = [&] {
    return options.cpu_clock ? process_cpu_seconds() / options.num_threads : watch.seconds();
  };
  for (const std::function<void()>& body : bodies)
    body();
  std::vector<std::vector<double>> seconds(bodies.size());
  for (int i = 0; i < options.repetitions; ++i) {
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const double begin = now();
      bodies[b]();
      seconds[b].push_back(now() - begin);
    }
  }
  std::vector<Timing> timings;
  for (std::vector<double>& times : seconds) {
    std::sort(times.begin(), times.end());
    timings.push_back({times.front(), times[times.size() / 2]});
  }
  return timings;
}

void keep(double value) {
  asm volatile("" : : "m"(value));
}

graph::Arc distinct_arc(std::int64_t index, std::int64_t num_vertices) {
  const std::int64_t round = index / num_vertices;
  const std::int64_t from = index * 1000003 % num_vertices;
  const std::int64_t to = (from + round * round * 977 + 1) % num_vertices;
  return {static_cast<std::int32_t>(from), static_cast<std::int32_t>(to)};
}

MemoryWatch::MemoryWatch()
    : thread_([this] {
        while (!done_) {
          peak_bytes_ = std::max(peak_bytes_, anonymous_rss_bytes());
          std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
      }) {}

MemoryWatch::~MemoryWatch() {
  stop();
}

std::int64_t MemoryWatch::stop() {
  done_ = true;
  if (thread_.joinable()) thread_.join();
  return peak_bytes_;
}

void reset_peak_rss() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

Report::Report(std::string benchmark) : benchmark_(std::move(benchmark)) {}

void Report::section(const std::string& title) {
  std::printf("\n%s\n", title.c_str());
}

void Report::add(Record record) {
  std::printf("  %-34s", record.name.c_str());
  for (const auto& [key, value] : record.values)
    std::printf("  %s %.4g", key.c_str(), value);
  std::printf("\n");
  std::fflush(stdout);
  records_.push_back(std::move(record));
}

void Report::require_at_least(const std::string& name, double value, double bound) {
  require(name, value, bound, value >= bound);
}

void Report::require_at_most(const std::string& name, double value, double bound) {
  require(name, value, bound, value <= bound);
}

void Report::require(const std::string& name, double value, double bound, bool holds) {
  if (!holds) ++num_missed_;
  add({name, {{holds ? "holds" : "MISSED", value}, {"bound", bound}}});
}

void Report::write_json(const std::string& path, int num_threads) const {
  if (path.empty() || records_.empty()) return;
  std::ostringstream out;
  out << "{\"benchmark\": \"" << benchmark_ << "\", \"host\": \"" << host_name()
      << "\", \"threads\": " << num_threads << ", \"records\": [";
  const char* separator = "\n";
  for (const Record& record : records_) {
    out << separator << "  {\"name\": \"" << record.name << '"';
    for (const auto& [key, value] : record.values)
      out << ", \"" << key << "\": " << value;
    out << '}';
    separator = ",\n";
  }
  out << "\n]}\n";
  write_file_atomically(path, out.str());
}

int run_benchmark(const std::string& name,
                  int argc,
                  char** argv,
                  const std::function<void(const Options&, Report&)>& body,
                  const std::vector<std::string>& own_options) {
  try {
    const Options options = parse_options(argc, argv, own_options);
    Report report(name);
    body(options, report);
    report.write_json(options.json_path, options.num_threads);
    return report.num_missed() > 0 && !options.quick ? 1 : 0;
  } catch (const Error& error) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), error.what());
    return error.exit_status();
  }
}

}  // namespace weft::bench
