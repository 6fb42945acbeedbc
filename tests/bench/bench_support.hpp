// SPDX-License-Identifier: MIT
// What the benchmarks share: options, timing by best and median, a table on stdout, a JSON file.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "graph/edge_list.hpp"

namespace weft::bench {

struct Options {
  bool quick = false;      ///< small sizes, for CI: shows that it runs and verifies, not how fast
  std::string json_path;   ///< empty: no file
  std::string only;        ///< name of the one part to run; empty: all
  int num_threads = 1;     ///< all usable CPUs unless given
  int repetitions = 7;     ///< timed runs of each body
  bool cpu_clock = false;  ///< process CPU time / threads instead of the wall's, in measure_in_turn
  std::map<std::string, std::string> own;  ///< values of the options of one benchmark alone

  /// The value of an own option, `otherwise` where it was not given.
  [[nodiscard]] std::string word(const std::string& option, const std::string& otherwise) const;
  /// The same for a number of 1 or more. Throws InputError on anything else.
  [[nodiscard]] int number(const std::string& option, int otherwise) const;
};

/// Reads --quick, --json FILE, --only PART, --threads N, --repetitions N, --clock wall|cpu, and a
/// value for each of `own`. Throws InputError on anything else.
[[nodiscard]] Options parse_options(int argc,
                                    char** argv,
                                    const std::vector<std::string>& own = {});

struct Timing {
  double best_seconds = 0;
  double median_seconds = 0;
};

/// Runs `body` once to warm up, then `repetitions` times on the clock.
[[nodiscard]] Timing measure(int repetitions, const std::function<void()>& body);

/// The same for bodies that are compared with each other: each round runs all of them in turn, so
/// that a busy quarter of an hour of the machine falls on all alike. With `options.cpu_clock` it
/// counts CPU seconds of the process, divided by `options.num_threads`: on a machine that others
/// use the wall's clock measures them too.
[[nodiscard]] std::vector<Timing> measure_in_turn(const Options& options,
                                                  const std::vector<std::function<void()>>& bodies);

/// Keeps the compiler from dropping a computation whose result nobody reads.
void keep(double value);

/// Arc `index` of a list that never repeats an arc, nor its reverse, in an order without locality:
/// round k joins every vertex to the one 977 k^2 + 1 further.
[[nodiscard]] graph::Arc distinct_arc(std::int64_t index, std::int64_t num_vertices);

/// Watches anonymous memory from a thread of its own while it lives.
class MemoryWatch {
 public:
  MemoryWatch();
  ~MemoryWatch();
  MemoryWatch(const MemoryWatch&) = delete;
  MemoryWatch& operator=(const MemoryWatch&) = delete;

  /// Ends the watch; returns the largest anonymous memory seen, in bytes.
  std::int64_t stop();

 private:
  std::atomic<bool> done_ = false;
  std::int64_t peak_bytes_ = 0;
  std::thread thread_;
};

/// Forgets the process's peak of resident memory, so that the next is of what follows.
void reset_peak_rss();

/// One result: a name, the numbers that it is about, and the seconds.
struct Record {
  std::string name;
  std::vector<std::pair<std::string, double>> values;
};

/// Prints each record as a line when it is added, and writes all of them as JSON.
class Report {
 public:
  explicit Report(std::string benchmark);
  /// Starts a table; prints its title.
  void section(const std::string& title);
  void add(Record record);
  /// Adds a figure that must be at least (or at most) `bound`; a miss makes the benchmark fail,
  /// unless it runs in its quick form.
  void require_at_least(const std::string& name, double value, double bound);
  void require_at_most(const std::string& name, double value, double bound);
  [[nodiscard]] int num_missed() const { return num_missed_; }
  /// Writes {"benchmark", "host", "threads", "records": [...]}; nothing if `path` is empty or
  /// nothing was added, as on the ranks that only take part.
  void write_json(const std::string& path, int num_threads) const;

 private:
  void require(const std::string& name, double value, double bound, bool holds);

  std::string benchmark_;
  std::vector<Record> records_;
  int num_missed_ = 0;
};

/// Runs a benchmark's body: parses the options (`own_options` too), writes the JSON, turns an error
/// into a message and an exit status: 1 where a required figure was missed.
int run_benchmark(const std::string& name,
                  int argc,
                  char** argv,
                  const std::function<void(const Options&, Report&)>& body,
                  const std::vector<std::string>& own_options = {});

}  // namespace weft::bench
