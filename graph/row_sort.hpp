// SPDX-License-Identifier: MIT
// The heavy half of building a CSR: arcs in any order -> rows sorted by column.
//
// A scatter of arcs straight into their rows misses the cache and the TLB at every entry. So
// entries first go to buckets of neighboring rows, written in long pieces, and each bucket is
// then sorted inside the cache. Both steps are stable: equal keys stay in the order of their arcs
// whatever the number of threads, so sums of repeated weights have the same bits.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/csr_graph.hpp"
#include "graph/edge_list.hpp"
#include "graph/support/types.hpp"

namespace weft::graph {

/// Turns an arc into the entries that it adds to rows: itself and, if wanted, its reverse.
/// A key is column * 2 + (1 for a reverse), so that one sort brings a column's entries together,
/// written arcs first.
struct ExpandArc {
  bool add_reverse_arcs = false;
  bool drop_loops = false;

  /// Calls emit(row, key) for each entry.
  template <typename Emit>
  constexpr void operator()(Arc arc, Emit&& emit) const {
    const bool is_loop = arc.source == arc.destination;
    if (is_loop && drop_loops) return;
    emit(arc.destination, static_cast<std::uint32_t>(arc.source) * 2);
    if (add_reverse_arcs && !is_loop) {
      emit(arc.source, static_cast<std::uint32_t>(arc.destination) * 2 + 1);
    }
  }
};

/// Entries of all rows; those of row v are at [row_ptr[v], row_ptr[v + 1]), sorted by key, equal
/// keys in the order of their arcs.
///
/// Shapes   row_ptr [num_vertices + 1], keys [entries] (the bits of uint32 keys, in the type of
///          the columns that they become), weights [entries] or empty
struct SortedRows {
  std::vector<EdgeOffset> row_ptr;
  std::vector<std::int32_t> keys;
  std::vector<float> weights;
};

/// Sorts the entries of all arcs into rows, on the CPU.
///
/// Cost     reads the arcs twice, writes and sorts each entry once; while it runs 8 bytes an arc
///          (12 weighted) and 6 an entry (10 weighted), of which the arcs are freed halfway
/// Errors   InputError as `build_csr`
[[nodiscard]] SortedRows sort_rows(EdgeList&& edges, ExpandArc expand);

/// Sorts the arcs of `graph`, turned round, into rows; keys are columns * 2.
///
/// Cost     reads the graph twice; 6 bytes an arc (10 weighted) beside it while it runs
[[nodiscard]] SortedRows sort_transposed_rows(const CsrView& graph);

}  // namespace weft::graph
