// SPDX-License-Identifier: MIT
// What must hold between labels, splits and graph, and what only looks wrong.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "datasets/id_map.hpp"
#include "datasets/label_reader.hpp"
#include "datasets/split_reader.hpp"
#include "graph/csr_build.hpp"
#include "graph/csr_graph.hpp"

namespace weft::datasets {

/// Labels and splits with the files that they come from.
struct LabelledSplits {
  const LabelInput& labels;
  const SplitInput& splits;
  Task task;
  const std::filesystem::path& label_file;
  const std::filesystem::path& split_file;
  std::int64_t max_decompressed_bytes;
};

/// Lines `id class` read as one class a line would be a class of its own each. Classes may be names
/// with blanks, so only the ids tell: they begin nearly every line.
/// Errors   InputError at the first such line
void refuse_ids_as_classes(const LabelledSplits& all, const IdMap& ids);

/// Warns of classes that no vertex has.
void check_classes(const LabelledSplits& all, std::vector<std::string>& warnings);

/// Warns of classes without a training vertex and of vertices without label in a split: they count
/// nowhere, and real splits have some.
/// Errors   InputError if no training vertex of a split has a label
void check_splits(const LabelledSplits& all, std::vector<std::string>& warnings);

/// The share of arcs, loops aside, that have their reverse: "97.3 %", rounded down, so that 100 %
/// means all.
[[nodiscard]] std::string reciprocal_share(const graph::CsrView& graph,
                                           const graph::BuildReport& report);

}  // namespace weft::datasets
