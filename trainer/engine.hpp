// SPDX-License-Identifier: MIT
// One rank's training machinery: part, halo, model, optimizer, and what an epoch does with them.
//
//   part -> aggregation -> halo exchange -> model -> optimizer
//
// `EngineParts` is the data that an engine is made of; it is prepared first so that a test can
// damage a piece of it and prove that `verify` notices.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "comm/communicator.hpp"
#include "comm/shared_memory.hpp"
#include "comm/timeline.hpp"
#include "kernels/context.hpp"
#include "layers/model.hpp"
#include "partition/part.hpp"
#include "trainer/config.hpp"
#include "trainer/gradient_sync.hpp"
#include "trainer/input_features.hpp"
#include "trainer/labelled_rows.hpp"
#include "trainer/memory_plan.hpp"
#include "trainer/optimizer.hpp"

namespace weft::trainer {

struct EngineParts {
  partition::Part part;
  layers::Aggregation aggregation;
  layers::Reach reach;
  layers::Border border;
  LabelledRows labelled;
  InputFeatures features;
  int num_outputs = 0;   ///< classes of the model
  BucketBounds buckets;  ///< of gradients that are summed over ranks
};

/// What the engine is for decides what the dataset must have: to train it takes labelled training
/// vertices, to evaluate a split, to predict nothing but features.
enum class EngineUse { train, evaluate, predict };

/// A trained model brings its own classes and feature statistics to another dataset.
struct EngineRequest {
  EngineUse use = EngineUse::train;
  int num_outputs = 0;           ///< 0 = the dataset's classes
  std::int64_t num_inputs = 0;   ///< 0 = any number of features will do
  FeatureStatistics statistics;  ///< empty = fitted on the training vertices
};

/// Checks that the part serves the request and prepares what an engine needs.
/// Errors   InputError on all ranks: task that is not built, no features, no labels, no split
/// Collective
[[nodiscard]] EngineParts prepare_engine(comm::Communicator& communicator,
                                         partition::Part part,
                                         const RunConfig& config,
                                         const EngineRequest& request = {});

/// How rows that are kept or travel are stored.
[[nodiscard]] kernels::Storage storage_of(Precision precision);

/// The model of `run` for features and classes of the given counts.
[[nodiscard]] layers::ModelSpec model_spec(const RunConfig& run,
                                           std::int64_t num_features,
                                           int num_classes,
                                           bool sparse_input);

/// What an epoch leaves out without changing its numbers; over all ranks.
struct Savings {
  double computed_share = 1;       ///< of the rows of all layers' outputs, in training epochs
  std::int64_t halo_rows = 0;      ///< distinct rows that parts read of each other, summed
  std::int64_t halo_slots = 0;     ///< rows that travel instead, where partial sums take fewer
  std::int64_t kept_sum_rows = 0;  ///< rows of a constant input's sum, made once a run
};

/// The steps of an epoch, in order; also the columns of the report.
enum class Step { forward, loss, backward, gradient_sync, optimizer_step, evaluation };
inline constexpr std::size_t num_steps = 6;
inline constexpr std::array<const char*, num_steps> step_names{
    "forward", "loss", "backward", "gradient_sync", "optimizer_step", "evaluation"};

using StepSeconds = std::array<double, num_steps>;

/// Over the vertices of all ranks; NaN for a role without vertices: undefined stays undefined.
struct Evaluation {
  std::array<double, num_roles> accuracy{0, 0, 0};  ///< share of correct vertices
  std::array<double, num_roles> loss{0, 0, 0};      ///< mean cross entropy
};

class Engine {
 public:
  /// Weights start from config.train.seed. The communicator must outlive the engine.
  /// Collective
  Engine(comm::Communicator& communicator, EngineParts parts, const RunConfig& config);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Epoch `epoch` = 1, 2, ...: forward, loss, backward, gradient sync, optimizer step. Returns
  /// the loss of this epoch's forward: global sum / global count of labelled training vertices.
  /// Gradients and loss are summed over ranks while backward goes on; the sync awaits the rest.
  /// Collective
  double train_epoch(int epoch);

  /// A forward pass without dropout: fills `logits`.
  /// Collective
  void infer();

  /// Collective
  [[nodiscard]] Savings savings();
  /// Why ranks that share a host do not share memory; empty where all do, or none should. The same
  /// on all ranks.
  /// Collective
  [[nodiscard]] std::string sharing_note();

  /// What the first epoch and evaluation will allocate.
  [[nodiscard]] PlannedBuffers planned_buffers() const;

  /// Infers, and tells how well the model does on each role.
  /// Collective
  Evaluation evaluate();

  /// Logits of the last forward pass, [n x classes]: of all owned rows, or in a training epoch of
  /// the first n, those that the loss reads.
  [[nodiscard]] kernels::ConstMatrixView logits() const { return logits_; }
  /// True if the weights have the same bits on every rank. Collective
  [[nodiscard]] bool weights_agree();
  [[nodiscard]] std::uint64_t weight_hash();

  [[nodiscard]] layers::Model& model() { return model_; }
  [[nodiscard]] Optimizer& optimizer() { return optimizer_; }
  [[nodiscard]] const partition::Part& part() const { return parts_.part; }
  [[nodiscard]] const LabelledRows& labelled() const { return parts_.labelled; }
  [[nodiscard]] const FeatureStatistics& feature_statistics() const {
    return parts_.features.statistics;
  }
  /// What this rank has exchanged with others.
  [[nodiscard]] comm::HaloTraffic traffic() const { return neighbors_.traffic(); }
  void reset_traffic() { neighbors_.reset_traffic(); }
  [[nodiscard]] kernels::Context& context() { return ctx_; }
  /// What this rank does when, while it records.
  [[nodiscard]] comm::Timeline& timeline() { return timeline_; }
  /// Seconds of each step since `reset_seconds`.
  [[nodiscard]] const StepSeconds& seconds() const { return seconds_; }
  void reset_seconds() { seconds_.fill(0); }
  void set_observer(layers::TensorObserver observer) { observer_ = std::move(observer); }

 private:
  /// The model of `run` for this engine's parts.
  [[nodiscard]] layers::ModelSpec engine_spec(const RunConfig& run) const;
  [[nodiscard]] layers::Pass make_pass(int epoch, bool training);
  /// Of this rank's vertices.
  [[nodiscard]] double loss_sum();
  /// Bytes of other ranks' memory that an epoch reads.
  [[nodiscard]] std::int64_t read_in_place() const;
  [[nodiscard]] std::int64_t panel_bytes() const;
  /// Runs `work` and adds its time to `step`.
  template <typename Work>
  void timed(Step step, const Work& work);

  comm::Communicator& communicator_;
  EngineParts parts_;
  std::uint64_t seed_;
  kernels::Context ctx_;
  layers::ModelSpec spec_;
  SharedColumns shared_columns_;
  bool wants_sharing_;
  comm::SharedMemory memory_;  // before what lies in it
  comm::Timeline timeline_;    // before those who write to it
  layers::NeighborSum neighbors_;
  layers::Workspace workspace_;
  layers::Model model_;
  GradientSync gradient_sync_;  // after the model, whose memory it sums
  Optimizer optimizer_;
  kernels::Matrix grad_logits_;
  kernels::ConstMatrixView logits_;
  layers::TensorObserver observer_;
  StepSeconds seconds_{};
};

}  // namespace weft::trainer
