// SPDX-License-Identifier: MIT
// Which foreign vertices each part reads: the base of numbering, halo plans and quality figures.
//
// The graph may be directed, so what part p must send cannot be read from p's own rows; it is read
// from the rows of its peers. One pass over all rows therefore serves all parts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/csr_graph.hpp"

namespace weft::partition {

/// The vertices grouped by owner, rising inside a group.
class OwnedVertices {
 public:
  /// Cost     O(num_vertices), 4 bytes a vertex
  OwnedVertices(std::span<const std::int32_t> owner, int num_parts);

  [[nodiscard]] int num_parts() const { return static_cast<int>(begin_.size()) - 1; }
  [[nodiscard]] std::span<const std::int32_t> of(int part) const;

 private:
  std::vector<std::int64_t> begin_;     // [num_parts + 1]
  std::vector<std::int32_t> vertices_;  // [num_vertices]
};

/// The foreign vertices that one part reads, sorted by (owner, global id).
struct HaloSet {
  /// Those of one owner: vertices[begin, end).
  struct Run {
    int owner = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;
  };
  std::vector<std::int32_t> vertices;
  std::vector<Run> runs;  ///< rising by owner, none empty

  /// The vertices that belong to `owner`; empty if there are none.
  [[nodiscard]] std::span<const std::int32_t> of(int owner) const;
};

/// A set of vertices that many threads may add to; it lists its members in rising order.
class VertexMarks {
 public:
  explicit VertexMarks(std::int64_t num_vertices);

  /// Safe to call from many threads.
  void add(std::int32_t vertex);
  /// Returns the members, rising, and leaves the set empty.
  [[nodiscard]] std::vector<std::int32_t> take();

 private:
  std::vector<std::uint64_t> words_;
};

/// Every owner: no vertex is left out of a halo set.
inline constexpr int any_owner = -1;

/// The halo set of `part`; with `only_owner` just the vertices that this part owns.
///
/// Cost     O(edges of the part + num_vertices / 64), parallel over rows; `marks` is scratch
[[nodiscard]] HaloSet find_halo_set(const graph::CsrView& graph,
                                    std::span<const std::int32_t> owner,
                                    const OwnedVertices& owned,
                                    int part,
                                    VertexMarks& marks,
                                    int only_owner = any_owner);

/// The halo sets of all parts.
///
/// Cost     O(num_edges + num_parts * num_vertices / 64); 4 bytes a halo row of all parts
[[nodiscard]] std::vector<HaloSet> find_halo_sets(const graph::CsrView& graph,
                                                  std::span<const std::int32_t> owner,
                                                  const OwnedVertices& owned);

}  // namespace weft::partition
