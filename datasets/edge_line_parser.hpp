// SPDX-License-Identifier: MIT
// Lines of an edge list: `source destination [weight]` among other columns.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "datasets/edge_chunk.hpp"
#include "datasets/id_map.hpp"

namespace weft::datasets {

/// Where the columns of an edge list are.
struct EdgeLineFormat {
  char delimiter = '\0';  ///< '\0' means runs of blanks and tabs
  int num_columns = 2;    ///< every line must have as many
  int source = 0;
  int destination = 1;
  int weight = -1;                ///< -1: none
  std::int64_t pattern_line = 0;  ///< the line that fixed `num_columns`, for messages
  bool allow_negative_weights = false;
};

/// Which ids are allowed and what becomes of them.
struct IdRule {
  /// Numbers in [low, high) become number - low. Collecting ids for a map later takes [0, ...).
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  std::string limit;              ///< what is wrong with a number outside, for messages
  bool collects_numbers = false;  ///< a number that ArcT cannot hold sets `too_wide`, no problem
  bool collects_strings = false;  ///< ids are strings, gathered in the chunk's table
  const IdMap* known = nullptr;   ///< ids of --node-ids: they become vertices, others are a problem
};

/// Parses whole lines; fills `chunk`, which may hold the rubbish of an earlier chunk.
///
/// Cost     for two columns of numbers between blanks, about one pass of a loop over digits
/// Errors   none: problems are collected in `chunk`, with lines from 1
template <typename ArcT>
void parse_edge_lines(std::string_view text,
                      const EdgeLineFormat& format,
                      const IdRule& rule,
                      EdgeChunk<ArcT>& chunk);

}  // namespace weft::datasets
