// SPDX-License-Identifier: MIT
// The karate club in every edge format that is read, and how to read each file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "datasets/import_dataset.hpp"

namespace weft::datasets::tests {

/// What the weights of a file are, beside those of the reference.
enum class Weights { none, reference, reference_plus_half, skew };

struct KarateFile {
  std::string file;  ///< below formats/good
  Weights weights = Weights::none;
  IdMode ids = IdMode::automatic;
};

inline std::vector<KarateFile> karate_files() {
  return {{"snap/karate.txt"},
          {"snap/karate.txt.gz"},
          {"snap/karate.txt.zst"},
          {"snap/karate_bom.txt"},
          {"snap/karate_both_directions.txt"},
          {"snap/karate_crlf.txt"},
          {"snap/karate_duplicates_loops.txt"},
          {"snap/karate_mixed_blanks.txt"},
          {"snap/karate_no_final_newline.txt"},
          {"snap/karate_sparse_ids.txt"},
          {"snap/karate_two_members.txt.gz"},
          {"csv/edges.csv"},
          {"csv/edges.csv.gz"},
          {"csv/edges.tsv", Weights::reference},
          {"csv/edges_noheader.csv"},
          {"csv/edges_string_ids.csv", Weights::none, IdMode::string},
          {"csv/edges_weighted.csv", Weights::reference_plus_half},
          {"mtx/KARATE_UPPERCASE.mtx"},
          {"mtx/karate_integer_symmetric.mtx", Weights::reference},
          {"mtx/karate_pattern_general.mtx"},
          {"mtx/karate_pattern_symmetric.mtx"},
          {"mtx/karate_real_general.mtx", Weights::reference},
          {"mtx/karate_real_skew.mtx", Weights::skew}};
}

/// Options that read `karate` from below `good` as an undirected graph without loops.
inline ImportOptions karate_options(const KarateFile& karate, const std::filesystem::path& path) {
  ImportOptions options;
  options.source = path;
  options.edges.ids = karate.ids;
  options.edges.allow_negative_weights = karate.weights == Weights::skew;
  options.direction =
      karate.weights == Weights::skew ? Direction::as_written : Direction::undirected;
  options.loops = graph::Loops::drop;
  return options;
}

}  // namespace weft::datasets::tests
