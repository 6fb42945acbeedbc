// SPDX-License-Identifier: MIT
// Look-up by binary search over the vertices in the order of their ids.
#include "datasets/id_map.hpp"

#include <algorithm>
#include <numeric>

namespace weft::datasets {

namespace {

template <typename Id>
std::int64_t search(const std::vector<Id>& ids,
                    const std::vector<std::int32_t>& by_id,
                    const auto& wanted) {
  const auto vertex_at = [&](std::size_t rank) {
    return by_id.empty() ? rank : static_cast<std::size_t>(by_id[rank]);
  };
  std::size_t low = 0;
  std::size_t high = ids.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (ids[vertex_at(middle)] < wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == ids.size() || ids[vertex_at(low)] != wanted) return -1;
  return static_cast<std::int64_t>(vertex_at(low));
}

template <typename Id>
std::vector<std::int32_t> order_of(const std::vector<Id>& ids) {
  if (std::is_sorted(ids.begin(), ids.end())) return {};
  std::vector<std::int32_t> order(ids.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&ids](std::int32_t a, std::int32_t b) {
    const Id& left = ids[static_cast<std::size_t>(a)];
    const Id& right = ids[static_cast<std::size_t>(b)];
    return left < right || (left == right && a < b);
  });
  return order;
}

template <typename Id>
std::optional<std::pair<std::int64_t, std::int64_t>> repeated_in(
    const std::vector<Id>& ids, const std::vector<std::int32_t>& by_id) {
  for (std::size_t rank = 1; rank < ids.size(); ++rank) {
    const std::size_t left = by_id.empty() ? rank - 1 : static_cast<std::size_t>(by_id[rank - 1]);
    const std::size_t right = by_id.empty() ? rank : static_cast<std::size_t>(by_id[rank]);
    if (ids[left] == ids[right]) return std::pair<std::int64_t, std::int64_t>(left, right);
  }
  return std::nullopt;
}

}  // namespace

IdMap IdMap::consecutive(std::int64_t num_vertices, std::int64_t first_id) {
  IdMap map;
  map.size_ = num_vertices;
  map.first_id_ = first_id;
  return map;
}

IdMap::IdMap(std::vector<std::int64_t> ids)
    : size_(static_cast<std::int64_t>(ids.size())),
      is_consecutive_(false),
      numbers_(std::move(ids)),
      by_id_(order_of(numbers_)) {}

IdMap::IdMap(std::vector<std::string> ids)
    : size_(static_cast<std::int64_t>(ids.size())),
      is_consecutive_(false),
      strings_(std::move(ids)),
      by_id_(order_of(strings_)) {}

std::optional<std::pair<std::int64_t, std::int64_t>> IdMap::find_repeated() const {
  return has_strings() ? repeated_in(strings_, by_id_) : repeated_in(numbers_, by_id_);
}

std::int64_t IdMap::find(std::uint64_t id) const {
  if (id > static_cast<std::uint64_t>(INT64_MAX)) return -1;
  const auto number = static_cast<std::int64_t>(id);
  if (!is_consecutive_) return search(numbers_, by_id_, number);
  return number < first_id_ || number - first_id_ >= size_ ? -1 : number - first_id_;
}

std::int64_t IdMap::find(std::string_view id) const {
  return search(strings_, by_id_, id);
}

std::vector<std::int64_t> IdMap::take_numbers() {
  if (!is_consecutive_) return std::move(numbers_);
  if (first_id_ == 0) return {};
  std::vector<std::int64_t> ids(static_cast<std::size_t>(size_));
  std::iota(ids.begin(), ids.end(), first_id_);
  return ids;
}

}  // namespace weft::datasets
