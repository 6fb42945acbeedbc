// SPDX-License-Identifier: MIT
// Predictions to `.npy` for programs and to `.csv` for people.
#include "trainer/predictions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <span>
#include <string_view>

#include "datasets/npy.hpp"
#include "graph/support/files.hpp"

namespace weft::trainer {

namespace {

/// Softmax probability of the largest of `logits`.
float probability_of_largest(std::span<const Real> logits, Real largest) {
  double sum = 0;
  for (const Real logit : logits) {
    sum += std::exp(static_cast<double>(logit) - static_cast<double>(largest));
  }
  return static_cast<float>(1.0 / sum);
}

/// A CSV field: quoted where it holds a comma, a quote or a line end (RFC 4180).
std::string csv_field(const std::string& value) {
  if (value.find_first_of(",\"\r\n") == std::string::npos) return value;
  std::string quoted = "\"";
  for (const char c : value) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string id_text(const PredictionNames& names, std::int64_t vertex) {
  return names.node_ids.is_identity() ? std::to_string(vertex) : names.node_ids.text_of(vertex);
}

std::string class_text(const PredictionNames& names, std::int32_t predicted) {
  const auto index = static_cast<std::size_t>(predicted);
  return index < names.class_names.size() ? names.class_names[index] : std::to_string(predicted);
}

void write_csv(const std::filesystem::path& path,
               const Predictions& predictions,
               const PredictionNames& names) {
  AtomicFile file(path);
  std::string lines = "id,class,probability\n";
  for (std::size_t v = 0; v < predictions.classes.size(); ++v) {
    std::array<char, 24> probability{};
    std::snprintf(probability.data(), probability.size(), "%.6f",
                  static_cast<double>(predictions.probabilities[v]));
    lines += csv_field(id_text(names, static_cast<std::int64_t>(v))) + ',' +
             csv_field(class_text(names, predictions.classes[v])) + ',' + probability.data() + '\n';
    if (lines.size() > (std::size_t{1} << 20)) {
      file.write(std::string_view(lines));
      lines.clear();
    }
  }
  file.write(std::string_view(lines));
  file.commit();
}

}  // namespace

Predictions predict_classes(kernels::ConstMatrixView logits) {
  Predictions result;
  result.classes.reserve(static_cast<std::size_t>(logits.num_rows));
  result.probabilities.reserve(static_cast<std::size_t>(logits.num_rows));
  for (std::int64_t r = 0; r < logits.num_rows; ++r) {
    const std::span<const Real> row(logits.row(r), static_cast<std::size_t>(logits.num_columns));
    const auto largest = std::max_element(row.begin(), row.end());
    result.classes.push_back(static_cast<std::int32_t>(largest - row.begin()));
    result.probabilities.push_back(probability_of_largest(row, *largest));
  }
  return result;
}

void write_predictions(const std::filesystem::path& folder,
                       const Predictions& predictions,
                       const PredictionNames& names) {
  datasets::write_npy<std::int32_t>(folder / "predictions.npy", predictions.classes,
                                    {static_cast<std::int64_t>(predictions.classes.size())});
  write_csv(folder / "predictions.csv", predictions, names);
}

void write_embeddings(const std::filesystem::path& folder, kernels::ConstMatrixView embeddings) {
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(embeddings.num_rows * embeddings.num_columns));
  for (std::int64_t r = 0; r < embeddings.num_rows; ++r) {
    for (std::int64_t c = 0; c < embeddings.num_columns; ++c) {
      values.push_back(static_cast<float>(embeddings.at(r, c)));
    }
  }
  datasets::write_npy<float>(folder / "embeddings.npy", values,
                             {embeddings.num_rows, embeddings.num_columns});
}

}  // namespace weft::trainer
