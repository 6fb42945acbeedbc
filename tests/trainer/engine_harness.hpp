// SPDX-License-Identifier: MIT
// Engines on test datasets, and small settings for them.
#pragma once

#include "comm/communicator.hpp"
#include "tests/support/random_dataset.hpp"
#include "trainer/engine.hpp"
#include "trainer/verify.hpp"

namespace weft::test_support {

/// Two layers of width 16, dropout 0.5, Adam at 0.01, one thread.
[[nodiscard]] inline trainer::RunConfig small_config(trainer::ModelType type) {
  trainer::RunConfig config;
  config.model.type = type;
  config.model.hidden = 16;
  config.model.dropout = 0.5;
  config.optimizer.weight_decay = {5e-4, 0.0};
  config.train.threads = 1;
  return config;
}

/// This rank's part of `dataset`.
[[nodiscard]] inline partition::Part my_part(comm::Communicator& communicator,
                                             const datasets::Dataset& dataset,
                                             Owners owners) {
  const int size = communicator.size();
  return make_part(dataset, deal_owners(dataset, size, owners), size, communicator.rank());
}

/// The whole dataset as one part.
[[nodiscard]] inline partition::Part whole_part(const datasets::Dataset& dataset) {
  return make_part(dataset, deal_owners(dataset, 1, Owners::block), 1, 0);
}

}  // namespace weft::test_support
