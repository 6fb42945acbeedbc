// SPDX-License-Identifier: MIT
// A dataset of three vertices with everything that a dataset can have.
#pragma once

#include "datasets/dataset.hpp"

namespace weft::datasets::tests {

/// Arcs 0 -> 1 (weight 2), 1 -> 0 (2), 2 -> 1 (0.5); two features, three classes, two splits.
inline Dataset toy_dataset() {
  Dataset dataset;
  dataset.name = "toy";
  dataset.num_vertices = 3;
  dataset.task = Task::single_label;
  dataset.num_classes = 3;
  dataset.graph.row_ptr = keep(dataset, std::vector<std::int64_t>{0, 1, 3, 3});
  dataset.graph.col_idx = keep(dataset, std::vector<std::int32_t>{1, 0, 2});
  dataset.graph.edge_weight = keep(dataset, std::vector<float>{2, 2, 0.5});
  dataset.features.num_rows = 3;
  dataset.features.num_columns = 2;
  dataset.features.dense = keep(dataset, std::vector<float>{1, 2, 3, 4, 5, 6});
  dataset.labels = keep(dataset, std::vector<std::int32_t>{2, 0, -1});
  dataset.class_names = {"a", "b", "c"};
  dataset.split_names = {"public", "other"};
  dataset.splits = keep(dataset, std::vector<std::int8_t>{0, 1, 2, 0, 0, -1});
  dataset.node_ids.numbers = keep(dataset, std::vector<std::int64_t>{10, 20, 35});
  dataset.provenance = "made by hand";
  return dataset;
}

/// Its features as sparse rows.
inline void make_sparse(Dataset& dataset) {
  dataset.features.dense = {};
  dataset.features.row_ptr = keep(dataset, std::vector<std::int64_t>{0, 1, 1, 3});
  dataset.features.col_idx = keep(dataset, std::vector<std::int32_t>{1, 0, 1});
  dataset.features.values = keep(dataset, std::vector<float>{7, 8, 9});
}

}  // namespace weft::datasets::tests
