// SPDX-License-Identifier: MIT
#include "partition/halo_sets.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <bit>

#include "graph/support/error.hpp"
#include "partition/indexing.hpp"

namespace weft::partition {
namespace {

// Rows per task: enough work to hide a task's cost on graphs of degree 1.
constexpr std::size_t rows_per_task = 1024;

// Groups vertices that rise by global id by their owner; counting sort, so they still rise.
HaloSet group_by_owner(std::span<const std::int32_t> vertices,
                       std::span<const std::int32_t> owner,
                       int num_parts) {
  std::vector<std::int64_t> end(position(num_parts), 0);
  for (const std::int32_t vertex : vertices)
    ++end[position(owner[position(vertex)])];
  HaloSet halo;
  std::int64_t begin = 0;
  for (int part = 0; part < num_parts; ++part) {
    const std::int64_t count = end[position(part)];
    if (count > 0) halo.runs.push_back({part, begin, begin + count});
    end[position(part)] = begin;
    begin += count;
  }
  halo.vertices.resize(vertices.size());
  for (const std::int32_t vertex : vertices) {
    halo.vertices[position(end[position(owner[position(vertex)])]++)] = vertex;
  }
  return halo;
}

}  // namespace

OwnedVertices::OwnedVertices(std::span<const std::int32_t> owner, int num_parts)
    : begin_(position(num_parts) + 1, 0), vertices_(owner.size()) {
  for (const std::int32_t part : owner) {
    WEFT_ASSERT(part >= 0 && part < num_parts);
    ++begin_[position(part) + 1];
  }
  for (std::size_t part = 1; part < begin_.size(); ++part)
    begin_[part] += begin_[part - 1];
  std::vector<std::int64_t> next(begin_.begin(), begin_.end() - 1);
  for (std::size_t vertex = 0; vertex < owner.size(); ++vertex) {
    std::int64_t& slot = next[position(owner[vertex])];
    vertices_[position(slot++)] = static_cast<std::int32_t>(vertex);
  }
}

std::span<const std::int32_t> OwnedVertices::of(int part) const {
  const std::int64_t begin = begin_[position(part)];
  const std::int64_t end = begin_[position(part) + 1];
  return std::span(vertices_).subspan(position(begin), position(end - begin));
}

std::span<const std::int32_t> HaloSet::of(int owner) const {
  const auto run = std::lower_bound(runs.begin(), runs.end(), owner,
                                    [](const Run& a, int value) { return a.owner < value; });
  if (run == runs.end() || run->owner != owner) return {};
  return std::span(vertices).subspan(position(run->begin), position(run->end - run->begin));
}

VertexMarks::VertexMarks(std::int64_t num_vertices) : words_(position((num_vertices + 63) / 64)) {}

void VertexMarks::add(std::int32_t vertex) {
  std::atomic_ref<std::uint64_t> word(words_[position(vertex / 64)]);
  const std::uint64_t bit = std::uint64_t{1} << (vertex % 64);
  // Most marks are repeats; a read keeps the cache line shared.
  if ((word.load(std::memory_order_relaxed) & bit) == 0) {
    word.fetch_or(bit, std::memory_order_relaxed);
  }
}

std::vector<std::int32_t> VertexMarks::take() {
  std::size_t count = 0;
  for (const std::uint64_t word : words_)
    count += static_cast<std::size_t>(std::popcount(word));
  std::vector<std::int32_t> members;
  members.reserve(count);
  for (std::size_t i = 0; i < words_.size(); ++i) {
    for (std::uint64_t word = words_[i]; word != 0; word &= word - 1) {
      members.push_back(static_cast<std::int32_t>(64 * i) + std::countr_zero(word));
    }
    words_[i] = 0;
  }
  return members;
}

HaloSet find_halo_set(const graph::CsrView& graph,
                      std::span<const std::int32_t> owner,
                      const OwnedVertices& owned,
                      int part,
                      VertexMarks& marks,
                      int only_owner) {
  const auto rows = owned.of(part);
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, rows.size(), rows_per_task),
                    [&](const tbb::blocked_range<std::size_t>& range) {
                      for (std::size_t i = range.begin(); i < range.end(); ++i) {
                        for (const std::int32_t source : graph.neighbors(rows[i])) {
                          const std::int32_t from = owner[position(source)];
                          if (from == part) continue;
                          if (only_owner == any_owner || from == only_owner) marks.add(source);
                        }
                      }
                    });
  return group_by_owner(marks.take(), owner, owned.num_parts());
}

std::vector<HaloSet> find_halo_sets(const graph::CsrView& graph,
                                    std::span<const std::int32_t> owner,
                                    const OwnedVertices& owned) {
  VertexMarks marks(graph.num_vertices());
  std::vector<HaloSet> halos(position(owned.num_parts()));
  for (int part = 0; part < owned.num_parts(); ++part) {
    halos[position(part)] = find_halo_set(graph, owner, owned, part, marks);
  }
  return halos;
}

}  // namespace weft::partition
