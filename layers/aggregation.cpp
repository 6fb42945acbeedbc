// SPDX-License-Identifier: MIT
// Builds an aggregation row by row: loops are woven in at their place in the order of global ids.
#include "layers/aggregation.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "graph/normalization.hpp"

namespace weft::layers {

namespace {

using kernels::SparseMatrix;

/// Coefficients of arcs, from the global degrees of both ends.
class Coefficients {
 public:
  Coefficients(const partition::Part& part, const AggregationOptions& options)
      : part_(part), options_(options) {}

  [[nodiscard]] bool adds_loop(LocalId v) const {
    return options_.add_self_loops && part_.has_loop[static_cast<std::size_t>(v)] == 0;
  }

  [[nodiscard]] Real of(double weight, LocalId source, LocalId destination) const {
    switch (options_.normalization) {
      case Normalization::symmetric:
        return static_cast<Real>(
            graph::symmetric_coefficient(weight, degree(source), degree(destination)));
      case Normalization::mean: {
        const double sum = degree(destination);
        return sum > 0 ? static_cast<Real>(weight / sum) : Real{0};
      }
      case Normalization::sum:
        break;
    }
    return static_cast<Real>(weight);
  }

 private:
  [[nodiscard]] double degree(LocalId v) const {
    return part_.in_degree[static_cast<std::size_t>(v)] + (adds_loop(v) ? 1.0 : 0.0);
  }

  const partition::Part& part_;
  const AggregationOptions& options_;
};

void append(SparseMatrix& matrix, LocalId column, Real value) {
  matrix.col_idx.push_back(column);
  matrix.values.push_back(value);
}

void end_row(SparseMatrix& matrix) {
  matrix.row_ptr.push_back(static_cast<EdgeOffset>(matrix.col_idx.size()));
}

/// Appends row v to `owned` and, for a boundary row, to `halo`.
void append_row(const partition::Part& part,
                const Coefficients& coefficients,
                LocalId v,
                Aggregation& result) {
  const auto global = [&](LocalId u) { return part.global_ids[static_cast<std::size_t>(u)]; };
  const EdgeOffset begin = part.graph.row_ptr[static_cast<std::size_t>(v)];
  const EdgeOffset end = part.graph.row_ptr[static_cast<std::size_t>(v) + 1];
  bool loop_pending = coefficients.adds_loop(v);
  const auto append_loop = [&] {
    append(result.owned, v, coefficients.of(1.0, v, v));
    loop_pending = false;
  };
  for (EdgeOffset e = begin; e < end; ++e) {
    const auto index = static_cast<std::size_t>(e);
    const LocalId u = part.graph.col_idx[index];
    const double weight =
        part.graph.edge_weight.empty() ? 1.0 : static_cast<double>(part.graph.edge_weight[index]);
    const bool is_halo = u >= part.num_owned();
    if (loop_pending && (is_halo || global(u) > global(v))) append_loop();
    if (is_halo) {
      append(result.halo, u - part.num_owned(), coefficients.of(weight, u, v));
    } else {
      append(result.owned, u, coefficients.of(weight, u, v));
    }
  }
  if (loop_pending) append_loop();
  end_row(result.owned);
  if (v >= part.num_interior) end_row(result.halo);
}

/// Sorts the entries of each row by the global id of their column: a backward row then sums in the
/// same order as a forward row.
void sort_rows_by_global_id(SparseMatrix& matrix, std::span<const GlobalId> global_ids) {
  std::vector<std::pair<LocalId, Real>> row;
  for (std::int64_t r = 0; r < matrix.num_rows; ++r) {
    const auto begin = static_cast<std::size_t>(matrix.row_ptr[static_cast<std::size_t>(r)]);
    const auto end = static_cast<std::size_t>(matrix.row_ptr[static_cast<std::size_t>(r) + 1]);
    row.clear();
    for (std::size_t e = begin; e < end; ++e)
      row.emplace_back(matrix.col_idx[e], matrix.values[e]);
    std::sort(row.begin(), row.end(), [&](const auto& a, const auto& b) {
      return global_ids[static_cast<std::size_t>(a.first)] <
             global_ids[static_cast<std::size_t>(b.first)];
    });
    for (std::size_t e = begin; e < end; ++e) {
      matrix.col_idx[e] = row[e - begin].first;
      matrix.values[e] = row[e - begin].second;
    }
  }
}

}  // namespace

Aggregation build_aggregation(const partition::Part& part, const AggregationOptions& options) {
  Aggregation result;
  result.num_interior = part.num_interior;
  result.owned.num_rows = result.owned.num_columns = part.num_owned();
  result.halo.num_rows = part.num_boundary;
  result.halo.num_columns = part.num_halo();
  const Coefficients coefficients(part, options);
  for (LocalId v = 0; v < part.num_owned(); ++v)
    append_row(part, coefficients, v, result);
  result.owned_transposed = kernels::transpose(result.owned.view());
  sort_rows_by_global_id(result.owned_transposed, part.global_ids);
  const SparseMatrix& transposed = result.owned_transposed;
  result.owned_is_symmetric = result.owned.row_ptr == transposed.row_ptr &&
                              result.owned.col_idx == transposed.col_idx &&
                              result.owned.values == transposed.values;
  if (result.owned_is_symmetric) result.owned_transposed = {};
  result.halo_transposed = kernels::transpose(result.halo.view());
  sort_rows_by_global_id(
      result.halo_transposed,
      std::span(part.global_ids).subspan(static_cast<std::size_t>(part.num_interior)));
  return result;
}

}  // namespace weft::layers
