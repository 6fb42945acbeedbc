// SPDX-License-Identifier: MIT
// Edges parsed from one chunk of a file, and from all of it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "datasets/id_compaction.hpp"
#include "datasets/input_problems.hpp"
#include "datasets/text_source.hpp"
#include "graph/edge_list.hpp"
#include "graph/support/timing.hpp"

namespace weft::datasets {

/// Lines of a file by kind.
struct LineCounts {
  std::int64_t lines = 0;
  std::int64_t comments = 0;
  std::int64_t blanks = 0;

  LineCounts& operator+=(const LineCounts& other) {
    lines += other.lines;
    comments += other.comments;
    blanks += other.blanks;
    return *this;
  }
};

/// Different strings in the order in which they were first met.
class StringTable {
 public:
  /// The position of `name`, added if it is new.
  std::int32_t add(std::string_view name);
  void clear();
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] std::vector<std::string> take() { return std::move(names_); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const {
      return std::hash<std::string_view>{}(name);
    }
  };
  std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> positions_;
  std::vector<std::string> names_;
};

/// What a parser fills from one chunk. Arrays keep their size from chunk to chunk (growing them
/// writes zeros that nobody reads); `num_arcs` says how much of them counts.
template <typename ArcT>
struct EdgeChunk {
  std::vector<ArcT> arcs;
  std::vector<float> weights;  ///< as long as `arcs` where the file has weights
  std::size_t num_arcs = 0;
  LineCounts counts;
  InputProblems problems;  ///< lines from 1 inside the chunk
  StringTable names;       ///< of string ids; arcs hold positions in it
  bool too_wide = false;   ///< an id needs more bits than ArcT has

  /// Empties it and makes room for `capacity` arcs.
  void prepare(std::size_t capacity, bool has_weights);
};

/// The edges of a whole file, in file order.
template <typename ArcT>
struct CollectedEdges {
  std::vector<ArcT> arcs;
  std::vector<float> weights;
  LineCounts counts;
  std::vector<std::string> names;  ///< of string ids, in order of appearance
  bool too_wide = false;
};

/// Parses the text of one chunk, whole lines, into an empty EdgeChunk.
template <typename ArcT>
using ChunkParser = std::function<void(std::string_view text, EdgeChunk<ArcT>& chunk)>;

/// Parses the rest of `source` on all threads; `before` counts the lines already taken.
///
/// Cost     arcs are stored once, without doubling, where the source is not compressed
/// Errors   InputError with the problems of all chunks
template <typename ArcT>
[[nodiscard]] CollectedEdges<ArcT> collect_edges(TextSource& source,
                                                 const LineCounts& before,
                                                 const ChunkParser<ArcT>& parse,
                                                 const ProgressCallback& progress);

/// Arcs that `bytes` of text can hold: a line has four bytes at least.
[[nodiscard]] inline std::size_t most_arcs_in(std::size_t bytes) {
  return bytes / 4 + 1;
}

}  // namespace weft::datasets
