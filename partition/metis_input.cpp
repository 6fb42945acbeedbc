// SPDX-License-Identifier: MIT
#include "partition/metis_input.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "graph/transforms.hpp"
#include "partition/indexing.hpp"

namespace weft::partition {
namespace {

// Finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): each input bit reaches all others.
std::uint64_t mix(std::uint64_t value) {
  value += 0x9E3779B97F4A7C15U;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9U;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBU;
  return value ^ (value >> 31);
}

std::uint64_t mix_pair(std::int64_t first, std::int32_t second) {
  return mix((static_cast<std::uint64_t>(first) << 32) | static_cast<std::uint32_t>(second));
}

// Largest edge weight of one vertex, as a share of the smallest part, but at least so many times
// the mean: parts of a few vertices are to be balanced by true weights.
constexpr double hub_share = 0.05;
constexpr double hub_times_mean = 8;

// In-degree + 1, the loop left out, so that loops change nothing.
std::vector<std::int64_t> edge_weights(const graph::CsrView& graph,
                                       std::span<const double> shares) {
  std::vector<std::int64_t> weights(position(graph.num_vertices()));
  std::int64_t total = 0;
  for (std::size_t vertex = 0; vertex < weights.size(); ++vertex) {
    const auto row = graph.neighbors(static_cast<std::int64_t>(vertex));
    const bool has_loop =
        std::binary_search(row.begin(), row.end(), static_cast<std::int32_t>(vertex));
    weights[vertex] = count_of(row) + (has_loop ? 0 : 1);
    total += weights[vertex];
  }
  const double mean = static_cast<double>(total) / static_cast<double>(weights.size());
  const double smallest =
      *std::min_element(shares.begin(), shares.end()) * static_cast<double>(total);
  const std::int64_t cap = std::llround(std::max(hub_share * smallest, hub_times_mean * mean));
  for (std::int64_t& weight : weights)
    weight = std::min(weight, cap);
  return weights;
}

std::vector<std::int64_t> training_weights(std::span<const std::int8_t> roles) {
  std::vector<std::int64_t> weights;
  weights.reserve(roles.size());
  for (const std::int8_t role : roles) {
    weights.push_back(role == static_cast<std::int8_t>(datasets::SplitRole::train) ? 1 : 0);
  }
  return weights;
}

// One constraint: a name and a weight a vertex.
struct Constraint {
  std::string name;
  std::vector<std::int64_t> weights;
};

std::vector<Constraint> wanted_constraints(const datasets::Dataset& dataset,
                                           const PartitionOptions& options,
                                           std::span<const double> shares) {
  std::vector<Constraint> wanted;
  if (options.balance_edges) wanted.push_back({"edges", edge_weights(dataset.graph, shares)});
  if (options.balance_training) {
    std::vector<std::int64_t> training = training_weights(balanced_split(dataset, options));
    if (std::count(training.begin(), training.end(), 1) >= count_of(shares)) {
      wanted.push_back({"training", std::move(training)});
    }
  }
  if (options.balance_vertices || wanted.empty()) {
    const std::vector<std::int64_t> ones(position(dataset.num_vertices), 1);
    wanted.insert(wanted.begin(), {"vertices", ones});
  }
  return wanted;
}

}  // namespace

bool is_symmetric_without_loops(const graph::CsrView& graph) {
  struct Sums {
    std::uint64_t difference = 0;
    bool has_loop = false;
  };
  const Sums sums = tbb::parallel_reduce(
      tbb::blocked_range<std::int64_t>(0, graph.num_vertices(), 1024), Sums{},
      [&](const tbb::blocked_range<std::int64_t>& rows, Sums partial) {
        for (std::int64_t row = rows.begin(); row < rows.end(); ++row) {
          for (const std::int32_t source : graph.neighbors(row)) {
            partial.has_loop = partial.has_loop || source == row;
            partial.difference +=
                mix_pair(row, source) - mix_pair(source, static_cast<std::int32_t>(row));
          }
        }
        return partial;
      },
      [](Sums a, const Sums& b) {
        a.difference += b.difference;
        a.has_loop = a.has_loop || b.has_loop;
        return a;
      });
  return !sums.has_loop && sums.difference == 0;
}

SymmetricGraph symmetric_graph(const graph::CsrView& graph) {
  if (is_symmetric_without_loops(graph)) return {{}, graph};
  SymmetricGraph result{graph::symmetrized_without_loops(graph), {}};
  result.view = result.made.view();
  return result;
}

BalanceWeights balance_weights(const datasets::Dataset& dataset,
                               const PartitionOptions& options,
                               std::span<const double> shares) {
  const std::vector<Constraint> wanted = wanted_constraints(dataset, options, shares);
  BalanceWeights result;
  result.weights.resize(position(dataset.num_vertices) * wanted.size());
  for (std::size_t c = 0; c < wanted.size(); ++c) {
    const std::vector<std::int64_t>& weights = wanted[c].weights;
    result.names.push_back(wanted[c].name);
    result.totals.push_back(std::accumulate(weights.begin(), weights.end(), std::int64_t{0}));
    for (std::size_t vertex = 0; vertex < weights.size(); ++vertex) {
      // The cap and the count of arcs keep a weight below 2^31.
      result.weights[vertex * wanted.size() + c] = static_cast<std::int32_t>(weights[vertex]);
    }
  }
  return result;
}

}  // namespace weft::partition
