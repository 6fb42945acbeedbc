// SPDX-License-Identifier: MIT
// The rows, entries and slots of an aggregation that one layer needs in one pass: all of them, or
// those that the loss can reach.
#pragma once

#include <span>
#include <vector>

#include "comm/slot_exchange.hpp"
#include "kernels/row_set.hpp"
#include "kernels/sparse.hpp"
#include "layers/aggregation.hpp"
#include "layers/border.hpp"
#include "layers/reach.hpp"

namespace weft::layers {

/// A row set that owns its list, where it needs one.
class RowList {
 public:
  RowList() = default;
  /// The rows of 0 .. num_rows-1 with is_member(row).
  template <typename Predicate>
  RowList(std::int64_t num_rows, const Predicate& is_member) {
    for (LocalId row = 0; row < num_rows; ++row) {
      if (is_member(row)) rows_.push_back(row);
    }
    is_range_ = rows_.empty() || std::ssize(rows_) == rows_.back() - rows_.front() + 1;
    if (!is_range_) return;
    begin_ = rows_.empty() ? 0 : rows_.front();
    end_ = rows_.empty() ? 0 : rows_.back() + 1;
    rows_ = {};
  }
  /// Borrows; valid as long as this object stays where it is.
  [[nodiscard]] kernels::RowSet set() const {
    return is_range_ ? kernels::RowSet::range(begin_, end_) : kernels::RowSet::of(rows_);
  }

 private:
  std::vector<LocalId> rows_;
  LocalId begin_ = 0;
  LocalId end_ = 0;
  bool is_range_ = true;
};

/// What a matrix with shortened rows needs beside the whole one: the ends of its rows, or, where
/// most entries are left out, a copy of those that stay.
struct CutRows {
  std::vector<EdgeOffset> row_end;
  kernels::SparseMatrix copy;
};

/// Shapes   x and grad_x [num_inputs x dim], y and grad_y [num_outputs x dim]: prefixes of the
///          owned rows. The views borrow the aggregation and the border, or the storage below
struct Scope {
  std::int64_t num_inputs = 0;
  std::int64_t num_outputs = 0;
  kernels::SparseView owned;             ///< [num_outputs x num_inputs]
  kernels::SparseView owned_transposed;  ///< [num_inputs x num_outputs]
  kernels::SparseView halo;              ///< [num_outputs x halo slots]
  kernels::SparseView halo_transposed;   ///< [halo slots x num_outputs]
  kernels::SparseView send;              ///< [send slots x num_inputs]
  kernels::SparseView send_transposed;   ///< [num_inputs x send slots]
  RowList interior;                      ///< outputs that read no halo slot
  RowList boundary;                      ///< outputs that do
  RowList sent;                          ///< inputs that a send slot reads
  RowList kept;                          ///< inputs that none reads
  RowList halo_slots;
  comm::SlotCounts slots;
  CutRows owned_transposed_cut;
  CutRows halo_transposed_cut;
  kernels::SparseMatrix send_transposed_storage;

  Scope() = default;
  Scope(const Scope&) = delete;  // the views point into the object
  Scope& operator=(const Scope&) = delete;
  Scope(Scope&&) = default;  // vectors keep their memory when they move
  Scope& operator=(Scope&&) = default;

  [[nodiscard]] std::int64_t num_sent_slots() const;
};

/// Everything.
[[nodiscard]] Scope whole_scope(const Aggregation& aggregation, const Border& border);

/// What layer `layer` of a pruned training pass needs. Owned rows rise by distance.
[[nodiscard]] Scope layer_scope(const Aggregation& aggregation,
                                const Border& border,
                                const Reach& reach,
                                int layer);

}  // namespace weft::layers
