// SPDX-License-Identifier: MIT
#include "graph/row_sort.hpp"

#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <span>
#include <utility>

#include "graph/parallel.hpp"
#include "graph/row_order.hpp"
#include "graph/support/error.hpp"
#include "graph/support/process.hpp"
#include "graph/support/text.hpp"

namespace weft::graph {
namespace {

constexpr std::int64_t arcs_per_chunk = std::int64_t{1} << 16;
constexpr std::int64_t max_chunks = 64;
constexpr std::int64_t entries_per_bucket = std::int64_t{1} << 18;  // keys and rows: 1.5 MiB
constexpr int max_bucket_bits = 16;        // a row's place in its bucket is stored in 16 bits
constexpr std::size_t piece_entries = 64;  // entries of a bucket that are written at once

/// How the work is cut. It follows from the sizes alone, never from the number of threads.
struct Plan {
  std::int64_t num_arcs = 0;
  std::int64_t num_rows = 0;
  std::int64_t num_chunks = 0;
  int bucket_bits = 0;  ///< a bucket is 2^bucket_bits rows
  std::size_t num_buckets = 0;

  [[nodiscard]] std::size_t chunk_begin(std::int64_t chunk) const {
    return static_cast<std::size_t>(num_arcs / num_chunks * chunk +
                                    std::min(chunk, num_arcs % num_chunks));
  }
};

Plan make_plan(std::size_t num_arcs, std::int64_t num_rows, std::int64_t entries_per_arc) {
  Plan plan;
  plan.num_arcs = static_cast<std::int64_t>(num_arcs);
  plan.num_rows = num_rows;
  plan.num_chunks = std::clamp<std::int64_t>(plan.num_arcs / arcs_per_chunk, 1, max_chunks);
  const std::int64_t wanted = plan.num_arcs * entries_per_arc / entries_per_bucket + 1;
  const auto rows = static_cast<std::uint64_t>(std::max<std::int64_t>(1, num_rows / wanted));
  plan.bucket_bits = std::min(max_bucket_bits, static_cast<int>(std::bit_width(rows)));
  plan.num_buckets = static_cast<std::size_t>(num_rows >> plan.bucket_bits) + 1;
  return plan;
}

/// Arcs from a list, checked as they are counted.
class ListSource {
 public:
  ListSource(const EdgeList& edges) : edges_(edges) {
    if (edges.num_vertices < 0 || edges.num_vertices > max_local_vertices) {
      throw InputError(text("graph: ", edges.num_vertices, " vertices, expected 0 to ",
                            format_count(max_local_vertices)));
    }
    if (!edges.weights.empty() && edges.weights.size() != edges.arcs.size()) {
      throw InputError(text("graph: ", edges.weights.size(), " edge weights for ",
                            edges.arcs.size(), " arcs; give one weight an arc or none"));
    }
  }

  void check(Arc arc) const {
    const auto limit = static_cast<std::uint32_t>(edges_.num_vertices);
    if (static_cast<std::uint32_t>(arc.source) >= limit ||
        static_cast<std::uint32_t>(arc.destination) >= limit) {
      refuse();
    }
  }

  /// Calls use(arc, weight) for arcs [begin, end).
  template <bool weighted, typename Use>
  void visit(std::size_t begin, std::size_t end, Use use) const {
    for (std::size_t i = begin; i < end; ++i) {
      use(edges_.arcs[i], weighted ? edges_.weights[i] : 1.0F);
    }
  }

 private:
  /// Names the first arc that is out of range.
  [[noreturn]] void refuse() const {
    const auto fits = [&](std::int32_t v) { return v >= 0 && v < edges_.num_vertices; };
    std::size_t i = 0;
    while (fits(edges_.arcs[i].source) && fits(edges_.arcs[i].destination))
      ++i;
    const Arc arc = edges_.arcs[i];
    throw InputError(text("graph: arc ", i, " joins ", arc.source, " to ", arc.destination,
                          ", but vertices go from 0 to ", edges_.num_vertices - 1,
                          "; correct the arc or the number of vertices"));
  }

  const EdgeList& edges_;
};

/// The arcs of a graph, turned round, without a list of them.
class TransposedSource {
 public:
  TransposedSource(const CsrView& graph) : graph_(graph) {}

  void check(Arc) const {}

  template <bool weighted, typename Use>
  void visit(std::size_t begin, std::size_t end, Use use) const {
    const auto first = static_cast<EdgeOffset>(begin);
    const auto after = std::upper_bound(graph_.row_ptr.begin(), graph_.row_ptr.end(), first);
    auto row = static_cast<std::size_t>(after - graph_.row_ptr.begin()) - 1;
    for (std::size_t i = begin; i < end; ++i) {
      while (static_cast<EdgeOffset>(i) >= graph_.row_ptr[row + 1])
        ++row;
      use(Arc{static_cast<std::int32_t>(row), graph_.col_idx[i]},
          weighted ? graph_.edge_weight[i] : 1.0F);
    }
  }

 private:
  CsrView graph_;
};

/// Where each chunk writes in each bucket.
struct Places {
  std::vector<std::int64_t> of_chunk;      ///< [num_chunks x num_buckets]
  std::vector<std::int64_t> bucket_begin;  ///< [num_buckets + 1]
};

/// The places of one chunk.
std::span<std::int64_t> places_of(Places& places, const Plan& plan, std::int64_t chunk) {
  return std::span(places.of_chunk)
      .subspan(static_cast<std::size_t>(chunk) * plan.num_buckets, plan.num_buckets);
}

template <typename Source>
Places find_places(const Source& source, ExpandArc expand, const Plan& plan) {
  Places places;
  places.of_chunk.resize(static_cast<std::size_t>(plan.num_chunks) * plan.num_buckets);
  parallel_for_each(plan.num_chunks, 1, [&](std::int64_t chunk) {
    const std::span<std::int64_t> counts = places_of(places, plan, chunk);
    const auto count = [&](std::int32_t row, std::uint32_t) {
      ++counts[static_cast<std::size_t>(row >> plan.bucket_bits)];
    };
    const auto count_arc = [&](Arc arc, float) {
      source.check(arc);
      expand(arc, count);
    };
    source.template visit<false>(plan.chunk_begin(chunk), plan.chunk_begin(chunk + 1), count_arc);
  });
  places.bucket_begin.reserve(plan.num_buckets + 1);
  std::int64_t sum = 0;
  for (std::size_t bucket = 0; bucket < plan.num_buckets; ++bucket) {
    places.bucket_begin.push_back(sum);
    for (std::size_t at = bucket; at < places.of_chunk.size(); at += plan.num_buckets) {
      sum += std::exchange(places.of_chunk[at], sum);
    }
  }
  places.bucket_begin.push_back(sum);
  return places;
}

/// Entries by bucket. `low_rows` are the rows' low bits.
struct Buckets {
  std::vector<std::int32_t> keys;
  std::vector<float> weights;
  std::unique_ptr<std::uint16_t[]> low_rows;
};

Buckets make_buckets(std::size_t num_entries, bool weighted) {
  Buckets buckets;
  buckets.keys = make_large_vector<std::int32_t>(num_entries);
  buckets.weights = make_large_vector<float>(weighted ? num_entries : 0);
  buckets.low_rows = std::make_unique_for_overwrite<std::uint16_t[]>(num_entries);
  advise_huge_pages(buckets.low_rows.get(), num_entries * sizeof(std::uint16_t));
  return buckets;
}

/// Gathers entries of each bucket and writes them in pieces, so that the bucket's end is touched
/// once in `piece_entries` entries.
template <bool weighted>
class PieceWriter {
 public:
  PieceWriter(Buckets& buckets, const Plan& plan, std::span<std::int64_t> places)
      : buckets_(buckets),
        places_(places),
        fill_(plan.num_buckets),
        keys_(plan.num_buckets * piece_entries),
        low_rows_(plan.num_buckets * piece_entries),
        weights_(weighted ? plan.num_buckets * piece_entries : 0),
        bits_(plan.bucket_bits) {}

  void add(std::int32_t row, std::uint32_t key, float weight) {
    const auto bucket = static_cast<std::size_t>(row >> bits_);
    const std::size_t at = bucket * piece_entries + fill_[bucket];
    keys_[at] = static_cast<std::int32_t>(key);
    low_rows_[at] = static_cast<std::uint16_t>(row & ((1 << bits_) - 1));
    if constexpr (weighted) weights_[at] = weight;
    if (++fill_[bucket] == piece_entries) write(bucket, piece_entries);
  }

  void finish() {
    for (std::size_t bucket = 0; bucket < fill_.size(); ++bucket)
      write(bucket, fill_[bucket]);
  }

 private:
  void write(std::size_t bucket, std::size_t count) {
    const auto to = static_cast<std::size_t>(places_[bucket]);
    const std::size_t from = bucket * piece_entries;
    std::copy_n(&keys_[from], count, buckets_.keys.data() + to);
    std::copy_n(&low_rows_[from], count, buckets_.low_rows.get() + to);
    if constexpr (weighted) std::copy_n(&weights_[from], count, buckets_.weights.data() + to);
    places_[bucket] += static_cast<std::int64_t>(count);
    fill_[bucket] = 0;
  }

  Buckets& buckets_;
  std::span<std::int64_t> places_;
  std::vector<std::uint32_t> fill_;
  std::vector<std::int32_t> keys_;
  std::vector<std::uint16_t> low_rows_;
  std::vector<float> weights_;
  int bits_;
};

template <bool weighted, typename Source>
Buckets distribute(const Source& source, ExpandArc expand, const Plan& plan, Places& places) {
  Buckets buckets = make_buckets(static_cast<std::size_t>(places.bucket_begin.back()), weighted);
  parallel_for_each(plan.num_chunks, 1, [&](std::int64_t chunk) {
    PieceWriter<weighted> writer(buckets, plan, places_of(places, plan, chunk));
    const auto add_arc = [&](Arc arc, float weight) {
      const auto add = [&](std::int32_t row, std::uint32_t key) { writer.add(row, key, weight); };
      expand(arc, add);
    };
    source.template visit<weighted>(plan.chunk_begin(chunk), plan.chunk_begin(chunk + 1), add_arc);
    writer.finish();
  });
  return buckets;
}

/// What a thread needs to sort a bucket; kept from bucket to bucket.
template <typename Item>
struct Scratch {
  std::vector<Item> items;
  std::vector<std::uint64_t> row_begin;
  RowOrder<Item> order;
};

/// Sorts the entries of one bucket, [begin, end), by row and key, and fills its part of row_ptr.
template <typename Item>
class BucketSort {
 public:
  BucketSort(Buckets& buckets, const Plan& plan, std::vector<EdgeOffset>& row_ptr)
      : buckets_(buckets), plan_(plan), row_ptr_(row_ptr) {}

  void operator()(std::size_t bucket,
                  std::int64_t begin,
                  std::int64_t end,
                  Scratch<Item>& scratch) {
    const auto count = static_cast<std::size_t>(end - begin);
    group(static_cast<std::size_t>(begin), count, scratch);
    const std::size_t first_row = bucket << plan_.bucket_bits;
    const std::size_t num_rows =
        std::min(static_cast<std::size_t>(plan_.num_rows) - first_row, scratch.row_begin.size());
    std::size_t from = 0;
    for (std::size_t row = 0; row < num_rows; ++row) {
      const std::size_t to = scratch.row_begin[row];
      scratch.order.sort(std::span(scratch.items).subspan(from, to - from));
      row_ptr_[first_row + row + 1] = begin + static_cast<std::int64_t>(to);
      from = to;
    }
    for (std::size_t i = 0; i < count; ++i) {
      put(static_cast<std::size_t>(begin) + i, scratch.items[i]);
    }
  }

 private:
  /// Counting sort by row into scratch.items; scratch.row_begin then holds the ends of the rows.
  void group(std::size_t begin, std::size_t count, Scratch<Item>& scratch) {
    const std::uint16_t* low_rows = buckets_.low_rows.get() + begin;
    scratch.row_begin.assign(std::size_t{1} << plan_.bucket_bits, 0);
    if (scratch.items.size() < count) scratch.items.resize(count);
    for (std::size_t i = 0; i < count; ++i)
      ++scratch.row_begin[low_rows[i]];
    std::uint64_t sum = 0;
    for (std::uint64_t& place : scratch.row_begin)
      sum += std::exchange(place, sum);
    for (std::size_t i = 0; i < count; ++i) {
      scratch.items[scratch.row_begin[low_rows[i]]++] = get(begin + i);
    }
  }

  [[nodiscard]] Item get(std::size_t at) const {
    const auto key = static_cast<std::uint32_t>(buckets_.keys[at]);
    if constexpr (Item::has_weight) {
      return {key, buckets_.weights[at]};
    } else {
      return {key};
    }
  }

  void put(std::size_t at, Item item) {
    buckets_.keys[at] = static_cast<std::int32_t>(item.key);
    if constexpr (Item::has_weight) buckets_.weights[at] = item.weight;
  }

  Buckets& buckets_;
  const Plan& plan_;
  std::vector<EdgeOffset>& row_ptr_;
};

template <typename Item>
SortedRows sort_buckets(Buckets&& buckets, const Plan& plan, const Places& places) {
  SortedRows rows;
  rows.row_ptr.resize(static_cast<std::size_t>(plan.num_rows) + 1);
  BucketSort<Item> sort(buckets, plan, rows.row_ptr);
  tbb::enumerable_thread_specific<Scratch<Item>> scratch;
  parallel_for_each(static_cast<std::int64_t>(plan.num_buckets), 1, [&](std::int64_t index) {
    const auto bucket = static_cast<std::size_t>(index);
    sort(bucket, places.bucket_begin[bucket], places.bucket_begin[bucket + 1], scratch.local());
  });
  rows.keys = std::move(buckets.keys);
  rows.weights = std::move(buckets.weights);
  return rows;
}

}  // namespace

SortedRows sort_rows(EdgeList&& edges, ExpandArc expand) {
  const ListSource source(edges);
  const Plan plan =
      make_plan(edges.arcs.size(), edges.num_vertices, expand.add_reverse_arcs ? 2 : 1);
  Places places = find_places(source, expand, plan);
  const bool weighted = !edges.weights.empty();
  Buckets buckets = weighted ? distribute<true>(source, expand, plan, places)
                             : distribute<false>(source, expand, plan, places);
  edges = EdgeList{edges.num_vertices, {}, {}};  // before the sort takes memory of its own
  return weighted ? sort_buckets<WeightedKey>(std::move(buckets), plan, places)
                  : sort_buckets<PlainKey>(std::move(buckets), plan, places);
}

SortedRows sort_transposed_rows(const CsrView& graph) {
  const TransposedSource source(graph);
  const Plan plan = make_plan(graph.col_idx.size(), graph.num_vertices(), 1);
  Places places = find_places(source, {}, plan);
  if (graph.is_weighted()) {
    return sort_buckets<WeightedKey>(distribute<true>(source, {}, plan, places), plan, places);
  }
  return sort_buckets<PlainKey>(distribute<false>(source, {}, plan, places), plan, places);
}

}  // namespace weft::graph
