// SPDX-License-Identifier: MIT
#include "partition/gather_rows.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "partition/indexing.hpp"

namespace weft::partition {
namespace {

using Storage = std::vector<std::shared_ptr<const void>>;

template <typename T>
std::span<const T> keep(Storage& storage, std::vector<T>&& values) {
  auto owner = std::make_shared<const std::vector<T>>(std::move(values));
  const std::span<const T> view(*owner);
  storage.push_back(std::move(owner));
  return view;
}

// Rows of `width` items each; an absent array stays absent.
template <typename T>
std::vector<T> gather(std::span<const T> source,
                      std::span<const GlobalId> vertices,
                      std::int64_t width) {
  if (source.empty()) return {};
  std::vector<T> result(vertices.size() * position(width));
  tbb::parallel_for(std::size_t{0}, vertices.size(), [&](std::size_t i) {
    const auto row = source.subspan(position(vertices[i] * width), position(width));
    std::copy(row.begin(), row.end(), result.begin() + count_of(row) * static_cast<long>(i));
  });
  return result;
}

datasets::FeatureView gather_sparse(Storage& storage,
                                    const datasets::FeatureView& source,
                                    std::span<const GlobalId> vertices) {
  std::vector<std::int64_t> row_ptr(vertices.size() + 1, 0);
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const std::size_t row = position(vertices[i]);
    row_ptr[i + 1] = row_ptr[i] + source.row_ptr[row + 1] - source.row_ptr[row];
  }
  std::vector<std::int32_t> col_idx(position(row_ptr.back()));
  std::vector<float> values(position(row_ptr.back()));
  tbb::parallel_for(std::size_t{0}, vertices.size(), [&](std::size_t i) {
    const std::size_t begin = position(source.row_ptr[position(vertices[i])]);
    const std::size_t count = position(row_ptr[i + 1] - row_ptr[i]);
    std::copy_n(source.col_idx.begin() + static_cast<long>(begin), count,
                col_idx.begin() + row_ptr[i]);
    std::copy_n(source.values.begin() + static_cast<long>(begin), count,
                values.begin() + row_ptr[i]);
  });
  datasets::FeatureView view;
  view.row_ptr = keep(storage, std::move(row_ptr));
  view.col_idx = keep(storage, std::move(col_idx));
  view.values = keep(storage, std::move(values));
  return view;
}

datasets::FeatureView gather_features(Storage& storage,
                                      const datasets::FeatureView& source,
                                      std::span<const GlobalId> vertices) {
  datasets::FeatureView view;
  if (source.is_sparse()) {
    view = gather_sparse(storage, source, vertices);
  } else {
    view.dense = keep(storage, gather(source.dense, vertices, source.num_columns));
  }
  view.num_rows = count_of(vertices);
  view.num_columns = source.num_columns;
  return view;
}

// The splits are one array of num_vertices after another.
std::vector<std::int8_t> gather_splits(const datasets::Dataset& dataset,
                                       std::span<const GlobalId> vertices) {
  std::vector<std::int8_t> result;
  if (dataset.splits.empty()) return result;
  result.reserve(vertices.size() * dataset.split_names.size());
  for (std::size_t split = 0; split < dataset.split_names.size(); ++split) {
    const auto roles = dataset.splits.subspan(split * position(dataset.num_vertices),
                                              position(dataset.num_vertices));
    for (const GlobalId vertex : vertices)
      result.push_back(roles[position(vertex)]);
  }
  return result;
}

}  // namespace

PartRows gather_rows(const datasets::Dataset& dataset, std::span<const GlobalId> vertices) {
  PartRows rows;
  rows.features = gather_features(rows.feature_storage, dataset.features, vertices);
  rows.labels = keep(rows.storage, gather(dataset.labels, vertices, 1));
  rows.multi_labels =
      keep(rows.storage, gather(dataset.multi_labels, vertices, dataset.num_classes));
  rows.targets = keep(rows.storage, gather(dataset.targets, vertices, dataset.num_classes));
  rows.splits = keep(rows.storage, gather_splits(dataset, vertices));
  return rows;
}

}  // namespace weft::partition
