// SPDX-License-Identifier: MIT
// Feature scaling: row factors keep sparse features sparse, standardization makes them dense.
#include "trainer/input_features.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "kernels/bfloat16.hpp"

namespace weft::trainer {

namespace {

using datasets::FeatureView;
using kernels::Matrix;

/// What a row is multiplied by, from its values.
template <typename Values>
double row_factor(const Values& values, FeatureScaling scaling) {
  double sum = 0;
  for (const float value : values) {
    const auto x = static_cast<double>(value);
    sum += scaling == FeatureScaling::row_l2 ? x * x : std::abs(x);
  }
  if (scaling == FeatureScaling::row_l2) sum = std::sqrt(sum);
  return sum > 0 ? 1.0 / sum : 1.0;
}

bool scales_rows(FeatureScaling scaling) {
  return scaling == FeatureScaling::row_sum || scaling == FeatureScaling::row_l2;
}

/// The values of row `r`: all columns of a dense row, the stored ones of a sparse row.
std::span<const float> row_values(const FeatureView& features, std::int64_t r) {
  const auto row = static_cast<std::size_t>(r);
  if (features.is_sparse()) {
    const auto begin = static_cast<std::size_t>(features.row_ptr[row]);
    const auto end = static_cast<std::size_t>(features.row_ptr[row + 1]);
    return features.values.subspan(begin, end - begin);
  }
  const auto width = static_cast<std::size_t>(features.num_columns);
  return features.dense.subspan(row * width, width);
}

Matrix to_dense(const FeatureRows& rows) {
  const FeatureView& features = rows.features;
  Matrix dense(features.num_rows, features.num_columns);
  dense.fill(0);
  for (std::int64_t r = 0; r < features.num_rows; ++r) {
    const std::int64_t source = rows.source(r);
    const std::span<const float> values = row_values(features, source);
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::int64_t column = static_cast<std::int64_t>(i);
      if (features.is_sparse()) {
        const auto begin =
            static_cast<std::size_t>(features.row_ptr[static_cast<std::size_t>(source)]);
        column = features.col_idx[begin + i];
      }
      dense.at(r, column) = static_cast<Real>(values[i]);
    }
  }
  return dense;
}

Matrix scaled_dense(const FeatureRows& rows, FeatureScaling scaling) {
  Matrix dense = to_dense(rows);
  if (!scales_rows(scaling)) return dense;
  for (std::int64_t r = 0; r < dense.num_rows(); ++r) {
    const double factor = row_factor(row_values(rows.features, rows.source(r)), scaling);
    for (std::int64_t c = 0; c < dense.num_columns(); ++c) {
      dense.at(r, c) = static_cast<Real>(static_cast<double>(dense.at(r, c)) * factor);
    }
  }
  return dense;
}

kernels::SparseMatrix scaled_sparse(const FeatureRows& rows, FeatureScaling scaling) {
  const FeatureView& features = rows.features;
  kernels::SparseMatrix sparse;
  sparse.num_rows = features.num_rows;
  sparse.num_columns = features.num_columns;
  sparse.row_ptr.reserve(features.row_ptr.size());
  sparse.col_idx.reserve(features.col_idx.size());
  sparse.values.reserve(features.values.size());
  for (std::int64_t r = 0; r < features.num_rows; ++r) {
    const std::int64_t source = rows.source(r);
    const auto begin = static_cast<std::size_t>(features.row_ptr[static_cast<std::size_t>(source)]);
    const std::span<const float> values = row_values(features, source);
    const double factor = scales_rows(scaling) ? row_factor(values, scaling) : 1.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      sparse.col_idx.push_back(features.col_idx[begin + i]);
      sparse.values.push_back(static_cast<Real>(static_cast<double>(values[i]) * factor));
    }
    sparse.row_ptr.push_back(static_cast<EdgeOffset>(sparse.col_idx.size()));
  }
  return sparse;
}

/// Sum over the training rows of all ranks of f(row, column), and the number of those rows last.
template <typename Function>
std::vector<double> training_sums(comm::Communicator& communicator,
                                  const Matrix& x,
                                  std::span<const std::int8_t> split,
                                  const Function& function) {
  std::vector<double> sums(static_cast<std::size_t>(x.num_columns()) + 1, 0.0);
  for (std::int64_t r = 0; r < x.num_rows(); ++r) {
    if (split[static_cast<std::size_t>(r)] != static_cast<std::int8_t>(datasets::SplitRole::train))
      continue;
    for (std::int64_t c = 0; c < x.num_columns(); ++c) {
      sums[static_cast<std::size_t>(c)] += function(r, c);
    }
    sums.back() += 1;
  }
  communicator.all_reduce_sum(std::span<double>(sums));
  return sums;
}

/// Two passes: the variance is summed around the mean, never as a difference of squares.
FeatureStatistics fit_statistics(comm::Communicator& communicator,
                                 const Matrix& x,
                                 std::span<const std::int8_t> split) {
  const auto value = [&](std::int64_t r, std::int64_t c) {
    return static_cast<double>(x.at(r, c));
  };
  FeatureStatistics result;
  result.mean = training_sums(communicator, x, split, value);
  const double count = std::max(result.mean.back(), 1.0);
  for (double& m : result.mean)
    m /= count;
  result.deviation = training_sums(communicator, x, split, [&](std::int64_t r, std::int64_t c) {
    const double difference = value(r, c) - result.mean[static_cast<std::size_t>(c)];
    return difference * difference;
  });
  for (double& square : result.deviation)
    square = std::sqrt(square / count);
  result.mean.pop_back();
  result.deviation.pop_back();
  return result;
}

void standardize(Matrix& x, const FeatureStatistics& statistics) {
  for (std::int64_t r = 0; r < x.num_rows(); ++r) {
    for (std::int64_t c = 0; c < x.num_columns(); ++c) {
      const auto column = static_cast<std::size_t>(c);
      const double deviation = statistics.deviation[column];
      const double centered = static_cast<double>(x.at(r, c)) - statistics.mean[column];
      x.at(r, c) = static_cast<Real>(deviation > 0 ? centered / deviation : centered);
    }
  }
}

void check_features(const FeatureView& features, const FeatureStatistics& given) {
  if (features.empty()) {
    throw InputError(
        "dataset: it has no features, and a model needs some; import it again with --features "
        "FILE (.npy, .npz or .mtx)");
  }
  if (!given.empty() && std::ssize(given.mean) != features.num_columns) {
    throw InputError(text("dataset: it has ", features.num_columns,
                          " features, but the model was trained on ", given.mean.size(),
                          "; give it the features that it knows"));
  }
}

}  // namespace

layers::LayerInput InputFeatures::input() {
  if (sparse.has_value()) return {{}, &*sparse};
  return {dense.view(), nullptr};
}

void InputFeatures::store_as(kernels::Storage storage) {
  if (storage == kernels::Storage::real || sparse.has_value()) return;
  Matrix rounded(dense.num_rows(), dense.num_columns(), storage);
  for (std::int64_t r = 0; r < dense.num_rows(); ++r) {
    const Real* from = std::as_const(dense).view().row(r);
    std::transform(from, from + dense.num_columns(), rounded.view().row_bf16(r),
                   [](Real value) { return kernels::to_bf16(static_cast<float>(value)); });
  }
  dense = std::move(rounded);
}

InputFeatures prepare_features(comm::Communicator& communicator,
                               const FeatureRows& rows,
                               FeatureScaling scaling,
                               const FeatureStatistics& given) {
  const FeatureView& features = rows.features;
  comm::agree_on_errors(communicator, [&] { check_features(features, given); });
  InputFeatures result;
  if (features.is_sparse() && scaling != FeatureScaling::standard) {
    result.sparse.emplace(scaled_sparse(rows, scaling));
    return result;
  }
  result.dense = scaled_dense(rows, scaling);
  if (scaling == FeatureScaling::standard) {
    result.statistics =
        given.empty() ? fit_statistics(communicator, result.dense, rows.split) : given;
    standardize(result.dense, result.statistics);
  }
  return result;
}

}  // namespace weft::trainer
