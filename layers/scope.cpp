// SPDX-License-Identifier: MIT
// Everything that a scope needs is a prefix: of the rows, of a row's entries, of a peer's slots.
// Only the transpose of the send matrix, in whose rows the slots of all peers mix, and matrices of
// which little is left are copies.
#include "layers/scope.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace weft::layers {

namespace {

using kernels::SparseMatrix;
using kernels::SparseView;

/// Rows 0 .. num_rows-1, of which every entry lies below num_columns.
SparseView first_rows(const SparseMatrix& matrix, std::int64_t num_rows, std::int64_t num_columns) {
  SparseView view = matrix.view();
  view.num_rows = num_rows;
  view.num_columns = num_columns;
  view.row_ptr = view.row_ptr.first(static_cast<std::size_t>(num_rows) + 1);
  const auto num_entries = static_cast<std::size_t>(view.row_ptr.back());
  view.col_idx = view.col_idx.first(num_entries);
  if (!view.values.empty()) view.values = view.values.first(num_entries);
  return view;
}

/// Ends of the rows once the entries from num_columns on are left out.
std::vector<EdgeOffset> cut_ends(const SparseView& view, std::int64_t num_columns) {
  std::vector<EdgeOffset> row_end;
  row_end.reserve(static_cast<std::size_t>(view.num_rows));
  for (std::size_t r = 0; r < static_cast<std::size_t>(view.num_rows); ++r) {
    const auto begin = view.col_idx.begin() + view.row_ptr[r];
    const auto end = view.col_idx.begin() + view.row_ptr[r + 1];
    row_end.push_back(std::lower_bound(begin, end, num_columns) - view.col_idx.begin());
  }
  return row_end;
}

/// The entries of shortened rows, side by side.
SparseMatrix packed(const SparseView& view) {
  SparseMatrix result;
  result.num_rows = view.num_rows;
  result.num_columns = view.num_columns;
  for (std::int64_t r = 0; r < view.num_rows; ++r) {
    const auto begin = view.row_ptr[static_cast<std::size_t>(r)];
    const auto end = view.row_end_of(r);
    result.col_idx.insert(result.col_idx.end(), view.col_idx.begin() + begin,
                          view.col_idx.begin() + end);
    if (!view.values.empty()) {
      result.values.insert(result.values.end(), view.values.begin() + begin,
                           view.values.begin() + end);
    }
    result.row_ptr.push_back(static_cast<EdgeOffset>(result.col_idx.size()));
  }
  return result;
}

/// Rows 0 .. num_rows-1, of each the entries below num_columns. A matrix that keeps a third of its
/// entries or less is copied: what it skips would be read and fetched ahead in vain.
SparseView cut(const SparseMatrix& matrix,
               std::int64_t num_rows,
               std::int64_t num_columns,
               CutRows& storage) {
  SparseView view = first_rows(matrix, num_rows, num_columns);
  if (num_columns == matrix.num_columns) return view;
  storage.row_end = cut_ends(view, num_columns);
  view.row_end = storage.row_end;
  EdgeOffset kept = 0;
  for (std::int64_t r = 0; r < num_rows; ++r)
    kept += view.row_end_of(r) - view.row_ptr[static_cast<std::size_t>(r)];
  if (3 * kept > view.num_nonzeros()) return view;
  storage.copy = packed(view);
  storage.row_end = {};
  return storage.copy.view();
}

/// The slots of each peer whose distance is at most `distance`.
comm::SlotCounts count_slots(const Border& border, std::int32_t distance) {
  comm::SlotCounts counts;
  for (const partition::HaloPeer& peer : border.peers) {
    const std::span<const std::int32_t> halo(border.halo_distance);
    const std::span<const std::int32_t> send(border.send_distance);
    counts.halo.push_back(
        count_within(halo.subspan(static_cast<std::size_t>(peer.halo_begin),
                                  static_cast<std::size_t>(peer.halo_end - peer.halo_begin)),
                     distance));
    counts.send.push_back(
        count_within(send.subspan(static_cast<std::size_t>(peer.send_begin),
                                  static_cast<std::size_t>(peer.send_end - peer.send_begin)),
                     distance));
  }
  return counts;
}

/// The send matrix without the slots that do not travel, transposed.
SparseMatrix transpose_near_slots(const Border& border, std::int32_t distance) {
  SparseMatrix near = border.send;
  std::size_t kept = 0;
  for (std::size_t slot = 0; slot < border.send_distance.size(); ++slot) {
    const bool travels = border.send_distance[slot] <= distance;
    for (auto e = static_cast<std::size_t>(border.send.row_ptr[slot]);
         travels && e < static_cast<std::size_t>(border.send.row_ptr[slot + 1]); ++e) {
      near.col_idx[kept] = border.send.col_idx[e];
      near.values[kept] = border.send.values[e];
      ++kept;
    }
    near.row_ptr[slot + 1] = static_cast<EdgeOffset>(kept);
  }
  near.col_idx.resize(kept);
  near.values.resize(kept);
  return kernels::transpose(near.view());
}

bool has_entries(const SparseView& matrix, LocalId row) {
  return matrix.row_ptr[static_cast<std::size_t>(row)] !=
         matrix.row_ptr[static_cast<std::size_t>(row) + 1];
}

void find_rows(const Border& border, std::int32_t distance, Scope& scope) {
  scope.boundary =
      RowList(scope.num_outputs, [&](LocalId row) { return has_entries(scope.halo, row); });
  scope.interior =
      RowList(scope.num_outputs, [&](LocalId row) { return !has_entries(scope.halo, row); });
  scope.sent = RowList(scope.num_inputs,
                       [&](LocalId row) { return has_entries(scope.send_transposed, row); });
  scope.kept = RowList(scope.num_inputs,
                       [&](LocalId row) { return !has_entries(scope.send_transposed, row); });
  scope.halo_slots = RowList(std::ssize(border.halo_distance), [&](LocalId slot) {
    return border.halo_distance[static_cast<std::size_t>(slot)] <= distance;
  });
}

/// Rows up to `distance` are read, those nearer than that are computed.
Scope make_scope(const Aggregation& a,
                 const Border& border,
                 std::int32_t distance,
                 std::int64_t num_inputs,
                 std::int64_t num_outputs) {
  Scope scope;
  scope.num_inputs = num_inputs;
  scope.num_outputs = num_outputs;
  scope.owned = first_rows(a.owned, num_outputs, num_inputs);
  scope.owned_transposed =
      cut(a.transpose_of_owned(), num_inputs, num_outputs, scope.owned_transposed_cut);
  scope.halo = first_rows(border.halo, num_outputs, border.halo.num_columns);
  scope.halo_transposed = cut(border.halo_transposed, border.halo_transposed.num_rows, num_outputs,
                              scope.halo_transposed_cut);
  scope.slots = count_slots(border, distance);
  scope.send = border.send.view();
  scope.send.num_columns = num_inputs;
  const bool sends_all = std::accumulate(scope.slots.send.begin(), scope.slots.send.end(),
                                         std::int64_t{0}) == border.send.num_rows;
  if (!sends_all) scope.send_transposed_storage = transpose_near_slots(border, distance);
  scope.send_transposed =
      first_rows(sends_all ? border.send_transposed : scope.send_transposed_storage, num_inputs,
                 border.send.num_rows);
  find_rows(border, distance, scope);
  return scope;
}

}  // namespace

std::int64_t Scope::num_sent_slots() const {
  return std::accumulate(slots.send.begin(), slots.send.end(), std::int64_t{0});
}

Scope whole_scope(const Aggregation& aggregation, const Border& border) {
  return make_scope(aggregation, border, std::numeric_limits<std::int32_t>::max(),
                    aggregation.owned.num_rows, aggregation.owned.num_rows);
}

Scope layer_scope(const Aggregation& aggregation,
                  const Border& border,
                  const Reach& reach,
                  int layer) {
  const std::int32_t distance = reach.input_distance(layer);
  return make_scope(aggregation, border, distance, count_within(reach.distance, distance),
                    count_within(reach.distance, distance - 1));
}

}  // namespace weft::layers
