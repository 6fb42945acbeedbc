// SPDX-License-Identifier: MIT
// The graphs of the figures, with random features and labels, and the part that one rank has of
// them, in the order that Weft chooses or in the order of the shuffled ids.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "datasets/dataset.hpp"
#include "partition/part.hpp"

namespace weft::bench {

inline constexpr std::int64_t bench_features = 128;
inline constexpr int bench_classes = 40;

struct GraphSetting {
  std::string kind = "communities";  ///< or "rmat"
  std::int64_t num_vertices = 1 << 18;
  double mean_degree = 61;             ///< 16 M arcs for 2^18 vertices; rmat: repeats included
  std::int64_t num_communities = 256;  ///< of 1,024 vertices each for 2^18
};

/// Planted communities of equal size with 80 % of the edges inside, or R-MAT with the usual .57 .19
/// .19 .05; ids shuffled, repeats merged, both directions, no loops. 128 features, 40 classes; the
/// split "tenth" trains a tenth of the vertices, "twelfth" one in twelve, "hundredth" one in a
/// hundred.
///
/// Errors   InputError for another kind
[[nodiscard]] datasets::Dataset make_bench_dataset(const GraphSetting& setting);

/// The parts of a dataset as `weft partition` makes them: METIS, Weft's order.
class PartsOf {
 public:
  /// `dataset` must outlive this.
  PartsOf(const datasets::Dataset& dataset, int num_parts);
  [[nodiscard]] partition::Part build(int part) const;

 private:
  const datasets::Dataset& dataset_;
  int num_parts_;
  std::vector<std::int32_t> owner_;
  std::vector<std::int32_t> place_;
};

enum class IdOrder { shuffled, chosen };

struct OrderedPart {
  partition::Part part;
  std::string order_name;  ///< what was chosen
};

/// The whole dataset as one part. `chosen` is the order of `weft partition`.
[[nodiscard]] OrderedPart make_whole_part(const datasets::Dataset& dataset, IdOrder order);

}  // namespace weft::bench
