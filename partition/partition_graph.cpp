// SPDX-License-Identifier: MIT
#include "partition/partition_graph.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "partition/halo_sets.hpp"
#include "partition/indexing.hpp"
#include "partition/metis.hpp"
#include "partition/metis_input.hpp"
#include "partition/own_methods.hpp"
#include "partition/owner_file.hpp"

namespace weft::partition {
namespace {

constexpr std::array<std::pair<Method, const char*>, 5> method_names{{
    {Method::metis_kway, "metis"},
    {Method::metis_recursive, "metis-recursive"},
    {Method::block, "block"},
    {Method::random, "random"},
    {Method::file, "file"},
}};

constexpr std::array<std::pair<Objective, const char*>, 2> objective_names{{
    {Objective::cut, "cut"},
    {Objective::volume, "volume"},
}};

template <typename Names, typename Value>
std::string name_in(const Names& names, Value value) {
  for (const auto& [known, name] : names) {
    if (known == value) return name;
  }
  throw InputError("partition: a value without a name");
}

template <typename Names>
auto parse_in(const Names& names, const std::string& word, const char* what) {
  std::vector<std::string> valid;
  for (const auto& [known, name] : names) {
    if (word == name) return known;
    valid.emplace_back(name);
  }
  throw InputError(
      text("partition: ", what, " \"", word, "\" is not known; use one of ", join(valid, ", ")));
}

void check_parts(std::int64_t num_vertices, int num_parts) {
  if (num_parts < 1) {
    throw InputError(text("partition: ", num_parts, " parts asked for; use --parts 1 or more"));
  }
  if (num_parts > num_vertices) {
    throw InputError(text("partition: ", num_parts, " parts asked for, but the graph has ",
                          num_vertices, " vertices; use --parts ",
                          std::max<std::int64_t>(num_vertices, 1), " or fewer"));
  }
}

// Below so many vertices a part METIS's coarsening and refinement have nothing to work with: it
// has put a whole graph into one part (METIS issues 68 and 118).
constexpr std::int64_t least_vertices_per_part = 8;

std::int64_t total_halo_rows(const graph::CsrView& graph,
                             std::span<const std::int32_t> owner,
                             int num_parts) {
  const OwnedVertices owned(owner, num_parts);
  std::int64_t total = 0;
  for (const HaloSet& halo : find_halo_sets(graph, owner, owned))
    total += count_of(halo.vertices);
  return total;
}

MetisProblem make_problem(const SymmetricGraph& graph,
                          const BalanceWeights& balance,
                          std::span<const double> shares,
                          const PartitionOptions& options) {
  MetisProblem problem;
  problem.row_ptr = graph.view.row_ptr;
  problem.col_idx = graph.view.col_idx;
  problem.weights = balance.weights;
  problem.total_weights = balance.totals;
  problem.shares.assign(shares.begin(), shares.end());
  problem.seed = options.seed;
  problem.recursive = options.method == Method::metis_recursive;
  return problem;
}

// METIS's owners, never with an id out of range or an empty part.
std::vector<std::int32_t> checked_metis(const MetisProblem& problem,
                                        const SymmetricGraph& graph,
                                        PartitionTimes& times) {
  const Stopwatch watch;
  std::vector<std::int32_t> owner = run_metis(problem);
  times.metis_seconds += watch.seconds();
  const auto out_of_range = [&](std::int32_t part) {
    return part < 0 || part >= problem.num_parts();
  };
  if (std::any_of(owner.begin(), owner.end(), out_of_range)) {
    return breadth_first_owners(graph.view, problem.shares);
  }
  fill_empty_parts(graph.view, problem.num_parts(), owner);
  return owner;
}

std::vector<std::int32_t> metis_owners(const datasets::Dataset& dataset,
                                       const PartitionOptions& options,
                                       std::span<const double> shares,
                                       PartitionTimes& times,
                                       const ProgressCallback& progress) {
  report_progress(progress, "symmetric graph", 0);
  const SymmetricGraph graph = symmetric_graph(dataset.graph);
  if (graph.view.num_edges() == 0) {
    auto owner = dealt_owners(dataset.num_vertices, balanced_split(dataset, options), shares);
    fill_empty_parts(graph.view, options.num_parts, owner);
    return owner;
  }
  if (dataset.num_vertices < least_vertices_per_part * options.num_parts) {
    return breadth_first_owners(graph.view, shares);
  }
  const BalanceWeights balance = balance_weights(dataset, options, shares);
  MetisProblem problem = make_problem(graph, balance, shares, options);
  report_progress(progress, "METIS", 0.1);
  std::vector<std::int32_t> owner = checked_metis(problem, graph, times);
  if (options.objective == Objective::volume) {
    report_progress(progress, "METIS, volume", 0.4);
    problem.minimize_volume = true;
    std::vector<std::int32_t> other = checked_metis(problem, graph, times);
    if (total_halo_rows(dataset.graph, other, options.num_parts) <
        total_halo_rows(dataset.graph, owner, options.num_parts)) {
      owner = std::move(other);
    }
  }
  return owner;
}

std::vector<std::int32_t> choose_owners(const datasets::Dataset& dataset,
                                        const PartitionOptions& options,
                                        PartitionTimes& times,
                                        const ProgressCallback& progress) {
  const std::int64_t num_vertices = dataset.num_vertices;
  if (options.method == Method::file) {
    return read_owner_file(options.owner_file, num_vertices, options.num_parts);
  }
  const std::vector<double> shares = part_shares(options);
  if (options.num_parts == 1) return std::vector<std::int32_t>(position(num_vertices), 0);
  if (options.method == Method::block || options.num_parts == num_vertices) {
    return block_owners(num_vertices, shares);
  }
  if (options.method == Method::random) return random_owners(num_vertices, shares, options.seed);
  return metis_owners(dataset, options, shares, times, progress);
}

void check_options(const datasets::Dataset& dataset, const PartitionOptions& options) {
  if (options.method != Method::file) check_parts(dataset.num_vertices, options.num_parts);
  if (options.method == Method::file && options.num_parts < 1) {
    check_parts(dataset.num_vertices, options.num_parts);
  }
  if (options.method == Method::metis_recursive && options.objective == Objective::volume) {
    throw InputError(
        "partition: METIS's recursive bisection has no volume objective; use --method metis or"
        " --objective cut");
  }
}

}  // namespace

std::string method_name(Method method) {
  return name_in(method_names, method);
}

Method parse_method(const std::string& name) {
  return parse_in(method_names, name, "method");
}

std::string objective_name(Objective objective) {
  return name_in(objective_names, objective);
}

Objective parse_objective(const std::string& name) {
  return parse_in(objective_names, name, "objective");
}

std::vector<double> part_shares(const PartitionOptions& options) {
  const std::size_t num_parts = position(options.num_parts);
  if (options.part_weights.empty()) {
    return std::vector<double>(num_parts, 1.0 / options.num_parts);
  }
  if (options.part_weights.size() != num_parts) {
    throw InputError(text("partition: ", options.part_weights.size(), " part weights for ",
                          num_parts, " parts; give one for each"));
  }
  for (const double weight : options.part_weights) {
    if (std::isfinite(weight) && weight > 0) continue;
    throw InputError(text("partition: part weight ", weight, " found, expected a number above 0"));
  }
  const double sum = std::accumulate(options.part_weights.begin(), options.part_weights.end(), 0.0);
  std::vector<double> shares;
  for (const double weight : options.part_weights)
    shares.push_back(weight / sum);
  return shares;
}

std::span<const std::int8_t> balanced_split(const datasets::Dataset& dataset,
                                            const PartitionOptions& options) {
  if (dataset.split_names.empty() && options.split.empty()) return {};
  return dataset.split(options.split);
}

std::vector<std::int32_t> partition_graph(const datasets::Dataset& dataset,
                                          const PartitionOptions& options,
                                          PartitionTimes* times,
                                          const ProgressCallback& progress) {
  check_options(dataset, options);
  const Stopwatch watch;
  PartitionTimes measured;
  std::vector<std::int32_t> owner = choose_owners(dataset, options, measured, progress);
  report_progress(progress, "METIS", 1);
  measured.total_seconds = watch.seconds();
  if (times != nullptr) *times = measured;
  return owner;
}

}  // namespace weft::partition
