// SPDX-License-Identifier: MIT
// Two ways to number the ids that occur: a bitmap with running counts where it is small beside the
// arcs, else a sorted list. No hash table: both are parallel and their result needs no second sort.
#include "datasets/id_compaction.hpp"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <mutex>

#include "graph/parallel.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "graph/support/types.hpp"

namespace weft::datasets {

namespace {

constexpr std::int64_t grain = 1 << 16;

/// The set of ids that occur, and the rank of each.
class IdBitmap {
 public:
  IdBitmap(const std::vector<graph::Arc>& arcs, std::int64_t largest)
      : words_(static_cast<std::size_t>(largest / 64 + 1)), rank_(words_.size() + 1) {
    graph::parallel_for_each(static_cast<std::int64_t>(arcs.size()), grain, [&](std::int64_t i) {
      const graph::Arc& arc = arcs[static_cast<std::size_t>(i)];
      mark(arc.source);
      mark(arc.destination);
    });
    for (std::size_t w = 0; w < words_.size(); ++w)
      rank_[w] = std::popcount(words_[w]);
    graph::offsets_from_counts(rank_);
  }

  [[nodiscard]] std::int64_t count() const { return rank_.back(); }

  [[nodiscard]] std::int32_t rank_of(std::int32_t id) const {
    const auto word = static_cast<std::size_t>(id) / 64;
    const std::uint64_t below = (std::uint64_t{1} << (id % 64)) - 1;
    return rank_[word] + std::popcount(words_[word] & below);
  }

  [[nodiscard]] std::vector<std::int64_t> ids() const {
    std::vector<std::int64_t> ids;
    ids.reserve(static_cast<std::size_t>(count()));
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t bits = words_[w]; bits != 0; bits &= bits - 1) {
        ids.push_back(static_cast<std::int64_t>(w) * 64 + std::countr_zero(bits));
      }
    }
    return ids;
  }

 private:
  void mark(std::int32_t id) {
    std::atomic_ref<std::uint64_t> word(words_[static_cast<std::size_t>(id) / 64]);
    const std::uint64_t bit = std::uint64_t{1} << (id % 64);
    // Most ids occur often: a read first keeps the cache line shared.
    if ((word.load(std::memory_order_relaxed) & bit) == 0) {
      word.fetch_or(bit, std::memory_order_relaxed);
    }
  }

  std::vector<std::uint64_t> words_;
  std::vector<std::int32_t> rank_;
};

template <typename ArcT>
std::vector<std::int64_t> sorted_ids(const std::vector<ArcT>& arcs) {
  std::vector<std::int64_t> ids(arcs.size() * 2);
  graph::parallel_for_each(static_cast<std::int64_t>(arcs.size()), grain, [&](std::int64_t i) {
    const auto index = static_cast<std::size_t>(i);
    ids[2 * index] = arcs[index].source;
    ids[2 * index + 1] = arcs[index].destination;
  });
  tbb::parallel_sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  ids.shrink_to_fit();
  return ids;
}

std::int32_t rank_in(const std::vector<std::int64_t>& ids, std::int64_t id) {
  return static_cast<std::int32_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
}

}  // namespace

std::int64_t largest_id(const std::vector<graph::Arc>& arcs) {
  std::int32_t largest = -1;
  std::mutex guard;
  graph::parallel_ranges(static_cast<std::int64_t>(arcs.size()), grain,
                         [&](std::int64_t begin, std::int64_t end) {
                           std::int32_t found = -1;
                           for (std::int64_t i = begin; i < end; ++i) {
                             const graph::Arc& arc = arcs[static_cast<std::size_t>(i)];
                             found = std::max({found, arc.source, arc.destination});
                           }
                           const std::scoped_lock lock(guard);
                           largest = std::max(largest, found);
                         });
  return largest;
}

std::vector<std::int64_t> compact_ids(std::vector<graph::Arc>& arcs) {
  const auto count = static_cast<std::int64_t>(arcs.size());
  if (count == 0) return {};
  const std::int64_t largest = largest_id(arcs);
  constexpr std::int64_t always_small = 1 << 24;
  if (largest < std::max(always_small, 16 * count)) {
    const IdBitmap bitmap(arcs, largest);
    if (bitmap.count() != largest + 1) {
      graph::parallel_for_each(count, grain, [&](std::int64_t i) {
        graph::Arc& arc = arcs[static_cast<std::size_t>(i)];
        arc = {bitmap.rank_of(arc.source), bitmap.rank_of(arc.destination)};
      });
    }
    return bitmap.ids();
  }
  std::vector<std::int64_t> ids = sorted_ids(arcs);
  graph::parallel_for_each(count, grain, [&](std::int64_t i) {
    graph::Arc& arc = arcs[static_cast<std::size_t>(i)];
    arc = {rank_in(ids, arc.source), rank_in(ids, arc.destination)};
  });
  return ids;
}

std::vector<std::int64_t> compact_ids(std::vector<WideArc>&& arcs,
                                      std::vector<graph::Arc>& relabelled) {
  const std::vector<WideArc> wide = std::move(arcs);
  std::vector<std::int64_t> ids = sorted_ids(wide);
  if (static_cast<std::int64_t>(ids.size()) > max_local_vertices) {
    throw InputError(text(format_count(static_cast<std::int64_t>(ids.size())),
                          " different vertex ids, at most ", format_count(max_local_vertices),
                          " fit a dataset; split the graph"));
  }
  relabelled.resize(wide.size());
  graph::parallel_for_each(static_cast<std::int64_t>(wide.size()), grain, [&](std::int64_t i) {
    const WideArc& arc = wide[static_cast<std::size_t>(i)];
    relabelled[static_cast<std::size_t>(i)] = {rank_in(ids, arc.source),
                                               rank_in(ids, arc.destination)};
  });
  return ids;
}

bool is_consecutive_from_zero(const std::vector<std::int64_t>& ids) {
  return ids.empty() ||
         (ids.front() == 0 && ids.back() == static_cast<std::int64_t>(ids.size()) - 1);
}

}  // namespace weft::datasets
