// SPDX-License-Identifier: MIT
// Joins parsed chunks in file order, so that the result and the messages are the same for every
// number of threads.
#include "datasets/edge_chunk.hpp"

#include "datasets/chunk_pipeline.hpp"
#include "graph/support/error.hpp"
#include "graph/support/process.hpp"
#include "graph/support/text.hpp"
#include "graph/support/types.hpp"

namespace weft::datasets {

namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 19;

/// Reserves room for a whole plain file by the density of its first chunk. Room that is not used
/// costs addresses, not memory; vectors that double would copy and hold the arcs twice.
template <typename ArcT>
void reserve_for_file(const TextSource& source,
                      const EdgeChunk<ArcT>& first,
                      std::size_t first_bytes,
                      CollectedEdges<ArcT>& all) {
  if (source.encoding() != Encoding::plain || first_bytes == 0) return;
  const double chunks = static_cast<double>(source.file_bytes()) / static_cast<double>(first_bytes);
  const auto room = static_cast<std::size_t>(static_cast<double>(first.num_arcs) * chunks * 1.05);
  all.arcs.reserve(room + 64);
  advise_huge_pages(all.arcs.data(), all.arcs.capacity() * sizeof(ArcT));
  if (!first.weights.empty()) all.weights.reserve(room + 64);
}

/// Replaces positions in the chunk's table by positions in the file's.
template <typename ArcT>
void translate_names(EdgeChunk<ArcT>& chunk, StringTable& all) {
  std::vector<std::int32_t> positions;
  for (const std::string& name : chunk.names.names())
    positions.push_back(all.add(name));
  for (std::size_t i = 0; i < chunk.num_arcs; ++i) {
    chunk.arcs[i].source = positions[static_cast<std::size_t>(chunk.arcs[i].source)];
    chunk.arcs[i].destination = positions[static_cast<std::size_t>(chunk.arcs[i].destination)];
  }
}

}  // namespace

std::int32_t StringTable::add(std::string_view name) {
  const auto found = positions_.find(name);
  if (found != positions_.end()) return found->second;
  if (static_cast<std::int64_t>(names_.size()) >= max_local_vertices) {
    throw InputError("more than 2^31 - 1 different vertex ids; split the graph");
  }
  const auto position = static_cast<std::int32_t>(names_.size());
  names_.emplace_back(name);
  positions_.emplace(names_.back(), position);
  return position;
}

void StringTable::clear() {
  positions_.clear();
  names_.clear();
}

template <typename ArcT>
void EdgeChunk<ArcT>::prepare(std::size_t capacity, bool has_weights) {
  if (arcs.size() < capacity) arcs.resize(capacity);
  if (has_weights && weights.size() < arcs.size()) weights.resize(arcs.size());
  num_arcs = 0;
  counts = {};
  problems.clear();
  if (!names.names().empty()) names.clear();
  too_wide = false;
}

template <typename ArcT>
CollectedEdges<ArcT> collect_edges(TextSource& source,
                                   const LineCounts& before,
                                   const ChunkParser<ArcT>& parse,
                                   const ProgressCallback& progress) {
  CollectedEdges<ArcT> all;
  all.counts = before;
  InputProblems problems;
  StringTable names;
  std::vector<EdgeChunk<ArcT>> slots(num_chunk_slots());
  std::vector<std::size_t> bytes(slots.size());
  const ChunkWork work{[&](const TextChunk& chunk, std::size_t slot) {
                         bytes[slot] = chunk.text.size();
                         parse(chunk.text, slots[slot]);
                       },
                       [&](std::size_t slot) {
                         EdgeChunk<ArcT>& chunk = slots[slot];
                         if (all.arcs.capacity() == 0)
                           reserve_for_file(source, chunk, bytes[slot], all);
                         if (!chunk.names.names().empty()) translate_names(chunk, names);
                         const auto count = static_cast<std::ptrdiff_t>(chunk.num_arcs);
                         all.arcs.insert(all.arcs.end(), chunk.arcs.begin(),
                                         chunk.arcs.begin() + count);
                         if (!chunk.weights.empty()) {
                           all.weights.insert(all.weights.end(), chunk.weights.begin(),
                                              chunk.weights.begin() + count);
                         }
                         problems.append(chunk.problems, all.counts.lines);
                         all.counts += chunk.counts;
                         all.too_wide = all.too_wide || chunk.too_wide;
                         return !all.too_wide;
                       }};
  process_chunks(source, chunk_bytes, work, progress);
  if (!all.too_wide) problems.raise(source.name());
  all.names = names.take();
  return all;
}

template struct EdgeChunk<graph::Arc>;
template struct EdgeChunk<WideArc>;
template CollectedEdges<graph::Arc> collect_edges(TextSource&,
                                                  const LineCounts&,
                                                  const ChunkParser<graph::Arc>&,
                                                  const ProgressCallback&);
template CollectedEdges<WideArc> collect_edges(TextSource&,
                                               const LineCounts&,
                                               const ChunkParser<WideArc>&,
                                               const ProgressCallback&);

}  // namespace weft::datasets
