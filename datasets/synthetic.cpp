// SPDX-License-Identifier: MIT
// Graph, classes and features of synthetic datasets.
#include "datasets/synthetic.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "datasets/synthetic_splits.hpp"
#include "graph/csr_build.hpp"
#include "graph/generators.hpp"
#include "graph/support/error.hpp"
#include "graph/support/process.hpp"
#include "graph/support/random.hpp"
#include "graph/support/text.hpp"

namespace weft::datasets {
namespace {

using graph::EdgeList;

constexpr std::uint32_t class_means_layer = 1;  // keeps class means apart from the noise
constexpr std::uint32_t weights_layer = 1;      // keeps edge weights apart from edges

template <typename Value>
void require(bool holds, const char* option, Value found, const char* expected) {
  if (!holds) throw InputError(text(option, " ", found, ": expected ", expected));
}

bool is_share(double value) {
  return value >= 0.0 && value <= 1.0;
}

void check_options(const SyntheticOptions& options) {
  const bool sized = options.kind != SyntheticKind::grid && options.kind != SyntheticKind::karate;
  require(!sized || options.num_vertices >= 1, "--nodes", options.num_vertices, "at least 1");
  require(options.num_rows >= 1, "--rows", options.num_rows, "at least 1");
  require(options.num_columns >= 1, "--columns", options.num_columns, "at least 1");
  require(options.mean_degree >= 0.0, "--degree", options.mean_degree, "0 or more");
  require(is_share(options.inside), "--inside", options.inside, "a share from 0 to 1");
  require(options.num_classes >= 1, "--classes", options.num_classes, "at least 1");
  require(options.num_features >= 0 && options.num_features <= max_local_vertices, "--features",
          options.num_features, "0 or more");
  require(options.noise >= 0.0 && std::isfinite(options.noise), "--noise", options.noise,
          "0 or more");
  require(is_share(options.label_noise), "--label-noise", options.label_noise,
          "a share from 0 to 1");
  require(is_share(options.train_share), "--train-share", options.train_share,
          "a share from 0 to 1");
  require(
      is_share(options.validation_share) && options.train_share + options.validation_share <= 1.0,
      "--validation-share", options.validation_share,
      "a share that leaves the training vertices theirs");
  require(options.few_per_class >= 1, "--few", options.few_per_class, "at least 1");
}

/// A graph before it is built, and the true class of each vertex (empty: it follows from degrees).
struct Blueprint {
  EdgeList edges;
  std::vector<std::int32_t> classes;
};

std::vector<std::int32_t> sections(std::int64_t num_vertices, int num_classes) {
  std::vector<std::int32_t> classes(static_cast<std::size_t>(num_vertices));
  for (std::int64_t v = 0; v < num_vertices; ++v) {
    classes[static_cast<std::size_t>(v)] =
        static_cast<std::int32_t>(v * num_classes / num_vertices);
  }
  return classes;
}

Blueprint communities(const SyntheticOptions& options) {
  auto made =
      graph::planted_communities({options.num_vertices, options.mean_degree, options.num_classes,
                                  options.inside, options.exponent, options.seed});
  return {std::move(made.edges), std::move(made.community)};
}

Blueprint rmat(const SyntheticOptions& options) {
  graph::RmatOptions drawn;
  drawn.num_vertices = options.num_vertices;
  drawn.num_edges =
      std::llround(static_cast<double>(options.num_vertices) * options.mean_degree / 2.0);
  drawn.seed = options.seed;
  return {graph::rmat(drawn), {}};
}

Blueprint draw(const SyntheticOptions& options) {
  const std::int64_t n = options.num_vertices;
  switch (options.kind) {
    case SyntheticKind::communities:
      return communities(options);
    case SyntheticKind::rmat:
      return rmat(options);
    case SyntheticKind::ring:
      return {graph::ring(n), sections(n, options.num_classes)};
    case SyntheticKind::path:
      return {graph::path(n), sections(n, options.num_classes)};
    case SyntheticKind::star:
      return {graph::star(n), sections(n, options.num_classes)};
    case SyntheticKind::grid: {
      EdgeList edges = graph::grid(options.num_rows, options.num_columns);
      const std::int64_t size = edges.num_vertices;
      return {std::move(edges), sections(size, options.num_classes)};
    }
    case SyntheticKind::karate:
      return {graph::karate_club(), graph::karate_club_factions()};
  }
  throw InputError("synthetic: unknown kind");
}

void add_weights(EdgeList& edges, std::uint64_t seed) {
  const RandomKey key = random_key(seed, RandomPurpose::generate_edges, weights_layer);
  edges.weights = make_large_vector<float>(edges.arcs.size());
  for (std::size_t i = 0; i < edges.weights.size(); ++i) {
    edges.weights[i] = 0.5F + random_uniform(key, i);
  }
}

/// Builds the graph into the dataset. Repeats of random edges are kept once; loops are dropped.
void build_graph(EdgeList&& edges, Dataset& dataset, const ProgressCallback& progress) {
  graph::BuildOptions build;
  build.add_reverse_arcs = !dataset.directed;
  build.repeats = graph::Repeats::keep_one;
  build.loops = graph::Loops::drop;
  graph::CsrGraph made = graph::build_csr(std::move(edges), build, nullptr, progress);
  dataset.graph.row_ptr = keep(dataset, std::move(made.row_ptr));
  dataset.graph.col_idx = keep(dataset, std::move(made.col_idx));
  if (!made.edge_weight.empty()) {
    dataset.graph.edge_weight = keep(dataset, std::move(made.edge_weight));
  }
}

/// Number of bits of each vertex's degree, cut to the number of classes.
std::vector<std::int32_t> degree_classes(const graph::CsrView& graph, int num_classes) {
  std::vector<std::int32_t> classes(static_cast<std::size_t>(graph.num_vertices()));
  for (std::int64_t v = 0; v < graph.num_vertices(); ++v) {
    const auto bits = std::bit_width(static_cast<std::uint64_t>(graph.degree(v)));
    classes[static_cast<std::size_t>(v)] =
        std::min(static_cast<std::int32_t>(bits), num_classes - 1);
  }
  return classes;
}

/// Standard normal numbers of columns 4 * block .. 4 * block + 3: Box-Muller on two pairs of words.
std::array<double, 4> four_normals(RandomKey key, std::uint64_t id, std::uint32_t block) {
  const auto words = random_block(key, id, block);
  std::array<double, 4> normals{};
  for (std::size_t pair = 0; pair < 2; ++pair) {
    const double uniform = (static_cast<double>(words[2 * pair]) + 1.0) * 0x1.0p-32;
    const double angle =
        2.0 * std::numbers::pi * static_cast<double>(words[2 * pair + 1]) * 0x1.0p-32;
    const double radius = std::sqrt(-2.0 * std::log(uniform));
    normals[2 * pair] = radius * std::cos(angle);
    normals[2 * pair + 1] = radius * std::sin(angle);
  }
  return normals;
}

/// Adds scale x noise to a row.
void add_noise(std::span<float> row, RandomKey key, std::uint64_t id, double scale) {
  for (std::size_t column = 0; column < row.size(); column += 4) {
    const auto normals = four_normals(key, id, static_cast<std::uint32_t>(column / 4));
    for (std::size_t i = 0; i < std::min<std::size_t>(4, row.size() - column); ++i) {
      row[column + i] += static_cast<float>(scale * normals[i]);
    }
  }
}

/// Random directions of length 1, a row a class.
std::vector<float> class_means(const SyntheticOptions& options) {
  const auto width = static_cast<std::size_t>(options.num_features);
  const RandomKey key =
      random_key(options.seed, RandomPurpose::generate_features, class_means_layer);
  std::vector<float> means(static_cast<std::size_t>(options.num_classes) * width);
  for (std::size_t c = 0; c < static_cast<std::size_t>(options.num_classes); ++c) {
    const auto row = std::span(means).subspan(c * width, width);
    add_noise(row, key, c, 1.0);
    double square = 0.0;
    for (const float value : row)
      square += static_cast<double>(value) * static_cast<double>(value);
    const auto scale = static_cast<float>(1.0 / std::sqrt(std::max(square, 1e-12)));
    for (float& value : row)
      value *= scale;
  }
  return means;
}

void add_features(const SyntheticOptions& options,
                  const std::vector<std::int32_t>& classes,
                  Dataset& dataset) {
  if (options.num_features == 0) return;
  const auto width = static_cast<std::size_t>(options.num_features);
  const std::vector<float> means = class_means(options);
  const RandomKey key = random_key(options.seed, RandomPurpose::generate_features);
  auto values = make_large_vector<float>(classes.size() * width);
  tbb::parallel_for(std::size_t{0}, classes.size(), [&](std::size_t v) {
    const auto row = std::span(values).subspan(v * width, width);
    const auto mean = std::span(means).subspan(static_cast<std::size_t>(classes[v]) * width, width);
    std::copy(mean.begin(), mean.end(), row.begin());
    add_noise(row, key, v, options.noise);
  });
  dataset.features.num_rows = dataset.num_vertices;
  dataset.features.num_columns = options.num_features;
  dataset.features.dense = keep(dataset, std::move(values));
}

/// Row v is 1 at column v.
void add_one_hot_features(Dataset& dataset) {
  const auto count = static_cast<std::size_t>(dataset.num_vertices);
  std::vector<std::int64_t> row_ptr(count + 1);
  std::vector<std::int32_t> col_idx(count);
  std::iota(row_ptr.begin(), row_ptr.end(), std::int64_t{0});
  std::iota(col_idx.begin(), col_idx.end(), 0);
  dataset.features.num_rows = dataset.num_vertices;
  dataset.features.num_columns = dataset.num_vertices;
  dataset.features.row_ptr = keep(dataset, std::move(row_ptr));
  dataset.features.col_idx = keep(dataset, std::move(col_idx));
  dataset.features.values = keep(dataset, std::vector<float>(count, 1.0F));
}

/// The classes with a share of them drawn anew among the others.
std::vector<std::int32_t> noisy_labels(const SyntheticOptions& options,
                                       std::vector<std::int32_t> labels) {
  const RandomKey key = random_key(options.seed, RandomPurpose::generate_labels, 1);
  if (options.num_classes < 2) return labels;
  const auto others = static_cast<std::uint32_t>(options.num_classes - 1);
  for (std::size_t v = 0; v < labels.size(); ++v) {
    const auto words = random_block(key, v, 0);
    if (static_cast<double>(uniform_from_word(words[0])) >= options.label_noise) continue;
    const auto away = static_cast<std::int32_t>(1 + words[1] % others);
    labels[v] = (labels[v] + away) % options.num_classes;
  }
  return labels;
}

std::string describe(const SyntheticOptions& options) {
  const std::string& kind = synthetic_kind_names()[static_cast<std::size_t>(options.kind)];
  if (options.kind == SyntheticKind::karate) {
    return "Zachary's karate club (1977), generated; labels are the clubs after the split";
  }
  return text("generated: ", kind, ", mean degree ", options.mean_degree, ", inside ",
              options.inside, ", exponent ", options.exponent, ", noise ", options.noise,
              ", label noise ", options.label_noise, ", seed ", options.seed);
}

/// The options as they apply to the kind: the karate club brings its own classes.
SyntheticOptions resolve(SyntheticOptions options) {
  check_options(options);
  if (options.kind != SyntheticKind::karate) return options;
  options.num_classes = 2;
  options.label_noise = 0.0;
  options.weighted = false;
  return options;
}

}  // namespace

const std::vector<std::string>& synthetic_kind_names() {
  static const std::vector<std::string> names{"communities", "rmat", "ring",  "path",
                                              "star",        "grid", "karate"};
  return names;
}

SyntheticKind parse_synthetic_kind(const std::string& name) {
  const auto& names = synthetic_kind_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<SyntheticKind>(found - names.begin());
  const std::string nearest = nearest_word(name, names);
  throw InputError(text("generate: kind \"", name, "\" is not known; choose ", join(names, ", "),
                        nearest.empty() ? "" : text("; did you mean ", nearest, "?")));
}

Dataset make_synthetic(const SyntheticOptions& asked, const ProgressCallback& progress) {
  const SyntheticOptions options = resolve(asked);
  report_progress(progress, "draw edges", 0.0);
  Blueprint blueprint = draw(options);
  if (options.weighted) add_weights(blueprint.edges, options.seed);
  Dataset dataset;
  dataset.name = synthetic_kind_names()[static_cast<std::size_t>(options.kind)];
  dataset.provenance = describe(options);
  dataset.num_vertices = blueprint.edges.num_vertices;
  dataset.directed = options.directed;
  build_graph(std::move(blueprint.edges), dataset, progress);
  std::vector<std::int32_t> classes = options.kind == SyntheticKind::rmat
                                          ? degree_classes(dataset.graph, options.num_classes)
                                          : std::move(blueprint.classes);
  report_progress(progress, "draw features", 0.0);
  if (options.kind == SyntheticKind::karate) {
    add_one_hot_features(dataset);
  } else {
    add_features(options, classes, dataset);
  }
  dataset.task = Task::single_label;
  dataset.num_classes = options.num_classes;
  dataset.labels = keep(dataset, noisy_labels(options, std::move(classes)));
  add_splits(options, dataset);
  return dataset;
}

}  // namespace weft::datasets
