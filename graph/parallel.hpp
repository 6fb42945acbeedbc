// SPDX-License-Identifier: MIT
// Loops over index ranges on all threads of the caller's oneTBB arena.
//
// The templates here stay free of oneTBB's headers: they hand whole ranges to one function that
// is compiled once, so the indirect call costs once a range, not once an index.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <mutex>

namespace weft::graph {

/// Calls `work(begin, end)` for disjoint ranges that cover [0, count), each of at least `grain`
/// indices where there are as many.
void parallel_ranges(std::int64_t count,
                     std::int64_t grain,
                     const std::function<void(std::int64_t, std::int64_t)>& work);

/// Calls `work(index)` for every index in [0, count).
template <typename Work>
void parallel_for_each(std::int64_t count, std::int64_t grain, Work work) {
  parallel_ranges(count, grain, [&work](std::int64_t begin, std::int64_t end) {
    for (std::int64_t index = begin; index < end; ++index)
      work(index);
  });
}

/// Sum of `work(index)` over [0, count), starting from Total{}. Exact for integers only: the order
/// of the partial sums varies.
template <typename Total, typename Work>
[[nodiscard]] Total parallel_sum(std::int64_t count, std::int64_t grain, Work work) {
  Total total{};
  std::mutex guard;
  parallel_ranges(count, grain, [&](std::int64_t begin, std::int64_t end) {
    Total partial{};
    for (std::int64_t index = begin; index < end; ++index)
      partial += work(index);
    const std::scoped_lock lock(guard);
    total += partial;
  });
  return total;
}

/// Turns counts[0..n) into their running sum from 0 and counts[n] into the total, where n + 1 is
/// the size; counts[n] is ignored on entry.
template <typename Counts>
void offsets_from_counts(Counts& counts) {
  typename Counts::value_type sum = 0;
  for (auto& count : counts) {
    const auto next = static_cast<typename Counts::value_type>(sum + count);
    count = sum;
    sum = next;
  }
}

}  // namespace weft::graph
