// SPDX-License-Identifier: MIT
// Parses the chunks of a text source on all threads and joins the results in file order.
//
// Reading (and decompressing) the next chunk, parsing several and joining the oldest go on at the
// same time. The number of chunks in flight is bounded, so memory is too.
#pragma once

#include <cstddef>
#include <functional>

#include "datasets/text_source.hpp"
#include "graph/support/timing.hpp"

namespace weft::datasets {

/// How one file is parsed. A slot is the place of one chunk in flight, 0 .. num_slots() - 1: the
/// caller keeps an array of results of that size and reuses their memory.
struct ChunkWork {
  /// Parses `chunk` into slot `slot`; called by several threads at a time, each with its own slot.
  std::function<void(const TextChunk& chunk, std::size_t slot)> parse;
  /// Joins slot `slot` to the result; called in file order, one at a time. False stops.
  std::function<bool(std::size_t slot)> join;
};

/// How many slots `process_chunks` uses in the caller's oneTBB arena.
[[nodiscard]] std::size_t num_chunk_slots();

/// Runs `work` over what is left of `source` in chunks of about `chunk_bytes`.
/// Errors   whatever the functions of `work` throw
void process_chunks(TextSource& source,
                    std::size_t chunk_bytes,
                    const ChunkWork& work,
                    const ProgressCallback& progress = {});

}  // namespace weft::datasets
