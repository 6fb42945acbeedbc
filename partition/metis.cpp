// SPDX-License-Identifier: MIT
#include "partition/metis.hpp"

#include <metis.h>
#include <pthread.h>

#include <algorithm>
#include <array>
#include <exception>
#include <mutex>
#include <type_traits>
#include <utility>

#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "partition/indexing.hpp"

namespace weft::partition {
namespace {

// Address space only: pages that METIS does not touch cost nothing.
constexpr std::size_t metis_stack_bytes = std::size_t{256} << 20;
constexpr std::size_t smallest_stack_bytes = std::size_t{8} << 20;

using Options = std::array<idx_t, METIS_NOPTIONS>;

// METIS takes pointers to non-const but does not write to the graph when numbering starts at 0.
template <typename T>
T* unchanged(const T* pointer) {
  return const_cast<T*>(pointer);
}

// The ids of a 32-bit build are used in place; a 64-bit build gets a copy.
class IdArray {
 public:
  template <typename T>
  explicit IdArray(std::span<const T> values) {
    if constexpr (std::is_same_v<T, idx_t>) {
      data_ = unchanged(values.data());
    } else {
      copy_.assign(values.size(), 0);
      std::transform(values.begin(), values.end(), copy_.begin(),
                     [](T value) { return static_cast<idx_t>(value); });
      data_ = copy_.data();
    }
  }
  [[nodiscard]] idx_t* data() { return data_; }

 private:
  std::vector<idx_t> copy_;
  idx_t* data_ = nullptr;
};

Options make_options(std::uint64_t seed, bool minimize_volume) {
  Options options{};
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_NUMBERING] = 0;
  options[METIS_OPTION_SEED] = static_cast<idx_t>(seed % 2147483647U);
  options[METIS_OPTION_OBJTYPE] = minimize_volume ? METIS_OBJTYPE_VOL : METIS_OBJTYPE_CUT;
  return options;
}

// Twice as long as METIS reads, so that a library of wider real numbers than metis.h promised stays
// inside and is found out by verify_metis.
std::vector<real_t> padded(std::vector<real_t> values) {
  values.resize(2 * values.size());
  return values;
}

std::vector<real_t> part_targets(const MetisProblem& problem) {
  std::vector<real_t> targets;
  for (const double share : problem.shares) {
    targets.insert(targets.end(), position(problem.num_constraints()), static_cast<real_t>(share));
  }
  return padded(std::move(targets));
}

// METIS's random numbers are global.
std::mutex& metis_mutex() {
  static std::mutex mutex;
  return mutex;
}

std::vector<std::int32_t> call_metis(const MetisProblem& problem) {
  idx_t num_vertices = static_cast<idx_t>(problem.num_vertices());
  idx_t num_constraints = problem.num_constraints();
  idx_t num_parts = problem.num_parts();
  IdArray row_ptr(problem.row_ptr);
  IdArray col_idx(problem.col_idx);
  IdArray weights(problem.weights);
  std::vector<real_t> targets = part_targets(problem);
  const std::vector<real_t> tolerance(position(num_constraints),
                                      static_cast<real_t>(problem.tolerance));
  std::vector<real_t> tolerances = padded(tolerance);
  Options options = make_options(problem.seed, problem.minimize_volume);
  std::vector<idx_t> owner(position(num_vertices), 0);
  idx_t objective = 0;
  const auto partition = problem.recursive ? METIS_PartGraphRecursive : METIS_PartGraphKway;
  const std::lock_guard lock(metis_mutex());
  const int code = partition(&num_vertices, &num_constraints, row_ptr.data(), col_idx.data(),
                             weights.data(), nullptr, nullptr, &num_parts, targets.data(),
                             tolerances.data(), options.data(), &objective, owner.data());
  if (code != METIS_OK) {
    throw RuntimeError(text("METIS: error code ", code, " for ", num_vertices, " vertices, ",
                            problem.col_idx.size(), " arcs and ", num_parts,
                            " parts: ", metis_error_meaning(code)));
  }
  return {owner.begin(), owner.end()};
}

// METIS fills an array of options with ids of its own width. A wider library than metis.h promised
// writes further, so the array is twice as long, and what is left alone tells the width in bits.
int loaded_id_bits() {
  constexpr std::int64_t untouched = 0x5A5A5A5A5A5A5A5A;
  alignas(8) std::array<std::int64_t, 2 * METIS_NOPTIONS> buffer{};
  buffer.fill(untouched);
  METIS_SetDefaultOptions(reinterpret_cast<idx_t*>(buffer.data()));
  return buffer[METIS_NOPTIONS - 1] == untouched ? 32 : 64;
}

// A path of 10 vertices cut 8 : 2. Shares of another width than METIS's would be read as noise.
bool honors_part_weights() {
  std::vector<EdgeOffset> row_ptr{0};
  std::vector<std::int32_t> col_idx;
  for (std::int32_t vertex = 0; vertex < 10; ++vertex) {
    if (vertex > 0) col_idx.push_back(vertex - 1);
    if (vertex < 9) col_idx.push_back(vertex + 1);
    row_ptr.push_back(count_of(col_idx));
  }
  const std::vector<std::int32_t> weights(10, 1);
  const MetisProblem problem{row_ptr, col_idx, weights, {10}, {0.8, 0.2}};
  const auto owner = call_metis(problem);
  return std::count(owner.begin(), owner.end(), 0) == 8;
}

struct ThreadTask {
  const std::function<void()>* work;
  std::exception_ptr error;
};

void* run_task(void* argument) {
  auto* task = static_cast<ThreadTask*>(argument);
  try {
    (*task->work)();
  } catch (...) {
    task->error = std::current_exception();
  }
  return nullptr;
}

bool start_thread(pthread_t& thread, std::size_t stack_bytes, ThreadTask& task) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  const bool started = pthread_attr_setstacksize(&attributes, stack_bytes) == 0 &&
                       pthread_create(&thread, &attributes, run_task, &task) == 0;
  pthread_attr_destroy(&attributes);
  return started;
}

}  // namespace

MetisLibrary metis_library() {
  return {text(METIS_VER_MAJOR, '.', METIS_VER_MINOR, '.', METIS_VER_SUBMINOR), IDXTYPEWIDTH,
          REALTYPEWIDTH};
}

std::string metis_description() {
  const MetisLibrary library = metis_library();
  return text("METIS ", library.version, ", ", library.id_bits, "-bit ids, ", library.weight_bits,
              "-bit reals");
}

const char* metis_error_meaning(int code) {
  switch (code) {
    case METIS_ERROR_INPUT:
      return "it refuses the graph or the options";
    case METIS_ERROR_MEMORY:
      return "it ran out of memory; use a machine with more, or --method block or random";
    default:
      return "it failed for a reason that it does not tell";
  }
}

void verify_metis() {
  static std::once_flag once;
  std::call_once(once, [] {
    const int found = loaded_id_bits();
    if (found != IDXTYPEWIDTH) {
      throw RuntimeError(text("METIS: the library that is loaded has ", found,
                              "-bit ids, but Weft was compiled with a metis.h of ", IDXTYPEWIDTH,
                              "-bit ids; install a header and a library that belong together"));
    }
    if (!honors_part_weights()) {
      throw RuntimeError(text("METIS: the library that is loaded does not take ", REALTYPEWIDTH,
                              "-bit part weights as its metis.h says; install a header and a "
                              "library that belong together"));
    }
  });
}

void check_metis_counts(std::int64_t num_vertices,
                        std::int64_t num_arcs,
                        std::span<const std::int64_t> total_weights,
                        int id_bits) {
  if (id_bits >= 64) return;
  const std::int64_t limit = (std::int64_t{1} << (id_bits - 1)) - 1;
  const auto check = [&](std::int64_t value, const char* what) {
    if (value <= limit) return;
    throw InputError(text("METIS: the graph has ", value, " ", what, " (symmetric, without loops),",
                          " but this METIS has ", id_bits, "-bit ids and takes up to ", limit,
                          "; build Weft with a METIS of 64-bit ids, or use --method block, random",
                          " or file"));
  };
  check(num_vertices, "vertices");
  check(num_arcs, "arcs");
  for (const std::int64_t total : total_weights)
    check(total, "units of weight to balance");
}

void run_with_stack(std::size_t stack_bytes, const std::function<void()>& work) {
  ThreadTask task{&work, nullptr};
  pthread_t thread{};
  bool started = start_thread(thread, stack_bytes, task);
  while (!started && stack_bytes > smallest_stack_bytes) {
    stack_bytes = std::max(stack_bytes / 4, smallest_stack_bytes);
    started = start_thread(thread, stack_bytes, task);
  }
  if (!started) {
    throw RuntimeError(text("METIS: out of memory: no thread with a stack of ",
                            format_bytes(static_cast<std::int64_t>(stack_bytes)),
                            " can be started; raise the limit of address space (ulimit -v)"));
  }
  pthread_join(thread, nullptr);
  if (task.error) std::rethrow_exception(task.error);
}

std::vector<std::int32_t> run_metis(const MetisProblem& problem) {
  check_metis_counts(problem.num_vertices(), count_of(problem.col_idx), problem.total_weights,
                     IDXTYPEWIDTH);
  verify_metis();
  std::vector<std::int32_t> owner;
  run_with_stack(metis_stack_bytes, [&] { owner = call_metis(problem); });
  return owner;
}

}  // namespace weft::partition
