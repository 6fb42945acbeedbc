// SPDX-License-Identifier: MIT
// Builds an aggregation row by row, then sorts each row by column.
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

/// Appends row v to both matrices, the loop where one is due, in the order of the part's arcs.
void append_row(const partition::Part& part,
                const Coefficients& coefficients,
                LocalId v,
                Aggregation& result) {
  const EdgeOffset begin = part.graph.row_ptr[static_cast<std::size_t>(v)];
  const EdgeOffset end = part.graph.row_ptr[static_cast<std::size_t>(v) + 1];
  if (coefficients.adds_loop(v)) append(result.owned, v, coefficients.of(1.0, v, v));
  for (EdgeOffset e = begin; e < end; ++e) {
    const auto index = static_cast<std::size_t>(e);
    const LocalId u = part.graph.col_idx[index];
    const double weight =
        part.graph.edge_weight.empty() ? 1.0 : static_cast<double>(part.graph.edge_weight[index]);
    if (u >= part.num_owned()) {
      append(result.halo, u - part.num_owned(), coefficients.of(weight, u, v));
    } else {
      append(result.owned, u, coefficients.of(weight, u, v));
    }
  }
  end_row(result.owned);
  end_row(result.halo);
}

/// Sorts the entries of each row by column; repeated columns keep their order.
void sort_rows(SparseMatrix& matrix) {
  std::vector<std::pair<LocalId, Real>> row;
  for (std::int64_t r = 0; r < matrix.num_rows; ++r) {
    const auto begin = static_cast<std::size_t>(matrix.row_ptr[static_cast<std::size_t>(r)]);
    const auto end = static_cast<std::size_t>(matrix.row_ptr[static_cast<std::size_t>(r) + 1]);
    row.clear();
    for (std::size_t e = begin; e < end; ++e)
      row.emplace_back(matrix.col_idx[e], matrix.values[e]);
    std::ranges::stable_sort(row, {}, &std::pair<LocalId, Real>::first);
    for (std::size_t e = begin; e < end; ++e) {
      matrix.col_idx[e] = row[e - begin].first;
      matrix.values[e] = row[e - begin].second;
    }
  }
}

}  // namespace

Aggregation build_aggregation(const partition::Part& part, const AggregationOptions& options) {
  Aggregation result;
  result.owned.num_rows = result.owned.num_columns = part.num_owned();
  result.halo.num_rows = part.num_owned();
  result.halo.num_columns = part.num_halo();
  const Coefficients coefficients(part, options);
  for (LocalId v = 0; v < part.num_owned(); ++v)
    append_row(part, coefficients, v, result);
  sort_rows(result.owned);
  result.owned_transposed = kernels::transpose(result.owned.view());
  const SparseMatrix& transposed = result.owned_transposed;
  result.owned_is_symmetric = result.owned.row_ptr == transposed.row_ptr &&
                              result.owned.col_idx == transposed.col_idx &&
                              result.owned.values == transposed.values;
  if (result.owned_is_symmetric) result.owned_transposed = {};
  return result;
}

}  // namespace weft::layers
