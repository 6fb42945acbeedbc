// SPDX-License-Identifier: MIT
// This rank's input features, scaled as the run asks, dense or sparse.
//
// Scaling is a setting of the run: the dataset keeps the user's values. Statistics run over the
// training vertices of all ranks, so every rank scales alike and no test vertex leaks.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "kernels/matrix.hpp"
#include "layers/input.hpp"
#include "partition/part.hpp"
#include "trainer/config.hpp"

namespace weft::trainer {

/// What `standard` subtracts from and divides each column by, [F] each; empty for other scalings.
/// A model that was trained on scaled features needs the same numbers on any other dataset.
struct FeatureStatistics {
  std::vector<double> mean;
  std::vector<double> deviation;

  [[nodiscard]] bool empty() const { return mean.empty(); }
};

/// Owns one of the two forms.
struct InputFeatures {
  kernels::Matrix dense;                      ///< [num_owned x F], where `sparse` is empty
  std::optional<layers::SparseInput> sparse;  ///< [num_owned x F]
  FeatureStatistics statistics;               ///< that were applied

  [[nodiscard]] layers::LayerInput input();

  /// Rounds dense features to `storage`; sparse ones stay as they are.
  void store_as(kernels::Storage storage);
};

/// The features of a part, read in the order of its owned rows.
struct FeatureRows {
  const datasets::FeatureView& features;  ///< [num_owned x F]
  std::span<const LocalId> order;         ///< [num_owned] row behind each owned row; empty = itself
  std::span<const std::int8_t> split;     ///< [num_owned] codes of datasets::SplitRole, or empty

  [[nodiscard]] std::int64_t source(std::int64_t r) const {
    return order.empty() ? r : order[static_cast<std::size_t>(r)];
  }
};

/// Copies and scales the part's features. Rows that sum to 0 stay 0. `standard` makes sparse
/// features dense (a shifted zero is no zero); columns without variance are only shifted. The
/// statistics of `standard` are fitted on the training vertices unless they are given.
///
/// Shapes   given [F]
/// Cost     O(values); `standard` two all-reduces of F + 1 numbers where it is fitted
/// Errors   InputError where the dataset has no features or another number of them
/// Collective
[[nodiscard]] InputFeatures prepare_features(comm::Communicator& communicator,
                                             const FeatureRows& rows,
                                             FeatureScaling scaling,
                                             const FeatureStatistics& given = {});

}  // namespace weft::trainer
