// SPDX-License-Identifier: MIT
// The pool: every task once, polls between tasks, scratch that is kept, names of what is missing.
#include "kernels/context.hpp"

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include "kernels/activation.hpp"
#include "tests/kernels/kernel_test_support.hpp"

namespace weft::kernels {
namespace {

TEST(Context, EveryTaskRunsOnce) {
  for (const int num_threads : {1, 2, 8}) {
    Context ctx(num_threads);
    for (const std::int64_t num_tasks : {0, 1, 2, 1000}) {
      std::vector<std::atomic<int>> runs(static_cast<std::size_t>(num_tasks));
      ctx.parallel_for(num_tasks,
                       [&](std::int64_t task) { ++runs[static_cast<std::size_t>(task)]; });
      for (const std::atomic<int>& count : runs)
        EXPECT_EQ(count.load(), 1);
    }
  }
}

TEST(Context, PollsAfterEveryTask) {
  for (const int num_threads : {1, 2, 8}) {
    Context ctx(num_threads);
    std::atomic<int> polls{0};
    ctx.set_poll([&] { ++polls; });
    ctx.parallel_for(100, [](std::int64_t) {});
    EXPECT_EQ(polls.load(), 100) << num_threads << " threads";
  }
}

TEST(Context, ThreadIndexIsInRangeAndOneThreadsOwn) {
  Context ctx(8);
  std::mutex mutex;
  std::set<std::pair<int, std::thread::id>> pairs;
  ctx.parallel_for(1000, [&](std::int64_t) {
    const std::scoped_lock lock(mutex);
    pairs.insert({ctx.thread_index(), std::this_thread::get_id()});
  });
  std::set<int> indices;
  for (const auto& [index, thread] : pairs) {
    EXPECT_GE(index, 0);
    EXPECT_LT(index, 8);
    EXPECT_TRUE(indices.insert(index).second) << "two threads share index " << index;
  }
}

TEST(Context, ManyThreadsAreGivenWhereAsked) {
  Context ctx(4);
  std::atomic<int> waiting{0};
  // Passes only if four threads are inside at the same time.
  ctx.parallel_for(4, [&](std::int64_t) {
    ++waiting;
    while (waiting.load() < 4)
      std::this_thread::yield();
  });
  EXPECT_EQ(waiting.load(), 4);
}

TEST(Context, ReferenceRunsInOrderOnOneThread) {
  Context ctx(4, Backend::reference);
  std::vector<std::int64_t> order;
  ctx.parallel_for(50, [&](std::int64_t task) { order.push_back(task); });
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  EXPECT_EQ(order.size(), 50U);
}

TEST(Context, ExceptionsReachTheCaller) {
  for (const int num_threads : {1, 2}) {
    Context ctx(num_threads);
    EXPECT_THROW(ctx.parallel_for(10,
                                  [](std::int64_t task) {
                                    if (task == 7) throw RuntimeError("task 7");
                                  }),
                 RuntimeError);
  }
}

TEST(Context, ScratchIsKeptAndCounted) {
  Context ctx(1);
  const auto first = ctx.scratch<double>(ScratchSlot::totals, 100);
  const auto smaller = ctx.scratch<Real>(ScratchSlot::totals, 10);
  EXPECT_EQ(static_cast<void*>(first.data()), static_cast<void*>(smaller.data()));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first.data()) % 64, 0U);
  EXPECT_EQ(ctx.counters().buffer_allocations, 1);
  EXPECT_GE(ctx.counters().bytes_allocated, 800);
  const auto other = ctx.scratch<double>(ScratchSlot::chunk_sums, 1);
  EXPECT_NE(static_cast<void*>(other.data()), static_cast<void*>(first.data()));
}

TEST(Context, MissingBackendNamesTheBuildOption) {
  Context ctx(1, Backend::cuda);
  Matrix x(1, 1);
  try {
    relu(ctx, x.view(), x.view(), RowSet::range(0, 1));
    FAIL() << "accepted";
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("relu: this build has no cuda backend"), std::string::npos) << message;
    EXPECT_NE(message.find("WEFT_WITH_CUDA"), std::string::npos) << message;
  }
}

TEST(Context, NoThreadsAreRefused) {
  EXPECT_THROW(Context(0), InputError);
}

TEST(Context, InstructionSetsOfThisMachineCanBeChosen) {
  Context ctx(1);
  for (const InstructionSet set : test::instruction_sets_here()) {
    ctx.set_instruction_set(set);
    EXPECT_EQ(ctx.instruction_set(), set);
  }
  if (!has_instruction_set(InstructionSet::avx512)) {
    EXPECT_THROW(ctx.set_instruction_set(InstructionSet::avx512), InputError);
  }
  EXPECT_STREQ(instruction_set_name(InstructionSet::avx2), "avx2");
  EXPECT_STREQ(backend_name(Backend::reference), "reference");
}

}  // namespace
}  // namespace weft::kernels
