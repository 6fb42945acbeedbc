// SPDX-License-Identifier: MIT
// What a trained model says of each vertex, keyed by the user's own ids.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "datasets/dataset.hpp"
#include "kernels/matrix.hpp"

namespace weft::trainer {

/// Shapes   both [num_vertices], in dataset order
struct Predictions {
  std::vector<std::int32_t> classes;
  std::vector<float> probabilities;  ///< of the predicted class
};

/// The class with the largest logit (the first of equals) and its softmax probability.
///
/// Shapes   logits [num_vertices x classes]
[[nodiscard]] Predictions predict_classes(kernels::ConstMatrixView logits);

/// The ids and names that make predictions readable; empty where the dataset is not at hand.
struct PredictionNames {
  datasets::NodeIds node_ids;
  std::vector<std::string> class_names;
  std::vector<std::shared_ptr<const void>> storage;  ///< keeps what node_ids points to
};

/// Writes `predictions.npy` (int32 [num_vertices], dataset order) and `predictions.csv`
/// (id,class,probability; ids as in the user's file) to `folder`, each atomically.
void write_predictions(const std::filesystem::path& folder,
                       const Predictions& predictions,
                       const PredictionNames& names);

/// Writes `embeddings.npy` (float32 [num_vertices x dim], dataset order) to `folder`.
void write_embeddings(const std::filesystem::path& folder, kernels::ConstMatrixView embeddings);

}  // namespace weft::trainer
