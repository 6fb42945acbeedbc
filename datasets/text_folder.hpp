// SPDX-License-Identifier: MIT
// Datasets as the text files that people exchange, for trying out `weft import`.
#pragma once

#include <filesystem>

#include "datasets/dataset.hpp"
#include "graph/support/timing.hpp"

namespace weft::datasets {

/// Writes the arcs as a SNAP edge list: comments with the counts, then "u<TAB>v" a line (and the
/// weight, if there are weights). An undirected edge is written once, smaller id first.
///
/// Cost     one pass; about 20 million lines a second where the disk keeps up
/// Errors   RuntimeError that names the path
void write_edges_text(const Dataset& dataset,
                      const std::filesystem::path& path,
                      const ProgressCallback& progress = {});

/// Writes edges.txt, features.npy (dense), labels.txt and split.txt to a new folder, atomically.
/// Errors   InputError if `folder` exists and is not empty, or the labels are not one class a
/// vertex
void write_text_folder(const Dataset& dataset,
                       const std::filesystem::path& folder,
                       const ProgressCallback& progress = {});

}  // namespace weft::datasets
