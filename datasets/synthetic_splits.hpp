// SPDX-License-Identifier: MIT
// Which vertices of a synthetic dataset train, validate and test.
#pragma once

#include "datasets/dataset.hpp"
#include "datasets/synthetic.hpp"

namespace weft::datasets {

/// Adds the splits that `make_synthetic` promises. Vertices are taken in the order of a random
/// word each, so the counts are exact and a vertex's role follows from seed and number.
void add_splits(const SyntheticOptions& options, Dataset& dataset);

}  // namespace weft::datasets
