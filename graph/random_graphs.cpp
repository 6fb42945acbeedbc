// SPDX-License-Identifier: MIT
// Random graphs in which edge i is a function of (seed, i): any number of threads draws the same.
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "graph/generators.hpp"
#include "graph/parallel.hpp"
#include "graph/support/error.hpp"
#include "graph/support/process.hpp"
#include "graph/support/random.hpp"
#include "graph/support/text.hpp"
#include "graph/support/types.hpp"

namespace weft::graph {
namespace {

constexpr std::int64_t grain = 8192;
constexpr std::uint32_t max_attempts = 256;

/// Uniform in (0, 1).
double uniform(std::uint32_t word) {
  return (static_cast<double>(word) + 0.5) * 0x1.0p-32;
}

/// Uniform in [0, count).
std::int64_t below(std::uint32_t word, std::int64_t count) {
  return static_cast<std::int64_t>(
      static_cast<std::uint64_t>(word) * static_cast<std::uint64_t>(count) >> 32);
}

void check_vertices(std::int64_t num_vertices, std::int64_t smallest) {
  if (num_vertices < smallest || num_vertices > max_local_vertices) {
    throw InputError(text("generator: ", num_vertices, " vertices asked for, expected ", smallest,
                          " to ", format_count(max_local_vertices)));
  }
}

/// Draws R-MAT edges with 16 bits a level: eight levels from one Philox block.
class RmatEdges {
 public:
  explicit RmatEdges(const RmatOptions& options)
      : key_(random_key(options.seed, RandomPurpose::generate_edges)),
        num_vertices_(options.num_vertices),
        levels_(
            static_cast<int>(std::bit_width(static_cast<std::uint64_t>(options.num_vertices - 1)))),
        bounds_{bound(options.a), bound(options.a + options.b),
                bound(options.a + options.b + options.c)} {}

  [[nodiscard]] Arc operator()(std::int64_t index) const {
    Arc arc = descend(index, 0);
    for (std::uint32_t attempt = 1; outside(arc) && attempt < max_attempts; ++attempt) {
      arc = descend(index, attempt);
    }
    if (outside(arc)) return {fold(arc.source), fold(arc.destination)};
    return arc;
  }

 private:
  static std::uint32_t bound(double probability) {
    return static_cast<std::uint32_t>(std::lround(probability * 65536.0));
  }

  [[nodiscard]] bool outside(Arc arc) const {
    return arc.source >= num_vertices_ || arc.destination >= num_vertices_;
  }

  [[nodiscard]] std::int32_t fold(std::int32_t vertex) const {
    return static_cast<std::int32_t>(vertex % num_vertices_);
  }

  [[nodiscard]] Arc descend(std::int64_t index, std::uint32_t attempt) const {
    std::uint32_t source = 0;
    std::uint32_t destination = 0;
    std::array<std::uint32_t, 4> words{};
    for (int level = 0; level < levels_; ++level) {
      const auto place = static_cast<std::uint32_t>(level);
      if (place % 8 == 0) {
        words = random_block(key_, static_cast<std::uint64_t>(index), place / 8, attempt);
      }
      const std::uint32_t draw = words[place / 2 % 4] >> (place % 2 * 16) & 0xFFFFU;
      // The quadrant's number without a branch: its bits are the next bits of both ends.
      const std::uint32_t quadrant = static_cast<std::uint32_t>(draw >= bounds_[0]) +
                                     static_cast<std::uint32_t>(draw >= bounds_[1]) +
                                     static_cast<std::uint32_t>(draw >= bounds_[2]);
      source = source << 1 | quadrant >> 1;
      destination = destination << 1 | (quadrant & 1U);
    }
    return {static_cast<std::int32_t>(source), static_cast<std::int32_t>(destination)};
  }

  RandomKey key_;
  std::int64_t num_vertices_;
  int levels_;
  std::array<std::uint32_t, 3> bounds_;
};

void check_rmat(const RmatOptions& options) {
  check_vertices(options.num_vertices, options.num_edges > 0 ? 1 : 0);
  const double rest = 1.0 - options.a - options.b - options.c;
  const bool fits = options.a >= 0.0 && options.b >= 0.0 && options.c >= 0.0 && rest >= -1e-9;
  if (options.num_edges < 0 || !fits) {
    throw InputError(text("rmat: ", options.num_edges, " edges with a = ", options.a,
                          ", b = ", options.b, ", c = ", options.c,
                          "; expected no negative value and a + b + c at most 1"));
  }
}

/// Degrees of a community's members by rank: proportional to (rank + shift)^-power.
class RankLaw {
 public:
  RankLaw(std::int64_t size, double power, double shift)
      : size_(size),
        root_(1.0 / (1.0 - power)),
        shift_(shift),
        low_(std::pow(shift, 1.0 - power)),
        high_(std::pow(static_cast<double>(size) + shift, 1.0 - power)) {}

  /// Rank in [0, size) at the share `u` of all degrees.
  [[nodiscard]] std::int64_t rank(double u) const {
    const double place = std::pow(low_ + u * (high_ - low_), root_) - shift_;
    return std::clamp(static_cast<std::int64_t>(place), std::int64_t{0}, size_ - 1);
  }

  [[nodiscard]] std::int64_t size() const { return size_; }

  /// Degree of rank 0 over the mean degree.
  [[nodiscard]] double largest_over_mean() const {
    const double first = std::pow(1.0 + shift_, 1.0 / root_) - low_;
    return static_cast<double>(size_) * first / (high_ - low_);
  }

 private:
  std::int64_t size_;
  double root_;
  double shift_;
  double low_;
  double high_;
};

/// The smallest shift for which the largest degree stays below `limit` times the mean.
double find_shift(std::int64_t size, double power, double limit) {
  double low = 0.0;
  double high = 1e3 * static_cast<double>(size);
  if (RankLaw(size, power, low).largest_over_mean() <= limit) return low;
  for (int step = 0; step < 100; ++step) {
    const double middle = (low + high) / 2.0;
    (RankLaw(size, power, middle).largest_over_mean() > limit ? low : high) = middle;
  }
  return high;
}

/// Numbers vertices so that neither community nor degree can be read off the number's place: the
/// member at `rank` of community c is position rank * num_communities + c, moved by an affine
/// permutation.
class Numbering {
 public:
  Numbering(const CommunityOptions& options)
      : num_vertices_(options.num_vertices), num_communities_(options.num_communities) {
    const auto words = random_block(random_key(options.seed, RandomPurpose::generate_labels), 0, 0);
    step_ = 1 + below(words[0], num_vertices_);
    while (std::gcd(step_, num_vertices_) != 1)
      ++step_;
    offset_ = below(words[1], num_vertices_);
  }

  [[nodiscard]] std::int64_t at(std::int64_t position) const {
    return (position * step_ + offset_) % num_vertices_;
  }

  [[nodiscard]] std::int32_t of(std::int64_t community, std::int64_t rank) const {
    return static_cast<std::int32_t>(at(rank * num_communities_ + community));
  }

 private:
  std::int64_t num_vertices_;
  std::int64_t num_communities_;
  std::int64_t step_ = 1;
  std::int64_t offset_ = 0;
};

/// Draws edges of the block model, inside communities or between them.
class CommunityEdges {
 public:
  CommunityEdges(const CommunityOptions& options, bool inside)
      : key_(random_key(options.seed, RandomPurpose::generate_edges, inside ? 0 : 1)),
        inside_(inside),
        numbering_(options),
        num_communities_(options.num_communities),
        num_larger_(options.num_vertices % options.num_communities),
        smaller_(make_law(options, 0)),
        larger_(make_law(options, 1)) {}

  /// Edge `index`: its lower end in the high 32 bits, its higher end in the low ones.
  [[nodiscard]] std::uint64_t operator()(std::int64_t index) const {
    for (std::uint32_t attempt = 0;; ++attempt) {
      const auto words = random_block(key_, static_cast<std::uint64_t>(index), attempt);
      const std::int64_t from = below(words[0], num_communities_);
      const std::int64_t away = inside_ ? 0 : 1 + below(words[2], num_communities_ - 1);
      const std::int64_t to = (from + away) % num_communities_;
      const std::int64_t from_rank = law(from).rank(uniform(words[1]));
      std::int64_t to_rank = law(to).rank(uniform(words[3]));
      if (inside_ && from_rank == to_rank) {
        if (attempt < max_attempts) continue;
        to_rank = (to_rank + 1) % law(to).size();
      }
      const auto ends = std::minmax({numbering_.of(from, from_rank), numbering_.of(to, to_rank)});
      return static_cast<std::uint64_t>(ends.first) << 32 | static_cast<std::uint64_t>(ends.second);
    }
  }

 private:
  static RankLaw make_law(const CommunityOptions& options, std::int64_t extra) {
    const double power = options.exponent == 0.0 ? 0.0 : 1.0 / (options.exponent - 1.0);
    const std::int64_t size = options.num_vertices / options.num_communities;
    const double n = static_cast<double>(options.num_vertices);
    const double largest =
        std::min(std::sqrt(n * options.mean_degree), static_cast<double>(size) / 4.0);
    const double limit = std::max(1.0, largest / options.mean_degree);
    return {size + extra, power, find_shift(size, power, limit)};
  }

  [[nodiscard]] const RankLaw& law(std::int64_t community) const {
    return community < num_larger_ ? larger_ : smaller_;
  }

  RandomKey key_;
  bool inside_;
  Numbering numbering_;
  std::int64_t num_communities_;
  std::int64_t num_larger_;  ///< communities with one member more
  RankLaw smaller_;
  RankLaw larger_;
};

void check_communities(const CommunityOptions& options) {
  check_vertices(options.num_vertices, 2);
  if (options.num_communities < 1 || options.num_communities > options.num_vertices / 2) {
    throw InputError(text("communities: ", options.num_communities, " of ", options.num_vertices,
                          " vertices asked for, expected 1 to ", options.num_vertices / 2,
                          ", so that each has two members"));
  }
  const double lowest = options.num_communities == 1 ? 1.0 : 0.0;
  if (!(options.inside >= lowest && options.inside <= 1.0)) {
    throw InputError(text("communities: a share of ", options.inside,
                          " of the edges inside, expected ", lowest, " to 1"));
  }
  if (!(options.exponent == 0.0 || options.exponent > 2.0)) {
    throw InputError(text("communities: a power law with exponent ", options.exponent,
                          ", expected more than 2, or 0 for degrees that are all alike"));
  }
  const auto others = static_cast<double>(options.num_vertices / options.num_communities - 1);
  const double inside_degree = options.mean_degree * options.inside;
  if (!(options.mean_degree >= 0.0) || inside_degree > others / 2.0) {
    throw InputError(text("communities: a mean degree of ", options.mean_degree, ", ",
                          inside_degree, " of it inside, expected 0 to ", others / 2.0,
                          " inside, half of the others in a community; use more vertices, fewer "
                          "communities or a smaller degree"));
  }
  const double elsewhere = static_cast<double>(options.num_vertices) - others - 1.0;
  if (options.mean_degree - inside_degree > elsewhere / 2.0) {
    throw InputError(text("communities: a mean degree of ", options.mean_degree - inside_degree,
                          " to other communities, expected at most ", elsewhere / 2.0,
                          "; use more vertices or a smaller degree"));
  }
}

/// Fills `arcs` with distinct edges: draws as many as are missing, over and over.
void draw_distinct(const CommunityOptions& options, bool inside, std::span<Arc> arcs) {
  const CommunityEdges draw(options, inside);
  std::vector<std::uint64_t> edges;
  std::int64_t num_drawn = 0;
  while (edges.size() < arcs.size()) {
    const auto num_old = static_cast<std::ptrdiff_t>(edges.size());
    const auto missing = static_cast<std::int64_t>(arcs.size() - edges.size());
    edges.resize(arcs.size());
    parallel_for_each(missing, grain, [&](std::int64_t i) {
      edges[static_cast<std::size_t>(num_old + i)] = draw(num_drawn + i);
    });
    num_drawn += missing;
    tbb::parallel_sort(edges.begin() + num_old, edges.end());
    std::inplace_merge(edges.begin(), edges.begin() + num_old, edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  }
  parallel_for_each(static_cast<std::int64_t>(arcs.size()), grain, [&](std::int64_t i) {
    const std::uint64_t edge = edges[static_cast<std::size_t>(i)];
    arcs[static_cast<std::size_t>(i)] = {static_cast<std::int32_t>(edge >> 32),
                                         static_cast<std::int32_t>(edge & 0xFFFFFFFFU)};
  });
}

}  // namespace

EdgeList rmat(const RmatOptions& options) {
  check_rmat(options);
  EdgeList edges{options.num_vertices, {}, {}};
  if (options.num_edges == 0) return edges;
  edges.arcs = make_large_vector<Arc>(static_cast<std::size_t>(options.num_edges));
  const RmatEdges draw(options);
  parallel_for_each(options.num_edges, grain, [&](std::int64_t index) {
    edges.arcs[static_cast<std::size_t>(index)] = draw(index);
  });
  return edges;
}

CommunityGraph planted_communities(const CommunityOptions& options) {
  check_communities(options);
  const double num_edges = static_cast<double>(options.num_vertices) * options.mean_degree / 2.0;
  const auto count = static_cast<std::int64_t>(std::llround(num_edges));
  const auto num_inside = static_cast<std::int64_t>(std::llround(num_edges * options.inside));
  CommunityGraph graph;
  graph.edges.num_vertices = options.num_vertices;
  graph.edges.arcs = make_large_vector<Arc>(static_cast<std::size_t>(count));
  const std::span<Arc> arcs(graph.edges.arcs);
  draw_distinct(options, true, arcs.first(static_cast<std::size_t>(num_inside)));
  draw_distinct(options, false, arcs.subspan(static_cast<std::size_t>(num_inside)));
  graph.community.resize(static_cast<std::size_t>(options.num_vertices));
  const Numbering numbering(options);
  for (std::int64_t position = 0; position < options.num_vertices; ++position) {
    graph.community[static_cast<std::size_t>(numbering.at(position))] =
        static_cast<std::int32_t>(position % options.num_communities);
  }
  return graph;
}

}  // namespace weft::graph
