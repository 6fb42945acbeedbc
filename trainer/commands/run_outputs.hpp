// SPDX-License-Identifier: MIT
// Predictions and embeddings of a trained engine, written to a folder; shared by `train` and
// `predict`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "trainer/config.hpp"
#include "trainer/engine.hpp"

namespace weft::trainer::commands {

struct OutputSelection {
  bool predictions = true;
  bool embeddings = false;               ///< output of the layer before the last
  std::vector<std::string> class_names;  ///< of the model; empty = classes are numbers
};

/// Infers once and writes what is selected, in dataset order, keyed by the user's ids where the
/// dataset folder can be read on rank 0 (else by 0..N-1, with a warning).
/// Collective
void write_outputs(comm::Communicator& communicator,
                   Engine& engine,
                   const RunConfig& config,
                   const std::filesystem::path& folder,
                   const OutputSelection& selection);

}  // namespace weft::trainer::commands
