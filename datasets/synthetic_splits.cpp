// SPDX-License-Identifier: MIT
#include "datasets/synthetic_splits.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "graph/support/random.hpp"

namespace weft::datasets {
namespace {

using Roles = std::vector<std::int8_t>;

constexpr std::int64_t most_validation_of_few = 500;
constexpr std::size_t instructor = 0;
constexpr std::size_t president = 33;

constexpr std::int8_t code(SplitRole role) {
  return static_cast<std::int8_t>(role);
}

/// Vertices in random order.
std::vector<std::int32_t> shuffled(std::int64_t num_vertices, std::uint64_t seed) {
  const RandomKey key = random_key(seed, RandomPurpose::generate_split);
  std::vector<std::pair<std::uint32_t, std::int32_t>> draws;
  draws.reserve(static_cast<std::size_t>(num_vertices));
  for (std::int64_t v = 0; v < num_vertices; ++v) {
    draws.emplace_back(random_word(key, static_cast<std::uint64_t>(v)),
                       static_cast<std::int32_t>(v));
  }
  std::sort(draws.begin(), draws.end());
  std::vector<std::int32_t> order;
  order.reserve(draws.size());
  for (const auto& draw : draws)
    order.push_back(draw.second);
  return order;
}

Roles by_shares(const std::vector<std::int32_t>& order, double train, double validation) {
  const auto count = static_cast<double>(order.size());
  const auto num_train = static_cast<std::size_t>(std::llround(train * count));
  const auto num_known = static_cast<std::size_t>(std::llround((train + validation) * count));
  Roles roles(order.size(), code(SplitRole::test));
  for (std::size_t place = 0; place < order.size(); ++place) {
    const auto v = static_cast<std::size_t>(order[place]);
    if (place < num_train) {
      roles[v] = code(SplitRole::train);
    } else if (place < num_known) {
      roles[v] = code(SplitRole::validation);
    }
  }
  return roles;
}

/// A number of training vertices a class, at most half of it (but one at least).
Roles few_of_each_class(const std::vector<std::int32_t>& order,
                        const Dataset& dataset,
                        std::int64_t per_class) {
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(dataset.num_classes));
  for (const std::int32_t label : dataset.labels)
    ++sizes[static_cast<std::size_t>(label)];
  std::int64_t left = dataset.num_vertices;
  Roles roles(order.size(), code(SplitRole::test));
  for (std::int64_t& size : sizes) {
    size = std::min(per_class, (size + 1) / 2);
    left -= size;
  }
  std::int64_t validation = std::min(most_validation_of_few, left / 5);
  for (const std::int32_t vertex : order) {
    const auto v = static_cast<std::size_t>(vertex);
    std::int64_t& wanted = sizes[static_cast<std::size_t>(dataset.labels[v])];
    if (wanted > 0) {
      --wanted;
      roles[v] = code(SplitRole::train);
    } else if (validation > 0) {
      --validation;
      roles[v] = code(SplitRole::validation);
    }
  }
  return roles;
}

/// The karate club's two leaders train, their closest friends validate.
Roles leaders(std::int64_t num_vertices) {
  Roles roles(static_cast<std::size_t>(num_vertices), code(SplitRole::test));
  roles[instructor] = roles[president] = code(SplitRole::train);
  for (const std::size_t friend_of_leader : {1U, 2U, 31U, 32U}) {
    roles[friend_of_leader] = code(SplitRole::validation);
  }
  return roles;
}

}  // namespace

void add_splits(const SyntheticOptions& options, Dataset& dataset) {
  const auto order = shuffled(dataset.num_vertices, options.seed);
  Roles all = by_shares(order, options.train_share, options.validation_share);
  const bool is_karate = options.kind == SyntheticKind::karate;
  const Roles second = is_karate ? leaders(dataset.num_vertices)
                                 : few_of_each_class(order, dataset, options.few_per_class);
  all.insert(all.end(), second.begin(), second.end());
  dataset.split_names = {"random", is_karate ? "leaders" : "few"};
  dataset.splits = keep(dataset, std::move(all));
}

}  // namespace weft::datasets
