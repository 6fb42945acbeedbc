// SPDX-License-Identifier: MIT
// An epoch is a list of timed calls.
#include "trainer/engine.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "graph/support/checksum.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "graph/support/timing.hpp"
#include "kernels/softmax_cross_entropy.hpp"
#include "partition/reorder_part.hpp"
#include "trainer/thread_share.hpp"

namespace weft::trainer {

namespace {

layers::AggregationOptions aggregation_options(const ModelConfig& model) {
  if (model.type == ModelType::sage) return {layers::Normalization::mean, false};
  const bool is_symmetric = model.normalization == Normalization::symmetric;
  return {is_symmetric ? layers::Normalization::symmetric : layers::Normalization::sum,
          model.self_loops};
}

void check_task(const partition::Part& part, EngineUse use) {
  const std::string& name = part.info.dataset_name;
  if (part.info.task == datasets::Task::single_label || use == EngineUse::predict) return;
  if (part.info.task == datasets::Task::none) {
    throw InputError(
        text("dataset '", name, "': it has no labels; import it again with --labels FILE"));
  }
  throw InputError(text("dataset '", name,
                        "': its task is multi-label or regression, expected one class a vertex; "
                        "this version trains and evaluates single-label classification only"));
}

void check_inputs(const partition::Part& part, std::int64_t num_inputs) {
  const std::int64_t found = part.rows.features.num_columns;
  if (num_inputs == 0 || found == num_inputs) return;
  throw InputError(text("dataset '", part.info.dataset_name, "': it has ", found,
                        " feature columns, but the model was trained on ", num_inputs,
                        "; give it the features that it knows"));
}

std::span<const std::int8_t> split_for(const partition::Part& part,
                                       const RunConfig& config,
                                       EngineUse use) {
  check_task(part, use);
  if (use == EngineUse::predict) return {};
  return split_of_part(part, config.dataset.split);
}

void check_training_vertices(const LabelledRows& labelled, EngineUse use) {
  if (labelled.global_counts[0] > 0 || use != EngineUse::train) return;
  throw InputError(
      "dataset: the split has no labelled training vertex; choose another with "
      "[dataset] split");
}

/// An epoch that computes at least this share of all rows computes all of them: pruned rows cost
/// two exchanges at the start and a new order of the rows.
constexpr double largest_pruned_share = 0.95;

/// Orders the owned rows by their distance from the loss where that lets epochs leave some out.
/// Returns the row of the part behind each row; none where the order stays.
std::vector<LocalId> prune(comm::Communicator& communicator,
                           int num_layers,
                           partition::Part& part,
                           EngineParts& parts) {
  layers::Reach& reach = parts.reach;
  reach = layers::find_reach(communicator, part, parts.labelled.rows[0], num_layers);
  if (layers::computed_share(reach, part.info.num_vertices) > largest_pruned_share) {
    reach = {};
    return {};
  }
  std::vector<LocalId> order = layers::order_by_distance(reach);
  partition::reorder_owned(part, order);
  std::ranges::sort(reach.distance);
  return order;
}

comm::SharedRowBytes packed_row_bytes(const SharedColumns& columns, kernels::Storage storage) {
  const std::int64_t element = kernels::element_bytes(storage);
  return {columns.forward * element, columns.reverse * element};
}

/// Columns of Real that hold `columns` of `storage`.
std::int64_t real_columns(std::int64_t columns, kernels::Storage storage) {
  constexpr std::int64_t real_bytes = sizeof(Real);
  return (columns * kernels::element_bytes(storage) + real_bytes - 1) / real_bytes;
}

/// The ranks of this host that can read each other's memory; none where they should not or cannot.
std::vector<int> ranks_that_share(comm::Communicator& communicator, const RunConfig& config) {
  const comm::SharedMemory trial(communicator, 0, {.is_wanted = config.comm.shared_memory});
  return {trial.local_ranks().begin(), trial.local_ranks().end()};
}

comm::SharedMemory share_memory(comm::Communicator& communicator,
                                const EngineParts& parts,
                                const SharedColumns& columns,
                                const RunConfig& config) {
  const bool is_wanted = config.comm.shared_memory;
  const kernels::Storage storage = storage_of(config.train.precision);
  const std::int64_t row_bytes =
      real_columns(columns.transformed, storage) * std::int64_t{sizeof(Real)};
  const std::int64_t room =
      comm::SharedMemory::room_for(parts.part.num_owned() * row_bytes) +
      comm::SlotExchange::shared_room(parts.border.peers, packed_row_bytes(columns, storage),
                                      communicator.local_size());
  return {communicator, is_wanted ? room : 0, {.is_wanted = is_wanted}};
}

}  // namespace

kernels::Storage storage_of(Precision precision) {
  return precision == Precision::bf16 ? kernels::Storage::bf16 : kernels::Storage::real;
}

layers::ModelSpec model_spec(const RunConfig& run,
                             std::int64_t num_features,
                             int num_classes,
                             bool sparse_input) {
  const ModelConfig& config = run.model;
  layers::ModelSpec spec;
  spec.type =
      config.type == ModelType::gcn ? layers::ConvolutionType::gcn : layers::ConvolutionType::sage;
  spec.num_inputs = num_features;
  spec.num_hidden = config.hidden;
  spec.num_outputs = num_classes;
  spec.num_layers = config.layers;
  spec.dropout = static_cast<float>(config.dropout);
  spec.input_dropout = static_cast<float>(config.input_dropout.value_or(config.dropout));
  spec.norm = config.norm == Norm::layer ? layers::NormType::layer : layers::NormType::none;
  spec.activation = config.activation == Activation::relu ? layers::ActivationType::relu
                                                          : layers::ActivationType::none;
  spec.bias = config.bias;
  spec.sparse_input = sparse_input;
  spec.storage = storage_of(run.train.precision);
  return spec;
}

EngineParts prepare_engine(comm::Communicator& communicator,
                           partition::Part part,
                           const RunConfig& config,
                           const EngineRequest& request) {
  std::span<const std::int8_t> split;
  std::vector<LocalId> row_order;
  comm::agree_on_errors(communicator, [&] {
    check_inputs(part, request.num_inputs);
    split = split_for(part, config, request.use);
  });
  EngineParts parts;
  parts.num_outputs = request.num_outputs > 0 ? request.num_outputs : part.info.num_classes;
  parts.labelled = find_labelled_rows(communicator, part, split);
  comm::agree_on_errors(communicator,
                        [&] { check_training_vertices(parts.labelled, request.use); });
  if (request.use == EngineUse::train && config.train.prune) {
    row_order = prune(communicator, config.model.layers, part, parts);
    split = split_for(part, config, request.use);
    parts.labelled = find_labelled_rows(communicator, part, split);
  }
  parts.features = prepare_features(communicator, {part.rows.features, row_order, split},
                                    config.dataset.feature_scaling, request.statistics);
  parts.features.store_as(storage_of(config.train.precision));
  parts.aggregation = layers::build_aggregation(part, aggregation_options(config.model));
  const std::vector<int> in_place = ranks_that_share(communicator, config);
  parts.border = layers::build_border(communicator, part, parts.aggregation, parts.reach,
                                      {config.comm.partial_sums, in_place});
  parts.aggregation.halo = {};  // the border holds its entries
  parts.part = std::move(part);
  return parts;
}

Engine::Engine(comm::Communicator& communicator, EngineParts parts, const RunConfig& config)
    : communicator_(communicator),
      parts_(std::move(parts)),
      seed_(config.train.seed),
      ctx_(threads_of_rank(communicator, config.train.threads)),
      spec_(engine_spec(config)),
      shared_columns_(shared_columns(spec_)),
      wants_sharing_(config.comm.shared_memory),
      memory_(share_memory(communicator, parts_, shared_columns_, config)),
      neighbors_(communicator,
                 parts_.aggregation,
                 parts_.border,
                 parts_.reach,
                 {.message_limit_bytes = config.comm.message_limit_bytes,
                  .shared = &memory_,
                  .row_bytes = packed_row_bytes(shared_columns_, spec_.storage),
                  .timeline = &timeline_}),
      model_(spec_, config.train.seed),
      gradient_sync_(
          communicator, model_.parameters(), {config.comm.message_limit_bytes, parts_.buckets}),
      optimizer_(config.optimizer, model_.parameters()) {
  ctx_.set_poll([this] { communicator_.poll(); });
  comm::agree_on_errors(communicator, [&] {
    if (!memory_.is_on()) return;
    workspace_.transformed.use(memory_, parts_.part.num_owned(),
                               real_columns(shared_columns_.transformed, spec_.storage));
  });
  const layers::Scope& last = neighbors_.training_scope(config.model.layers - 1);
  grad_logits_.resize(last.num_outputs, parts_.num_outputs, storage_of(config.train.precision));
  // The aggregation and the scaled features are copies; what they were made from is not read again.
  parts_.part.graph = {};
  parts_.part.rows.release_features();
}

layers::ModelSpec Engine::engine_spec(const RunConfig& run) const {
  layers::ModelSpec spec = model_spec(run, parts_.part.rows.features.num_columns,
                                      parts_.num_outputs, parts_.features.sparse.has_value());
  const partition::PartitionInfo& info = parts_.part.info;
  const auto num_arcs = static_cast<double>(info.num_edges);
  spec.sums_in_training = layers::layers_that_sum_in_training(
      spec, parts_.reach,
      num_arcs / static_cast<double>(std::max<std::int64_t>(1, info.num_vertices)),
      communicator_.size());
  return spec;
}

template <typename Work>
void Engine::timed(Step step, const Work& work) {
  const comm::TimelineScope span(&timeline_, comm::TimelineRow::steps,
                                 step_names[static_cast<std::size_t>(step)]);
  const Stopwatch watch;
  work();
  seconds_[static_cast<std::size_t>(step)] += watch.seconds();
}

layers::Pass Engine::make_pass(int epoch, bool training) {
  const auto num_owned = static_cast<std::size_t>(parts_.part.num_owned());
  const std::span<const GlobalId> ids(parts_.part.global_ids.data(), num_owned);
  return {ctx_,     neighbors_, workspace_, ids, seed_, static_cast<std::uint32_t>(epoch),
          training, observer_};
}

double Engine::train_epoch(int epoch) {
  const comm::TimelineScope span(&timeline_, comm::TimelineRow::steps, "epoch");
  layers::Pass pass = make_pass(epoch, true);
  pass.gradients_done = [this](int layer) { gradient_sync_.layer_done(layer); };
  double loss = 0;
  timed(Step::forward, [&] { logits_ = model_.forward(pass, parts_.features.input()); });
  timed(Step::loss, [&] { gradient_sync_.begin(loss_sum()); });
  timed(Step::backward, [&] { model_.backward(pass, grad_logits_.view()); });
  timed(Step::gradient_sync, [&] { loss = gradient_sync_.finish(); });
  timed(Step::optimizer_step, [&] { optimizer_.step(ctx_); });
  return loss / static_cast<double>(parts_.labelled.global_counts[0]);
}

double Engine::loss_sum() {
  const double count = static_cast<double>(parts_.labelled.global_counts[0]);
  const auto labels = parts_.part.rows.labels.first(static_cast<std::size_t>(logits_.num_rows));
  return kernels::softmax_cross_entropy(ctx_, logits_, labels, parts_.labelled.rows[0], 1.0 / count,
                                        grad_logits_.view());
}

void Engine::infer() {
  layers::Pass pass = make_pass(0, false);
  logits_ = model_.forward(pass, parts_.features.input());
}

Evaluation Engine::evaluate() {
  std::array<double, 2 * num_roles> sums{};  // of correct vertices, exact, then of losses
  timed(Step::evaluation, [&] {
    infer();
    const std::span<const std::int32_t> labels = parts_.part.rows.labels;
    for (std::size_t role = 0; role < num_roles; ++role) {
      const std::span<const LocalId> rows = parts_.labelled.rows[role];
      sums[role] = static_cast<double>(kernels::count_correct(ctx_, logits_, labels, rows));
      sums[num_roles + role] = kernels::softmax_cross_entropy(ctx_, logits_, labels, rows, 1.0, {});
    }
    communicator_.all_reduce_sum(std::span<double>(sums));
  });
  Evaluation result;
  for (std::size_t role = 0; role < num_roles; ++role) {
    const auto count = static_cast<double>(parts_.labelled.global_counts[role]);
    result.accuracy[role] = sums[role] / count;  // 0 / 0 is NaN
    result.loss[role] = sums[num_roles + role] / count;
  }
  return result;
}

PlannedBuffers Engine::planned_buffers() const {
  BufferRows rows;
  rows.owned = parts_.part.num_owned();
  for (int layer = 0; layer < model_.spec().num_layers; ++layer) {
    const layers::Scope& scope = neighbors_.training_scope(layer);
    rows.train_inputs.push_back(scope.num_inputs);
    rows.train_outputs.push_back(scope.num_outputs);
  }
  rows.are_shared = memory_.is_on();
  for (const partition::HaloPeer& peer : parts_.border.peers) {
    const std::int64_t halo = peer.halo_end - peer.halo_begin;
    const std::int64_t sent = peer.send_end - peer.send_begin;
    rows.all_halo += halo;
    rows.all_sent += sent;
    if (memory_.is_on() && memory_.is_shared_with(peer.part)) continue;
    rows.halo += halo;
    rows.sent += sent;
  }
  PlannedBuffers plan = plan_buffers(model_.spec(), rows);
  if (memory_.is_on()) plan.shared = read_in_place();
  plan.scratch = panel_bytes();
  return plan;
}

// The copy that an aggregation makes of a panel, where the rows that it reads exceed the cache.
std::int64_t Engine::panel_bytes() const {
  const std::int64_t columns = std::max(spec_.num_hidden, spec_.num_inputs);
  const std::int64_t bytes =
      parts_.part.num_owned() * columns * kernels::element_bytes(spec_.storage);
  return bytes > ctx_.cache_bytes() ? ctx_.cache_bytes() / 2 : 0;
}

// Of a peer's matrix the pages that a row lies on, at most all of an average part's; of the sums
// that it owes, in two matrices, all of this rank's.
std::int64_t Engine::read_in_place() const {
  constexpr std::int64_t page_bytes = 4096;
  const std::int64_t element = kernels::element_bytes(spec_.storage);
  const std::int64_t row_bytes = shared_columns_.transformed * element;
  const partition::PartitionInfo& info = parts_.part.info;
  std::int64_t bytes = 0;
  for (const partition::HaloPeer& peer : parts_.border.peers) {
    if (!memory_.is_shared_with(peer.part)) continue;
    bytes += std::min((peer.halo_end - peer.halo_begin) * (row_bytes + page_bytes),
                      info.num_vertices / info.num_parts * row_bytes);
    bytes += 2 * (peer.send_end - peer.send_begin) * shared_columns_.reverse * element;
  }
  return bytes;
}

Savings Engine::savings() {
  const layers::Border& border = parts_.border;
  const bool keeps_sum = layers::block_spec(model_.spec(), 0).shape.constant_input;
  std::array<std::int64_t, 3> counts{border.num_halo_rows, border.halo.num_columns,
                                     keeps_sum ? parts_.part.num_owned() : 0};
  communicator_.all_reduce_sum(std::span<std::int64_t>(counts));
  return {layers::computed_share(parts_.reach, parts_.part.info.num_vertices), counts[0], counts[1],
          counts[2]};
}

std::string Engine::sharing_note() {
  std::string note;
  if (wants_sharing_ && communicator_.local_size() > 1 && !memory_.is_on()) {
    note =
        text("ranks of a host exchange rows as messages, not in shared memory: ", memory_.reason());
  }
  const std::vector<std::string> notes = communicator_.all_gather(note);
  const auto first =
      std::ranges::find_if(notes, [](const std::string& found) { return !found.empty(); });
  return first == notes.end() ? "" : *first;
}

std::uint64_t Engine::weight_hash() {
  return checksum_of(std::span<const Real>(model_.parameters().values()));
}

bool Engine::weights_agree() {
  return communicator_.is_same_on_all_ranks(weight_hash());
}

}  // namespace weft::trainer
