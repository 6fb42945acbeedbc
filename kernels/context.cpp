// SPDX-License-Identifier: MIT
// The thread pool is a oneTBB arena of the context's own. Tasks are split down to single ones, by
// halves: a thread works on neighboring tasks, whose rows share its cache.
#include "kernels/context.hpp"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <optional>

#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "kernels/cache_share.hpp"

namespace weft::kernels {

struct Context::Pool {
  explicit Pool(int num_threads) : arena(num_threads) {
    if (num_threads > tbb::info::default_concurrency()) {
      // oneTBB starts no more workers than CPUs unless told; asked-for threads are given.
      control.emplace(tbb::global_control::max_allowed_parallelism,
                      static_cast<std::size_t>(num_threads));
    }
  }
  std::optional<tbb::global_control> control;
  tbb::task_arena arena;
};

namespace {

InstructionSet best_instruction_set() {
  if (has_instruction_set(InstructionSet::avx512)) return InstructionSet::avx512;
  if (has_instruction_set(InstructionSet::avx2)) return InstructionSet::avx2;
  return InstructionSet::baseline;
}

}  // namespace

Context::Context(int num_threads, Backend backend)
    : backend_(backend),
      instruction_set_(best_instruction_set()),
      num_threads_(num_threads),
      cache_bytes_(cache_share_bytes("/sys/devices/system/cpu/cpu0/cache/index3", num_threads)) {
  if (num_threads < 1) {
    throw InputError(text("context: ", num_threads, " threads asked for; use 1 or more"));
  }
  if (num_threads > 1) pool_ = std::make_unique<Pool>(num_threads);
}

Context::~Context() = default;

void Context::parallel_for(std::int64_t num_tasks, TaskBody body) {
  if (pool_ == nullptr || num_tasks == 1 || backend_ == Backend::reference) {
    for (std::int64_t task = 0; task < num_tasks; ++task) {
      body(task);
      poll();
    }
    return;
  }
  using Range = tbb::blocked_range<std::int64_t>;
  const auto run_range = [&](const Range& range) {
    for (std::int64_t task = range.begin(); task < range.end(); ++task) {
      body(task);
      poll();
    }
  };
  pool_->arena.execute(
      [&] { tbb::parallel_for(Range(0, num_tasks, 1), run_range, tbb::simple_partitioner()); });
}

int Context::thread_index() const {
  if (pool_ == nullptr || backend_ == Backend::reference) return 0;
  const int index = tbb::this_task_arena::current_thread_index();
  return index >= 0 && index < num_threads_ ? index : 0;
}

void* Context::scratch_bytes(ScratchSlot slot, std::int64_t num_bytes) {
  Buffer& buffer = scratch_[static_cast<std::size_t>(slot)];
  if (buffer.reserve(num_bytes)) {
    ++counters_.buffer_allocations;
    counters_.bytes_allocated += buffer.capacity_bytes();
  }
  return buffer.data();
}

void Context::set_instruction_set(InstructionSet set) {
  if (!has_instruction_set(set)) {
    throw InputError(text("context: this CPU has no ", instruction_set_name(set),
                          "; leave the instruction set at its default, ",
                          instruction_set_name(best_instruction_set())));
  }
  instruction_set_ = set;
}

const char* backend_name(Backend backend) {
  switch (backend) {
    case Backend::cpu:
      return "cpu";
    case Backend::reference:
      return "reference";
    case Backend::cuda:
      return "cuda";
  }
  return "unknown";
}

const char* instruction_set_name(InstructionSet set) {
  switch (set) {
    case InstructionSet::baseline:
      return "baseline";
    case InstructionSet::avx2:
      return "avx2";
    case InstructionSet::avx512:
      return "avx512";
  }
  return "unknown";
}

bool has_instruction_set(InstructionSet set) {
#if defined(__x86_64__)
  if (set == InstructionSet::avx2) {
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  }
  if (set == InstructionSet::avx512) {
    return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
           __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512bw") != 0;
  }
#endif
  return set == InstructionSet::baseline;
}

void backend_missing(Backend backend, const char* operation) {
  throw InputError(text(operation, ": this build has no ", backend_name(backend),
                        " backend; configure with -DWEFT_WITH_CUDA=ON, or use the cpu backend"));
}

}  // namespace weft::kernels
