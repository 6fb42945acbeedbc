// SPDX-License-Identifier: MIT
// Dropout is off, so that engines of other settings can be compared loss by loss.
#include "tests/bench/epoch_engine.hpp"

#include <string>
#include <utility>

#include "graph/support/error.hpp"
#include "graph/support/text.hpp"

namespace weft::bench {

trainer::RunConfig config_of(const Options& options, int num_threads) {
  trainer::RunConfig config;
  const std::string model = options.word("--model", "gcn");
  if (model != "gcn" && model != "sage") {
    throw InputError(text("--model: '", model, "' is unknown; valid: gcn, sage"));
  }
  config.model.type = model == "gcn" ? trainer::ModelType::gcn : trainer::ModelType::sage;
  config.model.hidden = options.number("--hidden", 128);
  config.model.layers = 3;
  config.model.dropout = 0;
  config.train.threads = num_threads;
  return config;
}

Trained::Trained(comm::Communicator& communicator,
                 partition::Part part,
                 const trainer::RunConfig& config)
    : engine_(
          communicator, trainer::prepare_engine(communicator, std::move(part), config), config) {}

}  // namespace weft::bench
