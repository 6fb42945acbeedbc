// SPDX-License-Identifier: MIT
#include "partition/vertex_cover.hpp"

#include <algorithm>
#include <utility>

#include "graph/support/error.hpp"
#include "partition/indexing.hpp"

namespace weft::partition {
namespace {

constexpr std::int32_t none = -1;

// A matching that grows by shortest augmenting paths: each leads from a free destination over an
// arc to a source, over that source's matched arc to a destination, and so on to a free source.
class Matching {
 public:
  explicit Matching(const BipartiteGraph& graph)
      : graph_(graph),
        destination_of_(position(graph.num_sources), none),
        source_of_(position(graph.num_destinations()), none),
        layer_(source_of_.size(), none),
        path_(source_of_.size()),
        next_arc_(source_of_.size()) {
    WEFT_ASSERT(graph.row_ptr.empty() || graph.row_ptr.back() == count_of(graph.col_idx));
  }

  void grow_to_maximum() {
    match_greedily();
    while (find_layers()) {
      for (std::int32_t destination = 0; destination < graph_.num_destinations(); ++destination) {
        if (source_of_[position(destination)] == none) augment_from(destination);
      }
    }
  }

  // Koenig's cover: sources that an alternating path from a free destination reaches, and
  // destinations that none does. The last layers, which met no free source, hold what is reached.
  // A reached source is matched, so its destination is reached through it.
  [[nodiscard]] VertexCover cover() const {
    VertexCover cover;
    cover.has_source.reserve(destination_of_.size());
    for (const std::int32_t destination : destination_of_) {
      const bool reached = destination != none && layer_[position(destination)] != none;
      cover.has_source.push_back(reached ? 1 : 0);
    }
    cover.has_destination.reserve(layer_.size());
    for (const std::int32_t layer : layer_)
      cover.has_destination.push_back(layer == none ? 1 : 0);
    return cover;
  }

 private:
  // Gives each destination its first free source: most of the matching at the cost of one walk.
  void match_greedily() {
    for (std::int32_t destination = 0; destination < graph_.num_destinations(); ++destination) {
      for (const std::int32_t source : graph_.sources(destination)) {
        if (destination_of_[position(source)] != none) continue;
        match(source, destination);
        break;
      }
    }
  }

  void match(std::int32_t source, std::int32_t destination) {
    destination_of_[position(source)] = destination;
    source_of_[position(destination)] = source;
  }

  // Numbers the destinations by their distance from the free ones, up to the first layer that has
  // an arc to a free source; returns whether there is one. `path_` serves as the queue.
  bool find_layers() {
    std::size_t queued = 0;
    for (std::size_t destination = 0; destination < layer_.size(); ++destination) {
      layer_[destination] = source_of_[destination] == none ? 0 : none;
      next_arc_[destination] = graph_.row_ptr[destination];
      if (layer_[destination] == 0) path_[queued++] = static_cast<std::int32_t>(destination);
    }
    bool found = false;
    std::int32_t last_layer = graph_.num_destinations();
    for (std::size_t head = 0; head < queued; ++head) {
      const std::int32_t destination = path_[head];
      const std::int32_t layer = layer_[position(destination)];
      if (layer > last_layer) break;
      for (const std::int32_t source : graph_.sources(destination)) {
        const std::int32_t onward = destination_of_[position(source)];
        if (onward == none) {
          found = true;
          last_layer = layer;
        } else if (layer_[position(onward)] == none) {
          layer_[position(onward)] = layer + 1;
          path_[queued++] = onward;
        }
      }
    }
    return found;
  }

  // Walks in depth along rising layers from a free destination; the walk so far is `path_`. Every
  // destination continues after the last arc that it tried, so a phase tries each arc once.
  void augment_from(std::int32_t free_destination) {
    std::size_t depth = 0;
    path_[depth] = free_destination;
    while (true) {
      const std::int32_t destination = path_[depth];
      const EdgeOffset arc = next_arc_[position(destination)]++;
      if (arc < graph_.row_ptr[position(destination) + 1]) {
        const std::int32_t onward = destination_of_[position(graph_.col_idx[position(arc)])];
        if (onward == none) return flip_path(depth);
        if (layer_[position(onward)] == layer_[position(destination)] + 1) path_[++depth] = onward;
      } else {
        // Left behind by its own arcs, it is not entered again in this phase.
        layer_[position(destination)] = none;
        if (depth-- == 0) return;
      }
    }
  }

  // Every destination of the path takes the source whose arc it tried last.
  void flip_path(std::size_t depth) {
    for (std::size_t i = 0; i <= depth; ++i) {
      const std::int32_t destination = path_[i];
      const EdgeOffset tried = next_arc_[position(destination)] - 1;
      match(graph_.col_idx[position(tried)], destination);
    }
  }

  const BipartiteGraph& graph_;
  std::vector<std::int32_t> destination_of_;  // [num_sources], matched, or none
  std::vector<std::int32_t> source_of_;       // [num_destinations], matched, or none
  std::vector<std::int32_t> layer_;           // [num_destinations], or none: not reached
  std::vector<std::int32_t> path_;            // [num_destinations]
  std::vector<EdgeOffset> next_arc_;          // [num_destinations]
};

}  // namespace

std::int64_t VertexCover::size() const {
  return std::count(has_source.begin(), has_source.end(), 1) +
         std::count(has_destination.begin(), has_destination.end(), 1);
}

VertexCover minimum_vertex_cover(const BipartiteGraph& graph) {
  Matching matching(graph);
  matching.grow_to_maximum();
  return matching.cover();
}

}  // namespace weft::partition
