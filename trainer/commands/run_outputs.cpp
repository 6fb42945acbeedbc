// SPDX-License-Identifier: MIT
// One forward pass gives both: logits at its end, the hidden layer's rows on the way.
#include "trainer/commands/run_outputs.hpp"

#include <string>

#include "datasets/dataset_folder.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "trainer/console.hpp"
#include "trainer/gather.hpp"
#include "trainer/predictions.hpp"

namespace weft::trainer::commands {

namespace {

PredictionNames names_of(const RunConfig& config, const OutputSelection& selection) {
  PredictionNames names;
  names.class_names = selection.class_names;
  if (config.dataset.path.empty()) {
    print_warning("predict: no dataset.path, so rows are keyed by 0..N-1, not by your ids");
    return names;
  }
  datasets::Dataset dataset = datasets::open_dataset(config.dataset.path);
  names.node_ids = dataset.node_ids;
  names.storage = dataset.storage;
  return names;
}

}  // namespace

void write_outputs(comm::Communicator& communicator,
                   Engine& engine,
                   const RunConfig& config,
                   const std::filesystem::path& folder,
                   const OutputSelection& selection) {
  if (!selection.predictions && !selection.embeddings) return;
  comm::agree_on_errors(communicator, [&] {
    if (!selection.embeddings || config.model.layers >= 2) return;
    throw InputError(
        "predict: the model has one layer, so there is none before the last to take embeddings "
        "from; leave --embeddings out");
  });
  kernels::Matrix embeddings;
  const std::string hidden_name = text("layer", config.model.layers - 2, ".output");
  engine.set_observer([&](const std::string& name, kernels::ConstMatrixView tensor) {
    if (selection.embeddings && name == hidden_name) {
      embeddings = gather_by_global_id(communicator, engine.part(), tensor);
    }
  });
  engine.infer();
  engine.set_observer({});
  const kernels::Matrix logits = gather_by_global_id(communicator, engine.part(), engine.logits());
  comm::agree_on_errors(communicator, [&] {
    if (communicator.rank() != 0) return;
    std::filesystem::create_directories(folder);
    if (selection.embeddings) write_embeddings(folder, embeddings.view());
    if (selection.predictions) {
      write_predictions(folder, predict_classes(logits.view()), names_of(config, selection));
    }
  });
}

}  // namespace weft::trainer::commands
