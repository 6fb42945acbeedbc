// SPDX-License-Identifier: MIT
// This rank's input features, scaled as the run asks, dense or sparse.
//
// Scaling is a setting of the run: the dataset keeps the user's values. Statistics run over the
// training vertices of all ranks, so every rank scales alike and no test vertex leaks.
#pragma once

#include <optional>
#include <span>

#include "comm/communicator.hpp"
#include "kernels/matrix.hpp"
#include "layers/input.hpp"
#include "partition/part.hpp"
#include "trainer/config.hpp"

namespace weft::trainer {

/// Owns one of the two forms.
struct InputFeatures {
  kernels::Matrix dense;                      ///< [num_owned x F], where `sparse` is empty
  std::optional<layers::SparseInput> sparse;  ///< [num_owned x F]

  [[nodiscard]] layers::LayerInput input();
};

/// Copies and scales the part's features. Rows that sum to 0 stay 0. `standard` makes sparse
/// features dense (a shifted zero is no zero); columns without variance are only shifted.
///
/// Shapes   split [num_owned], codes of datasets::SplitRole
/// Cost     O(values); `standard` one all-reduce of 2 F + 1 numbers and another of F
/// Errors   InputError where the dataset has no features
/// Collective
[[nodiscard]] InputFeatures prepare_features(comm::Communicator& communicator,
                                             const partition::Part& part,
                                             std::span<const std::int8_t> split,
                                             FeatureScaling scaling);

}  // namespace weft::trainer
