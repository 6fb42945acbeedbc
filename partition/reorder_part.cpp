// SPDX-License-Identifier: MIT
#include "partition/reorder_part.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "graph/support/error.hpp"

namespace weft::partition {

namespace {

/// values[order[i]] at place i; what follows the ordered rows stays where it is.
template <typename T>
std::vector<T> ordered(const std::vector<T>& values, std::span<const LocalId> order) {
  std::vector<T> result(values);
  for (std::size_t i = 0; i < order.size(); ++i)
    result[i] = values[static_cast<std::size_t>(order[i])];
  return result;
}

/// The same for borrowed rows of `width` numbers; the copy is kept alive by `rows`.
template <typename T>
std::span<const T> ordered_rows(std::span<const T> values,
                                std::span<const LocalId> order,
                                PartRows& rows) {
  if (values.empty() || order.empty()) return values;
  const std::size_t width = values.size() / order.size();
  auto copy = std::make_shared<std::vector<T>>();
  copy->reserve(values.size());
  for (const LocalId row : order) {
    const auto from = values.subspan(static_cast<std::size_t>(row) * width, width);
    copy->insert(copy->end(), from.begin(), from.end());
  }
  rows.storage.push_back(copy);
  return *copy;
}

/// Splits lie one after the other, [num_splits x num_owned].
std::span<const std::int8_t> ordered_splits(std::span<const std::int8_t> splits,
                                            std::span<const LocalId> order,
                                            PartRows& rows) {
  if (splits.empty() || order.empty()) return splits;
  auto copy = std::make_shared<std::vector<std::int8_t>>();
  copy->reserve(splits.size());
  for (std::size_t begin = 0; begin < splits.size(); begin += order.size()) {
    for (const LocalId row : order)
      copy->push_back(splits[begin + static_cast<std::size_t>(row)]);
  }
  rows.storage.push_back(copy);
  return *copy;
}

LocalGraph ordered_graph(const LocalGraph& graph,
                         std::span<const LocalId> order,
                         std::span<const LocalId> new_id) {
  LocalGraph result;
  result.row_ptr.reserve(graph.row_ptr.size());
  result.col_idx.reserve(graph.col_idx.size());
  result.edge_weight.reserve(graph.edge_weight.size());
  for (const LocalId row : order) {
    const auto begin = static_cast<std::size_t>(graph.row_ptr[static_cast<std::size_t>(row)]);
    const auto end = static_cast<std::size_t>(graph.row_ptr[static_cast<std::size_t>(row) + 1]);
    for (std::size_t e = begin; e < end; ++e) {
      const auto u = static_cast<std::size_t>(graph.col_idx[e]);
      result.col_idx.push_back(u < new_id.size() ? new_id[u] : graph.col_idx[e]);
      if (!graph.edge_weight.empty()) result.edge_weight.push_back(graph.edge_weight[e]);
    }
    result.row_ptr.push_back(static_cast<EdgeOffset>(result.col_idx.size()));
  }
  return result;
}

}  // namespace

void reorder_owned(Part& part, std::span<const LocalId> order) {
  WEFT_ASSERT(std::ssize(order) == part.num_owned());
  std::vector<LocalId> new_id(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    new_id[static_cast<std::size_t>(order[i])] = static_cast<LocalId>(i);
  part.graph = ordered_graph(part.graph, order, new_id);
  part.global_ids = ordered(part.global_ids, order);
  part.in_degree = ordered(part.in_degree, order);
  part.has_loop = ordered(part.has_loop, order);
  for (LocalId& row : part.plan.send_rows)
    row = new_id[static_cast<std::size_t>(row)];
  PartRows& rows = part.rows;
  rows.labels = ordered_rows(rows.labels, order, rows);
  rows.multi_labels = ordered_rows(rows.multi_labels, order, rows);
  rows.targets = ordered_rows(rows.targets, order, rows);
  rows.splits = ordered_splits(rows.splits, order, rows);
}

}  // namespace weft::partition
