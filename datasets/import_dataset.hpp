// SPDX-License-Identifier: MIT
// From the files that people have to a dataset.
//
// Rule of rows: row i of features, labels, splits and node ids is vertex i. With contiguous and
// one-based ids vertex i is the i-th id; with sparse and string ids it is the i-th id in rising
// (for names: bytewise) order, unless --node-ids gives the id of each row.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "datasets/dataset.hpp"
#include "datasets/edge_list_reader.hpp"
#include "datasets/source_folder.hpp"
#include "graph/csr_build.hpp"
#include "graph/support/timing.hpp"

namespace weft::datasets {

/// What the pairs of an edge list mean; the bytes do not say.
enum class Direction {
  as_written,  ///< arcs as they are; a note says how many have their reverse
  directed,    ///< arcs as they are
  undirected,  ///< the reverse of every arc is added
};

struct ImportOptions {
  std::filesystem::path source;  ///< an edge list, or a folder with the usual file names
  SourceFiles files;             ///< features, labels, splits and ids named by the user
  EdgeListOptions edges;
  std::optional<std::int64_t> num_vertices;
  Direction direction = Direction::as_written;
  std::optional<graph::Repeats> repeats;  ///< by default sum, where an arc without weight counts
                                          ///< 1; keep_one where weights are refused
  graph::Loops loops = graph::Loops::keep;
  std::optional<Task> task;  ///< single_label by default where there are labels
  bool labels_by_id = false;
  std::string name;     ///< by default: of the source
  std::string how;      ///< the user's command, for the provenance
  int num_threads = 0;  ///< 0: as many as the process may use
};

/// What was read, decided and noticed.
struct ImportReport {
  std::string form;  ///< of the edge list
  LineCounts lines;
  graph::BuildReport build;
  std::vector<std::string> notes;
  std::vector<std::string> warnings;
};

/// Bytes that an import is expected to hold at its peak: the program, the side files, and what
/// reading the edges or building the graph takes, for as many arcs as a sample of the edge list
/// promises. Names, and ids so large that they have to be sorted, take more.
///
/// Cost     reads about 1 MiB of the edge list
/// Errors   InputError as `import_dataset` where a file cannot be opened
[[nodiscard]] std::int64_t estimated_peak_bytes(const ImportOptions& options);

/// Reads all files, checks them against each other and builds the graph. Nothing is written.
///
/// Cost     time of one pass over the edge list and a sort of its arcs; see edge_list_reader and
///          csr_build for memory
/// Errors   InputError that names file, line, what was found and what was expected
[[nodiscard]] Dataset import_dataset(const ImportOptions& options,
                                     ImportReport& report,
                                     const ProgressCallback& progress = {});

}  // namespace weft::datasets
