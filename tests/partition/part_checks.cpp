// SPDX-License-Identifier: MIT
#include "tests/partition/part_checks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "graph/normalization.hpp"
#include "partition/build_part.hpp"

namespace weft::test_support {
namespace {

using partition::HaloPeer;
using partition::Part;

std::size_t at(std::int64_t value) {
  return static_cast<std::size_t>(value);
}

template <typename T>
std::vector<T> copy_of(std::span<const T> values) {
  return {values.begin(), values.end()};
}

const HaloPeer* find_peer(const Part& part, int other) {
  for (const HaloPeer& peer : part.plan.peers) {
    if (peer.part == other) return &peer;
  }
  return nullptr;
}

std::vector<GlobalId> sent_ids(const Part& part, int to) {
  std::vector<GlobalId> ids;
  const HaloPeer* peer = find_peer(part, to);
  if (peer == nullptr) return ids;
  for (std::int64_t i = peer->send_begin; i < peer->send_end; ++i) {
    ids.push_back(part.global_ids[at(part.plan.send_rows[at(i)])]);
  }
  return ids;
}

std::vector<GlobalId> expected_ids(const Part& part, int from) {
  std::vector<GlobalId> ids;
  const HaloPeer* peer = find_peer(part, from);
  if (peer == nullptr) return ids;
  for (LocalId i = peer->halo_begin; i < peer->halo_end; ++i) {
    EXPECT_EQ(part.halo_owner[at(i)], from);
    ids.push_back(part.global_ids[at(part.num_owned() + i)]);
  }
  return ids;
}

// Sum of the symmetric coefficients of the arcs (by source and destination degree).
double coefficient_sum(const datasets::Dataset& dataset, const graph::Degrees& degrees) {
  double sum = 0;
  for (std::int64_t row = 0; row < dataset.num_vertices; ++row) {
    for (EdgeOffset e = dataset.graph.row_ptr[at(row)]; e < dataset.graph.row_ptr[at(row) + 1];
         ++e) {
      sum += graph::symmetric_coefficient(static_cast<double>(dataset.graph.weight(e)),
                                          degrees.weighted_in[at(dataset.graph.col_idx[at(e)])],
                                          degrees.weighted_in[at(row)]);
    }
  }
  return sum;
}

double coefficient_sum(const Part& part) {
  double sum = 0;
  for (std::int64_t row = 0; row < part.num_owned(); ++row) {
    for (EdgeOffset e = part.graph.row_ptr[at(row)]; e < part.graph.row_ptr[at(row) + 1]; ++e) {
      const double weight =
          part.graph.edge_weight.empty() ? 1.0 : static_cast<double>(part.graph.edge_weight[at(e)]);
      sum += graph::symmetric_coefficient(weight, part.in_degree[at(part.graph.col_idx[at(e)])],
                                          part.in_degree[at(row)]);
    }
  }
  return sum;
}

void expect_equal_features(const datasets::FeatureView& a, const datasets::FeatureView& b) {
  EXPECT_EQ(a.num_rows, b.num_rows);
  EXPECT_EQ(a.num_columns, b.num_columns);
  EXPECT_EQ(copy_of(a.dense), copy_of(b.dense));
  EXPECT_EQ(copy_of(a.row_ptr), copy_of(b.row_ptr));
  EXPECT_EQ(copy_of(a.col_idx), copy_of(b.col_idx));
  EXPECT_EQ(copy_of(a.values), copy_of(b.values));
}

}  // namespace

partition::PartitionInfo info_of(const datasets::Dataset& dataset, int num_parts) {
  partition::PartitionInfo info;
  info.num_parts = num_parts;
  info.num_vertices = dataset.num_vertices;
  info.num_edges = dataset.graph.num_edges();
  info.method = "test";
  info.dataset_fingerprint = dataset.fingerprint;
  info.dataset_name = dataset.name;
  info.task = dataset.task;
  info.num_classes = dataset.num_classes;
  info.directed = dataset.directed;
  info.split_names = dataset.split_names;
  return info;
}

std::vector<Part> build_parts(const datasets::Dataset& dataset,
                              std::span<const std::int32_t> owner,
                              int num_parts) {
  const graph::Degrees degrees = graph::compute_degrees(dataset.graph);
  partition::PartBuilder builder(dataset, degrees, owner, info_of(dataset, num_parts));
  std::vector<Part> parts;
  for (int p = 0; p < num_parts; ++p)
    parts.push_back(builder.build(p));
  return parts;
}

void expect_owned_once(const std::vector<Part>& parts, std::span<const std::int32_t> owner) {
  std::vector<int> times(owner.size(), 0);
  for (const Part& part : parts) {
    for (LocalId i = 0; i < part.num_owned(); ++i) {
      const GlobalId vertex = part.global_ids[at(i)];
      EXPECT_EQ(owner[at(vertex)], part.part);
      ++times[at(vertex)];
    }
  }
  EXPECT_TRUE(std::all_of(times.begin(), times.end(), [](int count) { return count == 1; }));
}

void expect_numbering(const Part& part,
                      const datasets::Dataset& dataset,
                      std::span<const std::int32_t> owner) {
  ASSERT_EQ(part.global_ids.size(), at(part.num_local()));
  ASSERT_EQ(part.halo_owner.size(), at(part.num_halo()));
  std::set<std::pair<std::int32_t, GlobalId>> halo;
  for (LocalId i = 0; i < part.num_owned(); ++i) {
    bool reads_halo = false;
    for (const std::int32_t source : dataset.graph.neighbors(part.global_ids[at(i)])) {
      if (owner[at(source)] == part.part) continue;
      reads_halo = true;
      halo.emplace(owner[at(source)], source);
    }
    EXPECT_EQ(reads_halo, i >= part.num_interior) << "local vertex " << i;
    if (i > 0 && i != part.num_interior) {
      EXPECT_LT(part.global_ids[at(i) - 1], part.global_ids[at(i)]);
    }
  }
  std::vector<std::pair<std::int32_t, GlobalId>> found;
  for (LocalId i = 0; i < part.num_halo(); ++i) {
    found.emplace_back(part.halo_owner[at(i)], part.global_ids[at(part.num_owned() + i)]);
  }
  const std::vector<std::pair<std::int32_t, GlobalId>> expected(halo.begin(), halo.end());
  EXPECT_EQ(found, expected);
}

void expect_rows(const Part& part, const datasets::Dataset& dataset) {
  ASSERT_EQ(part.graph.row_ptr.size(), at(part.num_owned()) + 1);
  ASSERT_EQ(part.graph.col_idx.size(), at(part.graph.row_ptr.back()));
  for (std::int64_t row = 0; row < part.num_owned(); ++row) {
    const GlobalId vertex = part.global_ids[at(row)];
    std::map<GlobalId, float> expected;
    for (EdgeOffset e = dataset.graph.row_ptr[at(vertex)];
         e < dataset.graph.row_ptr[at(vertex) + 1]; ++e) {
      expected[dataset.graph.col_idx[at(e)]] = dataset.graph.weight(e);
    }
    std::map<GlobalId, float> found;
    std::tuple<bool, std::int32_t, GlobalId> previous{false, -1, -1};
    for (EdgeOffset e = part.graph.row_ptr[at(row)]; e < part.graph.row_ptr[at(row) + 1]; ++e) {
      const LocalId column = part.graph.col_idx[at(e)];
      ASSERT_GE(column, 0);
      ASSERT_LT(column, part.num_local());
      const bool in_halo = column >= part.num_owned();
      const std::int32_t from = in_halo ? part.halo_owner[at(column - part.num_owned())] : -1;
      const std::tuple<bool, std::int32_t, GlobalId> key{in_halo, from,
                                                         part.global_ids[at(column)]};
      EXPECT_LT(previous, key) << "order of row " << row;
      previous = key;
      found[part.global_ids[at(column)]] =
          part.graph.edge_weight.empty() ? 1.0F : part.graph.edge_weight[at(e)];
    }
    EXPECT_EQ(found, expected) << "row of vertex " << vertex;
  }
}

void expect_plans_agree(const std::vector<Part>& parts) {
  for (const Part& from : parts) {
    EXPECT_TRUE(
        std::is_sorted(from.plan.peers.begin(), from.plan.peers.end(),
                       [](const HaloPeer& a, const HaloPeer& b) { return a.part < b.part; }));
    for (const LocalId row : from.plan.send_rows) {
      EXPECT_GE(row, 0);
      EXPECT_LT(row, from.num_owned());
    }
    for (const Part& to : parts) {
      const auto sent = sent_ids(from, to.part);
      EXPECT_EQ(sent, expected_ids(to, from.part)) << from.part << " to " << to.part;
      EXPECT_TRUE(std::is_sorted(sent.begin(), sent.end()));
    }
    EXPECT_EQ(find_peer(from, from.part), nullptr);
  }
}

void expect_global_degrees(const Part& part, const datasets::Dataset& dataset) {
  ASSERT_EQ(part.in_degree.size(), at(part.num_local()));
  ASSERT_EQ(part.has_loop.size(), at(part.num_local()));
  for (std::int64_t i = 0; i < part.num_local(); ++i) {
    const GlobalId vertex = part.global_ids[at(i)];
    double degree = 0;
    bool has_loop = false;
    for (EdgeOffset e = dataset.graph.row_ptr[at(vertex)];
         e < dataset.graph.row_ptr[at(vertex) + 1]; ++e) {
      degree += static_cast<double>(dataset.graph.weight(e));
      has_loop = has_loop || dataset.graph.col_idx[at(e)] == vertex;
    }
    EXPECT_DOUBLE_EQ(part.in_degree[at(i)], degree) << "vertex " << vertex;
    EXPECT_EQ(part.has_loop[at(i)], has_loop ? 1 : 0) << "vertex " << vertex;
  }
}

void expect_same_normalization(const std::vector<Part>& parts, const datasets::Dataset& dataset) {
  double sum = 0;
  for (const Part& part : parts)
    sum += coefficient_sum(part);
  const double expected = coefficient_sum(dataset, graph::compute_degrees(dataset.graph));
  EXPECT_NEAR(sum, expected, 1e-12 * (1 + expected));
}

void expect_gathered_rows(const Part& part, const datasets::Dataset& dataset) {
  const datasets::FeatureView& all = dataset.features;
  const datasets::FeatureView& own = part.rows.features;
  EXPECT_EQ(own.num_rows, part.num_owned());
  EXPECT_EQ(own.num_columns, all.num_columns);
  EXPECT_EQ(own.is_sparse(), all.is_sparse());
  for (std::int64_t i = 0; i < part.num_owned(); ++i) {
    const std::size_t vertex = at(part.global_ids[at(i)]);
    for (std::int64_t c = 0; c < all.num_columns && !all.is_sparse(); ++c) {
      EXPECT_EQ(own.dense[at(i * all.num_columns + c)],
                all.dense[vertex * at(all.num_columns) + at(c)]);
    }
    if (all.is_sparse()) {
      const auto begin = at(all.row_ptr[vertex]);
      const auto count = at(all.row_ptr[vertex + 1]) - begin;
      const auto own_begin = at(own.row_ptr[at(i)]);
      ASSERT_EQ(at(own.row_ptr[at(i) + 1]) - own_begin, count);
      EXPECT_EQ(copy_of(own.col_idx.subspan(own_begin, count)),
                copy_of(all.col_idx.subspan(begin, count)));
      EXPECT_EQ(copy_of(own.values.subspan(own_begin, count)),
                copy_of(all.values.subspan(begin, count)));
    }
    if (!dataset.labels.empty()) {
      EXPECT_EQ(part.rows.labels[at(i)], dataset.labels[vertex]);
    }
    for (std::size_t s = 0; s < dataset.split_names.size(); ++s) {
      EXPECT_EQ(part.rows.splits[s * at(part.num_owned()) + at(i)],
                dataset.splits[s * at(dataset.num_vertices) + vertex]);
    }
  }
}

void expect_valid_parts(const std::vector<Part>& parts,
                        const datasets::Dataset& dataset,
                        std::span<const std::int32_t> owner) {
  expect_owned_once(parts, owner);
  expect_plans_agree(parts);
  expect_same_normalization(parts, dataset);
  for (const Part& part : parts) {
    SCOPED_TRACE(::testing::Message() << "part " << part.part << " of " << parts.size());
    expect_numbering(part, dataset, owner);
    expect_rows(part, dataset);
    expect_global_degrees(part, dataset);
    expect_gathered_rows(part, dataset);
  }
}

void expect_equal_parts(const Part& a, const Part& b) {
  EXPECT_EQ(a.part, b.part);
  EXPECT_EQ(a.info.num_parts, b.info.num_parts);
  EXPECT_EQ(a.info.num_vertices, b.info.num_vertices);
  EXPECT_EQ(a.info.num_edges, b.info.num_edges);
  EXPECT_EQ(a.info.fingerprint, b.info.fingerprint);
  EXPECT_EQ(a.info.dataset_fingerprint, b.info.dataset_fingerprint);
  EXPECT_EQ(a.info.task, b.info.task);
  EXPECT_EQ(a.info.split_names, b.info.split_names);
  EXPECT_EQ(a.num_interior, b.num_interior);
  EXPECT_EQ(a.num_boundary, b.num_boundary);
  EXPECT_EQ(a.global_ids, b.global_ids);
  EXPECT_EQ(a.halo_owner, b.halo_owner);
  EXPECT_EQ(a.graph.row_ptr, b.graph.row_ptr);
  EXPECT_EQ(a.graph.col_idx, b.graph.col_idx);
  EXPECT_EQ(a.graph.edge_weight, b.graph.edge_weight);
  EXPECT_EQ(a.in_degree, b.in_degree);
  EXPECT_EQ(a.has_loop, b.has_loop);
  EXPECT_EQ(a.plan.num_halo, b.plan.num_halo);
  EXPECT_EQ(a.plan.send_rows, b.plan.send_rows);
  ASSERT_EQ(a.plan.peers.size(), b.plan.peers.size());
  for (std::size_t i = 0; i < a.plan.peers.size(); ++i) {
    const HaloPeer& x = a.plan.peers[i];
    const HaloPeer& y = b.plan.peers[i];
    EXPECT_EQ(std::tie(x.part, x.halo_begin, x.halo_end, x.send_begin, x.send_end),
              std::tie(y.part, y.halo_begin, y.halo_end, y.send_begin, y.send_end));
  }
  expect_equal_features(a.rows.features, b.rows.features);
  EXPECT_EQ(copy_of(a.rows.labels), copy_of(b.rows.labels));
  EXPECT_EQ(copy_of(a.rows.multi_labels), copy_of(b.rows.multi_labels));
  EXPECT_EQ(copy_of(a.rows.targets), copy_of(b.rows.targets));
  EXPECT_EQ(copy_of(a.rows.splits), copy_of(b.rows.splits));
}

}  // namespace weft::test_support
