// SPDX-License-Identifier: MIT
// From the ids of the user's files to vertices 0..N-1 and back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft::datasets {

class IdMap {
 public:
  IdMap() = default;
  /// Vertex v has the id v + `first_id`.
  [[nodiscard]] static IdMap consecutive(std::int64_t num_vertices, std::int64_t first_id = 0);
  /// Vertex v has the id `ids[v]`; any order.
  explicit IdMap(std::vector<std::int64_t> ids);
  explicit IdMap(std::vector<std::string> ids);

  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] bool has_strings() const { return !strings_.empty(); }
  /// Two vertices of one id, the earlier first, if there are any.
  [[nodiscard]] std::optional<std::pair<std::int64_t, std::int64_t>> find_repeated() const;

  /// The vertex of an id, -1 where no vertex has it. Cost   O(log N), O(1) for consecutive ids
  [[nodiscard]] std::int64_t find(std::uint64_t id) const;
  [[nodiscard]] std::int64_t find(std::string_view id) const;

  /// The ids by vertex, empty where they are 0..N-1; `find` must not be called afterwards.
  [[nodiscard]] std::vector<std::int64_t> take_numbers();
  [[nodiscard]] std::vector<std::string> take_strings() { return std::move(strings_); }

 private:
  std::int64_t size_ = 0;
  std::int64_t first_id_ = 0;
  bool is_consecutive_ = true;
  std::vector<std::int64_t> numbers_;
  std::vector<std::string> strings_;
  std::vector<std::int32_t> by_id_;  ///< vertices in rising order of id; empty where 0..N-1 is it
};

}  // namespace weft::datasets
