// SPDX-License-Identifier: MIT
// From arcs in any order to compressed sparse rows.
//
// Rules: arcs stay as written (rows are destinations); repeats of one arc are merged; with
// `add_reverse_arcs` every arc gets its reverse, and where both directions were written each is
// merged on its own before both get the larger weight. So building twice changes nothing, and a
// loop, its own reverse, keeps its weight. Nothing depends on the number of threads.
//
// The template at the end is written once for every device. It uses a policy of a few parallel
// operations on contiguous arrays; the functors that it hands over are constexpr and hold
// pointers only, so a device compiler can take them too. A policy offers
//   Array<T>                    owns T's contiguously: size(), data(), operator[] inside functors
//   make<T>(count)              an Array of zeros
//   for_each(count, f)          f(i) for all i < count, in any order
//   sum<Total>(count, f)        sum of f(i); Total adds integers, so the order does not matter
//   offsets(counts)             exclusive running sum in place, the last element gets the total
//   sort_rows(edges, expand)    what graph/row_sort.hpp says, in Arrays of the policy
//   mark(flag)                  flag = 1, by many threads at once
//   to_host(array)              a std::vector of the array's elements
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "graph/csr_graph.hpp"
#include "graph/edge_list.hpp"
#include "graph/row_sort.hpp"
#include "graph/support/timing.hpp"

namespace weft::graph {

/// What becomes of an arc that was written more than once.
enum class Repeats {
  sum,       ///< one arc with the sum of the weights; an unweighted arc weighs 1
  keep_one,  ///< the first one written
};

enum class Loops { keep, drop };

struct BuildOptions {
  bool add_reverse_arcs = false;  ///< make the graph undirected
  Repeats repeats = Repeats::sum;
  Loops loops = Loops::keep;
};

/// What was found while building. Counts refer to the arcs as read, before reverses are added.
struct BuildReport {
  std::int64_t arcs_read = 0;
  std::int64_t self_loops = 0;         ///< arcs read whose ends are the same vertex
  std::int64_t repeated_arcs = 0;      ///< arcs read beyond the first of the same (source,
                                       ///< destination); dropped loops do not count
  std::int64_t one_way_arcs = 0;       ///< distinct arcs read, loops aside, without their reverse
  std::int64_t isolated_vertices = 0;  ///< vertices of the result without any arc, in or out
  std::int64_t num_edges = 0;          ///< arcs of the result
  bool weighted = false;               ///< some weight of the result is not 1
};

/// Builds a graph on the CPU, with oneTBB. Frees the edge list as early as it can.
///
/// Shapes   result: rows sorted by column, columns distinct; no weights where all are 1
/// Cost     O(arcs) time for rows of bounded length; memory at its peak 18 bytes an arc (22 with
///          add_reverse_arcs, the list's own 8 included), 8 more an entry if weighted
/// Errors   InputError if a vertex is outside [0, num_vertices), there are too many vertices, or
///          weights and arcs differ in number
[[nodiscard]] CsrGraph build_csr(EdgeList&& edges,
                                 const BuildOptions& options = {},
                                 BuildReport* report = nullptr,
                                 const ProgressCallback& progress = {});

namespace detail {

/// All entries of one column in one row.
struct EntryGroup {
  EdgeOffset end = 0;
  std::int32_t column = 0;
  std::int64_t num_written = 0;
  std::int64_t num_reversed = 0;
  float weight = 1.0F;
};

/// Reads groups from sorted entries.
struct GroupReader {
  const std::int32_t* keys = nullptr;
  const float* weights = nullptr;  ///< null where every entry weighs 1
  bool sum_repeats = true;

  /// Merged weight of entries [begin, end) of one direction; 0 entries must not be asked for.
  [[nodiscard]] constexpr float merged(EdgeOffset begin, EdgeOffset end) const {
    if (weights == nullptr) return sum_repeats ? static_cast<float>(end - begin) : 1.0F;
    double sum = static_cast<double>(weights[begin]);
    for (EdgeOffset e = begin + 1; e < end && sum_repeats; ++e) {
      sum += static_cast<double>(weights[e]);
    }
    return static_cast<float>(sum);
  }

  /// The group that begins at `begin`, in a row that ends at `row_end`.
  [[nodiscard]] constexpr EntryGroup at(EdgeOffset begin, EdgeOffset row_end) const {
    const auto first = static_cast<std::uint32_t>(keys[begin]);
    const auto column = static_cast<std::int32_t>(first >> 1);
    const bool alone =
        begin + 1 == row_end || (first ^ static_cast<std::uint32_t>(keys[begin + 1])) > 1;
    if (alone) {  // nearly all groups
      const std::int64_t num_reversed = first & 1U;
      return {begin + 1, column, 1 - num_reversed, num_reversed,
              weights == nullptr ? 1.0F : weights[begin]};
    }
    const std::uint32_t key = first & ~1U;
    EdgeOffset split = begin;
    while (split < row_end && static_cast<std::uint32_t>(keys[split]) == key)
      ++split;
    EdgeOffset end = split;
    while (end < row_end && static_cast<std::uint32_t>(keys[end]) == key + 1)
      ++end;
    EntryGroup group{end, column, split - begin, end - split, 0.0F};
    if (split == begin) {
      group.weight = merged(split, end);
    } else if (split == end) {
      group.weight = merged(begin, split);
    } else {
      group.weight = std::max(merged(begin, split), merged(split, end));
    }
    return group;
  }
};

/// Counts over rows that decide how the result is stored, and fill the report.
struct RowTotals {
  std::int64_t written = 0;  ///< entries that are arcs as read
  std::int64_t groups = 0;
  std::int64_t loops = 0;
  std::int64_t repeats = 0;
  std::int64_t one_way = 0;
  std::int64_t not_one = 0;  ///< groups whose weight is not 1
  std::int64_t empty_rows = 0;

  constexpr RowTotals& operator+=(const RowTotals& other) {
    written += other.written;
    groups += other.groups;
    loops += other.loops;
    repeats += other.repeats;
    one_way += other.one_way;
    not_one += other.not_one;
    empty_rows += other.empty_rows;
    return *this;
  }
};

/// Totals of row v; its number of groups goes to counts[v].
struct ExamineRow {
  GroupReader reader;
  const EdgeOffset* row_ptr;
  EdgeOffset* counts;

  constexpr RowTotals operator()(std::int64_t v) const {
    RowTotals totals;
    for (EdgeOffset e = row_ptr[v]; e < row_ptr[v + 1];) {
      const EntryGroup group = reader.at(e, row_ptr[v + 1]);
      const bool is_loop = group.column == static_cast<std::int32_t>(v);
      totals.written += group.num_written;
      totals.groups += 1;
      totals.loops += is_loop ? group.num_written : 0;
      totals.repeats += group.num_written > 1 ? group.num_written - 1 : 0;
      totals.one_way += !is_loop && group.num_written > 0 && group.num_reversed == 0 ? 1 : 0;
      totals.not_one += group.weight == 1.0F ? 0 : 1;
      e = group.end;
    }
    totals.empty_rows = totals.groups == 0 ? 1 : 0;
    counts[v] = totals.groups;
    return totals;
  }
};

/// Writes the groups of row v to their place in the merged arrays.
struct MergeRow {
  GroupReader reader;
  const EdgeOffset* row_ptr;
  const EdgeOffset* merged_ptr;
  std::int32_t* col_idx;
  float* edge_weight;  ///< null where the result has no weights

  constexpr void operator()(std::int64_t v) const {
    EdgeOffset to = merged_ptr[v];
    for (EdgeOffset e = row_ptr[v]; e < row_ptr[v + 1]; ++to) {
      const EntryGroup group = reader.at(e, row_ptr[v + 1]);
      col_idx[to] = group.column;
      if (edge_weight != nullptr) edge_weight[to] = group.weight;
      e = group.end;
    }
  }
};

/// Turns a key into its column where nothing has to be merged.
struct KeyToColumn {
  std::int32_t* keys;
  constexpr void operator()(std::int64_t e) const {
    keys[e] = static_cast<std::int32_t>(static_cast<std::uint32_t>(keys[e]) >> 1);
  }
};

/// Number of arcs u -> v with u > v in row v whose reverse is there too.
struct CountReciprocal {
  const EdgeOffset* row_ptr;
  const std::int32_t* col_idx;

  constexpr std::int64_t operator()(std::int64_t v) const {
    std::int64_t count = 0;
    for (EdgeOffset e = row_ptr[v + 1]; e > row_ptr[v] && col_idx[e - 1] > v; --e) {
      const std::int32_t u = col_idx[e - 1];
      const std::int32_t* row_end = col_idx + row_ptr[u + 1];
      const std::int32_t* found = std::lower_bound(col_idx + row_ptr[u], row_end, v);
      count += found != row_end && *found == v ? 1 : 0;
    }
    return count;
  }
};

/// Marks the sources of row v, and v itself unless its row is empty.
template <typename Policy>
struct MarkTouched {
  const EdgeOffset* row_ptr;
  const std::int32_t* col_idx;
  std::uint8_t* touched;

  constexpr void operator()(std::int64_t v) const {
    if (row_ptr[v] < row_ptr[v + 1]) Policy::mark(touched[v]);
    for (EdgeOffset e = row_ptr[v]; e < row_ptr[v + 1]; ++e)
      Policy::mark(touched[col_idx[e]]);
  }
};

struct IsZero {
  const std::uint8_t* flags;
  constexpr std::int64_t operator()(std::int64_t i) const { return flags[i] == 0 ? 1 : 0; }
};

/// The result while it lies in the policy's arrays.
template <typename Policy>
struct MergedRows {
  typename Policy::template Array<EdgeOffset> row_ptr;
  typename Policy::template Array<std::int32_t> col_idx;
  typename Policy::template Array<float> edge_weight;
};

/// Keeps sorted rows as they are where no two entries share a column, else merges them into
/// arrays of their own, which fit exactly.
template <typename Policy, typename Rows>
MergedRows<Policy> merge_rows(Policy& policy,
                              Rows&& rows,
                              const ExamineRow& examine,
                              typename Policy::template Array<EdgeOffset>&& counts,
                              const RowTotals& totals) {
  const auto num_rows = static_cast<std::int64_t>(rows.row_ptr.size()) - 1;
  const auto num_entries = static_cast<std::int64_t>(rows.keys.size());
  const bool weighted = totals.not_one > 0;
  MergedRows<Policy> merged;
  if (totals.groups == num_entries) {
    policy.for_each(num_entries, KeyToColumn{rows.keys.data()});
    merged.row_ptr = std::move(rows.row_ptr);
    merged.col_idx = std::move(rows.keys);
    if (weighted) merged.edge_weight = std::move(rows.weights);
    return merged;
  }
  policy.offsets(counts);
  merged.row_ptr = std::move(counts);
  merged.col_idx = policy.template make<std::int32_t>(totals.groups);
  merged.edge_weight = policy.template make<float>(weighted ? totals.groups : 0);
  policy.for_each(num_rows,
                  MergeRow{examine.reader, examine.row_ptr, merged.row_ptr.data(),
                           merged.col_idx.data(), weighted ? merged.edge_weight.data() : nullptr});
  return merged;
}

/// Fills what a build without reverse arcs can tell only from the finished rows.
template <typename Policy>
void examine_directed(Policy& policy, const MergedRows<Policy>& merged, BuildReport& report) {
  const auto num_vertices = static_cast<std::int64_t>(merged.row_ptr.size()) - 1;
  const EdgeOffset* row_ptr = merged.row_ptr.data();
  const std::int32_t* col_idx = merged.col_idx.data();
  report.one_way_arcs -=
      2 * policy.template sum<std::int64_t>(num_vertices, CountReciprocal{row_ptr, col_idx});
  auto touched = policy.template make<std::uint8_t>(num_vertices);
  policy.for_each(num_vertices, MarkTouched<Policy>{row_ptr, col_idx, touched.data()});
  report.isolated_vertices =
      policy.template sum<std::int64_t>(num_vertices, IsZero{touched.data()});
}

}  // namespace detail

/// `build_csr` with the operations of `policy`.
template <typename Policy>
CsrGraph build_csr_with(Policy& policy,
                        EdgeList&& edges,
                        const BuildOptions& options,
                        BuildReport* report,
                        const ProgressCallback& progress) {
  const std::int64_t num_vertices = edges.num_vertices;
  const auto arcs_read = static_cast<std::int64_t>(edges.arcs.size());
  const bool drop_loops = options.loops == Loops::drop;
  report_progress(progress, "sort arcs into rows", 0.0);
  auto rows = policy.sort_rows(std::move(edges), ExpandArc{options.add_reverse_arcs, drop_loops});
  report_progress(progress, "merge repeated arcs", 0.0);
  auto counts = policy.template make<EdgeOffset>(num_vertices + 1);
  const float* weights = rows.weights.size() > 0 ? rows.weights.data() : nullptr;
  const detail::ExamineRow examine{{rows.keys.data(), weights, options.repeats == Repeats::sum},
                                   rows.row_ptr.data(),
                                   counts.data()};
  const auto totals = policy.template sum<detail::RowTotals>(num_vertices, examine);
  auto merged = detail::merge_rows(policy, std::move(rows), examine, std::move(counts), totals);
  if (report != nullptr) {
    *report = BuildReport{arcs_read,         drop_loops ? arcs_read - totals.written : totals.loops,
                          totals.repeats,    totals.one_way,
                          totals.empty_rows, totals.groups,
                          totals.not_one > 0};
    if (!options.add_reverse_arcs) detail::examine_directed(policy, merged, *report);
  }
  report_progress(progress, "merge repeated arcs", 1.0);
  CsrGraph graph;
  graph.row_ptr = policy.to_host(std::move(merged.row_ptr));
  graph.col_idx = policy.to_host(std::move(merged.col_idx));
  graph.edge_weight = policy.to_host(std::move(merged.edge_weight));
  return graph;
}

}  // namespace weft::graph
