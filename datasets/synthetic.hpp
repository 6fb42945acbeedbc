// SPDX-License-Identifier: MIT
// Datasets made by rule: a graph, classes, features that hint at the class, and splits.
//
// Everything is a function of the options, seed included: the number of threads does not matter.
// A feature row is the mean of its class (a random direction of length 1) plus Gaussian noise, so
// that a model without edges gets some vertices right and one that averages over neighbors of the
// same class many more. A share of the labels is then drawn anew: no model can learn these.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "datasets/dataset.hpp"
#include "graph/support/timing.hpp"

namespace weft::datasets {

/// The graph, and what its classes are.
enum class SyntheticKind {
  communities,  ///< planted communities with power-law degrees; class = community
  rmat,         ///< skewed random graph; class = number of bits of the vertex's degree
  ring,         ///< class = section of the ring
  path,         ///< class = section of the path
  star,         ///< class = section of the numbers; neighbors tell nothing
  grid,         ///< class = band of rows
  karate,       ///< Zachary's karate club; class = faction, features = one-hot vertex
};

/// Names of the kinds, in the order of the enum.
[[nodiscard]] const std::vector<std::string>& synthetic_kind_names();

/// Errors   InputError with the list of names, and the nearest one
[[nodiscard]] SyntheticKind parse_synthetic_kind(const std::string& name);

struct SyntheticOptions {
  SyntheticKind kind = SyntheticKind::communities;
  std::int64_t num_vertices = 20000;  ///< not of grid and karate
  std::int64_t num_rows = 100;        ///< of grid
  std::int64_t num_columns = 200;     ///< of grid
  double mean_degree = 10.0;          ///< of communities and rmat
  double inside = 0.7;                ///< share of edges inside a community
  double exponent = 2.5;              ///< of the power law of community degrees; 0: all alike
  int num_classes = 10;
  std::int64_t num_features = 64;   ///< 0: none
  double noise = 0.5;               ///< standard deviation of a feature; class means have length 1
  double label_noise = 0.05;        ///< share of labels drawn anew
  bool weighted = false;            ///< weights from 0.5 to 1.5 instead of 1
  bool directed = false;            ///< keep arcs as drawn, without their reverse
  double train_share = 0.6;         ///< of split "random"
  double validation_share = 0.2;    ///< of split "random"; the rest is for the test
  std::int64_t few_per_class = 20;  ///< training vertices a class of split "few"
  std::uint64_t seed = 1;
};

/// Makes a dataset with the splits "random" (shares of all vertices) and "few" (a number of
/// training vertices a class, 500 or a fifth for validation, the rest for the test); the karate
/// club has "leaders" instead of "few": the two leaders train.
///
/// Cost     O(vertices x features + edges log vertices) time, parallel
/// Errors   InputError that names the option and what it may be
[[nodiscard]] Dataset make_synthetic(const SyntheticOptions& options,
                                     const ProgressCallback& progress = {});

}  // namespace weft::datasets
