// SPDX-License-Identifier: MIT
#include "partition/own_methods.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "datasets/dataset.hpp"
#include "graph/support/error.hpp"
#include "graph/support/random.hpp"
#include "partition/indexing.hpp"

namespace weft::partition {
namespace {

// Gives the vertices of `order` to parts in ranges of the wanted sizes. Each range ends at the
// rounded share, but leaves at least one vertex to each part while there are enough.
void cut_order(std::span<const std::int32_t> order,
               std::span<const double> shares,
               std::span<std::int32_t> owner) {
  const std::int64_t num_vertices = count_of(order);
  const std::int64_t num_parts = count_of(shares);
  const bool fill_all = num_vertices >= num_parts;
  double share = 0;
  std::int64_t begin = 0;
  for (std::int64_t part = 0; part < num_parts; ++part) {
    share += shares[position(part)];
    std::int64_t end = std::llround(share * static_cast<double>(num_vertices));
    if (fill_all) end = std::clamp(end, begin + 1, num_vertices - (num_parts - 1 - part));
    if (part == num_parts - 1) end = num_vertices;
    for (; begin < end; ++begin) {
      owner[position(order[position(begin)])] = static_cast<std::int32_t>(part);
    }
  }
}

std::vector<std::int32_t> rising_ids(std::int64_t num_vertices) {
  std::vector<std::int32_t> ids(position(num_vertices));
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

constexpr std::uint8_t unseen = 0;
constexpr std::uint8_t probed = 1;  // met by the search for a far end
constexpr std::uint8_t ordered = 2;

// Appends to `order` what can be reached from `start` over vertices whose state is `from`.
void append_reachable(const graph::CsrView& graph,
                      std::int32_t start,
                      std::uint8_t from,
                      std::vector<std::uint8_t>& state,
                      std::vector<std::int32_t>& order) {
  const auto to = static_cast<std::uint8_t>(from + 1);
  std::size_t next = order.size();
  order.push_back(start);
  state[position(start)] = to;
  for (; next < order.size(); ++next) {
    for (const std::int32_t neighbor : graph.neighbors(order[next])) {
      if (state[position(neighbor)] != from) continue;
      state[position(neighbor)] = to;
      order.push_back(neighbor);
    }
  }
}

// Breadth-first order of the vertices whose state is unseen. The last vertex of a first search is
// a far end of its component, so the second search sweeps from one end to the other.
std::vector<std::int32_t> breadth_first_order(const graph::CsrView& graph,
                                              std::vector<std::uint8_t>& state) {
  std::vector<std::int32_t> order;
  std::vector<std::int32_t> probe;
  for (std::int64_t vertex = 0; vertex < graph.num_vertices(); ++vertex) {
    if (state[position(vertex)] != unseen) continue;
    probe.clear();
    append_reachable(graph, static_cast<std::int32_t>(vertex), unseen, state, probe);
    append_reachable(graph, probe.back(), probed, state, order);
  }
  return order;
}

}  // namespace

std::vector<std::int32_t> block_owners(std::int64_t num_vertices, std::span<const double> shares) {
  std::vector<std::int32_t> owner(position(num_vertices));
  cut_order(rising_ids(num_vertices), shares, owner);
  return owner;
}

std::vector<std::int32_t> random_owners(std::int64_t num_vertices,
                                        std::span<const double> shares,
                                        std::uint64_t seed) {
  const RandomKey key = random_key(seed, RandomPurpose::partition);
  std::vector<std::uint64_t> draw(position(num_vertices));
  for (std::size_t vertex = 0; vertex < draw.size(); ++vertex) {
    const auto words = random_block(key, vertex, 0);
    draw[vertex] = (std::uint64_t{words[0]} << 32) | words[1];
  }
  std::vector<std::int32_t> order = rising_ids(num_vertices);
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return draw[position(a)] != draw[position(b)] ? draw[position(a)] < draw[position(b)] : a < b;
  });
  std::vector<std::int32_t> owner(order.size());
  cut_order(order, shares, owner);
  return owner;
}

std::vector<std::int32_t> breadth_first_owners(const graph::CsrView& graph,
                                               std::span<const double> shares) {
  std::vector<std::uint8_t> state(position(graph.num_vertices()), unseen);
  std::vector<std::int32_t> owner(state.size());
  cut_order(breadth_first_order(graph, state), shares, owner);
  return owner;
}

std::vector<std::int32_t> dealt_owners(std::int64_t num_vertices,
                                       std::span<const std::int8_t> roles,
                                       std::span<const double> shares) {
  std::vector<std::int32_t> order = rising_ids(num_vertices);
  const auto is_training = [&](std::int32_t vertex) {
    return !roles.empty() &&
           roles[position(vertex)] == static_cast<std::int8_t>(datasets::SplitRole::train);
  };
  const auto others = std::stable_partition(order.begin(), order.end(), is_training);
  const auto num_training = static_cast<std::size_t>(others - order.begin());
  std::vector<std::int32_t> owner(order.size());
  cut_order(std::span(order).first(num_training), shares, owner);
  cut_order(std::span(order).subspan(num_training), shares, owner);
  return owner;
}

int fill_empty_parts(const graph::CsrView& graph, int num_parts, std::span<std::int32_t> owner) {
  std::vector<std::int64_t> sizes(position(num_parts), 0);
  for (const std::int32_t part : owner)
    ++sizes[position(part)];
  const auto num_empty = static_cast<int>(std::count(sizes.begin(), sizes.end(), 0));
  for (int part = 0; part < num_parts; ++part) {
    if (sizes[position(part)] > 0) continue;
    const auto largest = std::max_element(sizes.begin(), sizes.end());
    const auto donor = static_cast<std::int32_t>(largest - sizes.begin());
    WEFT_ASSERT(*largest > 1);
    std::vector<std::uint8_t> state(owner.size(), ordered);
    for (std::size_t vertex = 0; vertex < owner.size(); ++vertex) {
      if (owner[vertex] == donor) state[vertex] = unseen;
    }
    const auto order = breadth_first_order(graph, state);
    const std::int64_t moved = *largest / 2;
    for (std::int64_t i = 0; i < moved; ++i)
      owner[position(order[position(i)])] = part;
    sizes[position(part)] = moved;
    *largest -= moved;
  }
  return num_empty;
}

}  // namespace weft::partition
