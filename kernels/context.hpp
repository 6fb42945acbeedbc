// SPDX-License-Identifier: MIT
// Where and how an operation runs: backend, thread pool, counters, and `poll`.
//
// Every operation takes a Context& first. `poll` is called between tasks on whatever thread ran
// the task; `comm/` installs a function there, so MPI progresses inside compute without this
// folder knowing of MPI. There is no global state: two contexts do not see each other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <type_traits>

#include "kernels/buffer.hpp"

namespace weft::kernels {

/// Which implementation of an operation runs. `reference` is the slow, readable specification.
enum class Backend { cpu, reference, cuda };

/// Which vector instructions the cpu backend uses. Paths may differ in rounding (`baseline` has no
/// fused multiply-add); each by itself gives the same bits on every machine that has it.
enum class InstructionSet { baseline, avx2, avx512 };

/// Storage that operations keep between calls, by purpose, so that they allocate nothing once warm.
enum class ScratchSlot { packed_weights, packed_rows, chunk_sums, totals, row_buffers };
inline constexpr std::size_t num_scratch_slots = 5;

/// What has been done since the counters were last reset; plain sums over threads.
struct Counters {
  std::int64_t buffer_allocations = 0;  ///< Buffers allocated through the context
  std::int64_t bytes_allocated = 0;
};

/// A non-owning reference to a callable `void(std::int64_t)`: no allocation per call.
class TaskBody {
 public:
  template <typename F>
  TaskBody(const F& function)  // NOLINT(google-explicit-constructor): made at call sites
      : object_(&function), call_([](const void* object, std::int64_t task) {
          (*static_cast<const F*>(object))(task);
        }) {}
  void operator()(std::int64_t task) const { call_(object_, task); }

 private:
  const void* object_;
  void (*call_)(const void*, std::int64_t);
};

/// One caller at a time: operations on the same context must not overlap.
class Context {
 public:
  /// `num_threads` threads, the calling one among them; at least 1.
  explicit Context(int num_threads = 1, Backend backend = Backend::cpu);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  [[nodiscard]] Backend backend() const { return backend_; }
  [[nodiscard]] int num_threads() const { return num_threads_; }

  /// Runs body(0) .. body(num_tasks - 1), each once, on the pool, and polls between tasks.
  /// Tasks must not depend on each other; which thread runs which task is not fixed, so a task's
  /// result must not depend on it. The reference backend runs them in order on one thread.
  void parallel_for(std::int64_t num_tasks, TaskBody body);

  /// Inside a task: which of the pool's threads runs it, in 0 .. num_threads - 1.
  [[nodiscard]] int thread_index() const;

  /// Room for `count` objects, 64-byte aligned, kept until a larger request for the same slot;
  /// contents are undefined. For the thread that called the operation, not for its tasks.
  template <typename T>
  [[nodiscard]] std::span<T> scratch(ScratchSlot slot, std::int64_t count) {
    static_assert(std::is_trivial_v<T>);
    void* bytes = scratch_bytes(slot, count * static_cast<std::int64_t>(sizeof(T)));
    return {static_cast<T*>(bytes), static_cast<std::size_t>(count)};
  }

  [[nodiscard]] InstructionSet instruction_set() const { return instruction_set_; }
  /// Throws InputError if this CPU lacks `set`. The best that it has is the default.
  void set_instruction_set(InstructionSet set);

  /// Last-level cache that operations may count on: by default the share of the machine's that
  /// falls to the context's threads. A matter of time only: no result depends on it.
  [[nodiscard]] std::int64_t cache_bytes() const { return cache_bytes_; }
  void set_cache_bytes(std::int64_t num_bytes) { cache_bytes_ = num_bytes; }

  /// Called between tasks; empty by default. Set by the owner of the communicator.
  void set_poll(std::function<void()> poll) { poll_ = std::move(poll); }
  void poll() const {
    if (poll_) poll_();
  }

  [[nodiscard]] Counters& counters() { return counters_; }

 private:
  struct Pool;
  [[nodiscard]] void* scratch_bytes(ScratchSlot slot, std::int64_t num_bytes);

  Backend backend_;
  InstructionSet instruction_set_;
  int num_threads_;
  std::int64_t cache_bytes_;
  std::unique_ptr<Pool> pool_;
  std::function<void()> poll_;
  Counters counters_;
  std::array<Buffer, num_scratch_slots> scratch_;
};

/// "cpu", "reference", "cuda".
[[nodiscard]] const char* backend_name(Backend backend);

/// "baseline", "avx2", "avx512".
[[nodiscard]] const char* instruction_set_name(InstructionSet set);

/// True if this CPU and operating system can run `set`.
[[nodiscard]] bool has_instruction_set(InstructionSet set);

/// Throws InputError: this build has no `backend`; names the build option.
[[noreturn]] void backend_missing(Backend backend, const char* operation);

}  // namespace weft::kernels
