// SPDX-License-Identifier: MIT
// A three-stage oneTBB pipeline: cut, parse, join.
#include "datasets/chunk_pipeline.hpp"

#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

namespace weft::datasets {

namespace {

/// Hands out slot numbers; there are as many as tokens in the pipeline.
class SlotPool {
 public:
  explicit SlotPool(std::size_t count) {
    for (std::size_t slot = count; slot > 0; --slot)
      free_.push_back(slot - 1);
  }
  std::size_t take() {
    const std::scoped_lock lock(guard_);
    const std::size_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  void give_back(std::size_t slot) {
    const std::scoped_lock lock(guard_);
    free_.push_back(slot);
  }

 private:
  std::mutex guard_;
  std::vector<std::size_t> free_;
};

}  // namespace

std::size_t num_chunk_slots() {
  return 2 * static_cast<std::size_t>(std::max(tbb::this_task_arena::max_concurrency(), 1)) + 1;
}

void process_chunks(TextSource& source,
                    std::size_t chunk_bytes,
                    const ChunkWork& work,
                    const ProgressCallback& progress) {
  const std::size_t num_slots = num_chunk_slots();
  std::vector<TextChunk> chunks(num_slots);
  SlotPool pool(num_slots);
  std::atomic<bool> is_stopped{false};
  std::size_t released = 0;
  // Dropping pages costs a system call and an interrupt on each core: not for every chunk.
  const std::size_t release_bytes = std::max<std::size_t>(chunk_bytes, std::size_t{1} << 25);

  const auto cut = tbb::make_filter<void, std::size_t>(
      tbb::filter_mode::serial_in_order, [&](tbb::flow_control& control) -> std::size_t {
        if (is_stopped) {
          control.stop();
          return 0;
        }
        const std::size_t slot = pool.take();
        if (!source.next(chunk_bytes, chunks[slot])) {
          pool.give_back(slot);
          control.stop();
        }
        return slot;
      });
  const auto parse =
      tbb::make_filter<std::size_t, std::size_t>(tbb::filter_mode::parallel, [&](std::size_t slot) {
        work.parse(chunks[slot], slot);
        return slot;
      });
  const auto join =
      tbb::make_filter<std::size_t, void>(tbb::filter_mode::serial_in_order, [&](std::size_t slot) {
        if (!is_stopped && !work.join(slot)) is_stopped = true;
        const std::size_t end = chunks[slot].source_end;
        if (end >= released + release_bytes) {
          source.release_before(end);
          released = end;
          report_progress(progress, "reading " + source.name(),
                          static_cast<double>(end) / static_cast<double>(source.file_bytes()));
        }
        pool.give_back(slot);
      });
  tbb::parallel_pipeline(num_slots, cut & parse & join);
}

}  // namespace weft::datasets
