// SPDX-License-Identifier: MIT
#include "partition/metis_input.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>

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

std::int64_t edge_weight_cap(const datasets::Dataset& dataset, std::span<const double> shares) {
  const auto total = static_cast<double>(dataset.graph.num_edges() + dataset.num_vertices);
  const double mean = total / static_cast<double>(dataset.num_vertices);
  const double smallest = *std::min_element(shares.begin(), shares.end());
  return std::llround(std::max(hub_share * smallest * total, hub_times_mean * mean));
}

bool is_training(std::span<const std::int8_t> roles, std::int64_t vertex) {
  return roles[position(vertex)] == static_cast<std::int8_t>(datasets::SplitRole::train);
}

// One constraint: a name and the weight of a vertex.
struct Constraint {
  std::string name;
  std::function<std::int64_t(std::int64_t)> weight_of;
};

std::vector<Constraint> wanted_constraints(const datasets::Dataset& dataset,
                                           const PartitionOptions& options,
                                           std::span<const double> shares) {
  std::vector<Constraint> wanted;
  if (options.balance_edges) {
    const graph::CsrView graph = dataset.graph;
    const std::int64_t cap = edge_weight_cap(dataset, shares);
    wanted.push_back({"edges", [graph, cap](std::int64_t vertex) {
                        return std::min<std::int64_t>(graph.degree(vertex) + 1, cap);
                      }});
  }
  const auto roles = balanced_split(dataset, options);
  const auto train = static_cast<std::int8_t>(datasets::SplitRole::train);
  if (options.balance_training &&
      std::count(roles.begin(), roles.end(), train) >= count_of(shares)) {
    wanted.push_back({"training", [roles](std::int64_t vertex) {
                        return std::int64_t{is_training(roles, vertex) ? 1 : 0};
                      }});
  }
  if (options.balance_vertices || wanted.empty()) {
    wanted.insert(wanted.begin(), {"vertices", [](std::int64_t) { return std::int64_t{1}; }});
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
  result.totals.assign(wanted.size(), 0);
  result.weights.resize(position(dataset.num_vertices) * wanted.size());
  for (std::size_t c = 0; c < wanted.size(); ++c) {
    result.names.push_back(wanted[c].name);
    for (std::int64_t vertex = 0; vertex < dataset.num_vertices; ++vertex) {
      const std::int64_t weight = wanted[c].weight_of(vertex);
      result.totals[c] += weight;
      result.weights[position(vertex) * wanted.size() + c] = static_cast<std::int32_t>(weight);
    }
  }
  return result;
}

}  // namespace weft::partition
