// SPDX-License-Identifier: MIT
#include "partition/build_part.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <utility>

#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "graph/support/timing.hpp"
#include "partition/gather_rows.hpp"
#include "partition/indexing.hpp"

namespace weft::partition {
namespace {

constexpr LocalId not_local = -1;

// What all parts are made from.
struct PartSources {
  const datasets::Dataset& dataset;
  const graph::Degrees& degrees;
  std::span<const std::int32_t> owner;
  std::span<const std::int32_t> place;  // [num_vertices] or empty: by global id
};

// The owned vertices in the order in which they are numbered.
std::vector<std::int32_t> in_order(const PartSources& sources,
                                   std::span<const std::int32_t> owned) {
  std::vector<std::int32_t> order(owned.begin(), owned.end());
  if (sources.place.empty()) return order;
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return sources.place[position(a)] < sources.place[position(b)];
  });
  return order;
}

// Interior vertices first, then boundary vertices, each in order; then the halo.
void number_vertices(Part& part,
                     const PartSources& sources,
                     std::span<const std::int32_t> rising,
                     const HaloSet& halo) {
  const graph::CsrView& graph = sources.dataset.graph;
  const std::span<const std::int32_t> owner = sources.owner;
  const std::vector<std::int32_t> owned = in_order(sources, rising);
  std::vector<std::uint8_t> is_boundary(owned.size());
  tbb::parallel_for(std::size_t{0}, owned.size(), [&](std::size_t i) {
    const auto row = graph.neighbors(owned[i]);
    is_boundary[i] = std::any_of(row.begin(), row.end(), [&](std::int32_t source) {
      return owner[position(source)] != part.part;
    });
  });
  const auto num_boundary = std::count(is_boundary.begin(), is_boundary.end(), 1);
  checked_local_id(count_of(owned) + count_of(halo.vertices), "vertices of a part with its halo");
  part.num_boundary = static_cast<LocalId>(num_boundary);
  part.num_interior = static_cast<LocalId>(count_of(owned) - num_boundary);
  part.global_ids.reserve(owned.size() + halo.vertices.size());
  for (const int wanted : {0, 1}) {
    for (std::size_t i = 0; i < owned.size(); ++i) {
      if (is_boundary[i] == wanted) part.global_ids.push_back(owned[i]);
    }
  }
  part.global_ids.insert(part.global_ids.end(), halo.vertices.begin(), halo.vertices.end());
  part.halo_owner.reserve(halo.vertices.size());
  for (const std::int32_t vertex : halo.vertices) {
    part.halo_owner.push_back(owner[position(vertex)]);
  }
}

// One arc of a row on its way to its place.
struct LocalArc {
  LocalId column;
  float weight;
};

// Writes the row of `vertex` from `begin` on: owned columns by global id, then halo columns by
// (owner, global id), which is the order of their local ids.
void fill_row(LocalGraph& local,
              const graph::CsrView& graph,
              std::span<const LocalId> local_of,
              GlobalId vertex,
              LocalId num_owned,
              EdgeOffset begin,
              std::vector<LocalArc>& halo_arcs) {
  halo_arcs.clear();
  std::size_t next = position(begin);
  const auto write = [&](LocalArc arc) {
    local.col_idx[next] = arc.column;
    if (!local.edge_weight.empty()) local.edge_weight[next] = arc.weight;
    ++next;
  };
  const EdgeOffset end = graph.row_ptr[position(vertex) + 1];
  for (EdgeOffset edge = graph.row_ptr[position(vertex)]; edge < end; ++edge) {
    const LocalId column = local_of[position(graph.col_idx[position(edge)])];
    WEFT_ASSERT(column != not_local);
    const LocalArc arc{column, graph.weight(edge)};
    if (column < num_owned) {
      write(arc);
    } else {
      halo_arcs.push_back(arc);
    }
  }
  std::sort(halo_arcs.begin(), halo_arcs.end(),
            [](const LocalArc& a, const LocalArc& b) { return a.column < b.column; });
  for (const LocalArc& arc : halo_arcs)
    write(arc);
}

void build_local_graph(Part& part, const graph::CsrView& graph, std::span<const LocalId> local_of) {
  const LocalId num_owned = part.num_owned();
  LocalGraph& local = part.graph;
  local.row_ptr.resize(position(num_owned) + 1);
  for (std::size_t row = 0; row < position(num_owned); ++row) {
    local.row_ptr[row + 1] = local.row_ptr[row] + graph.degree(part.global_ids[row]);
  }
  local.col_idx.resize(position(local.row_ptr.back()));
  if (graph.is_weighted()) local.edge_weight.resize(local.col_idx.size());
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, position(num_owned), 256),
                    [&](const tbb::blocked_range<std::size_t>& rows) {
                      std::vector<LocalArc> halo_arcs;
                      for (std::size_t row = rows.begin(); row < rows.end(); ++row) {
                        fill_row(local, graph, local_of, part.global_ids[row], num_owned,
                                 local.row_ptr[row], halo_arcs);
                      }
                    });
}

// The part receives the runs of its own halo set; it sends to each peer what the peer's halo set
// holds of it. Both sides read the same lists, so the plans agree by construction.
HaloPlan make_plan(const std::vector<HaloSet>& halos, std::span<const LocalId> local_of, int part) {
  HaloPlan plan;
  const HaloSet& own = halos[position(part)];
  plan.num_halo = checked_local_id(count_of(own.vertices), "halo vertices of a part");
  auto run = own.runs.begin();
  for (int other = 0; other < static_cast<int>(halos.size()); ++other) {
    if (other == part) continue;
    HaloPeer peer;
    peer.part = other;
    if (run != own.runs.end() && run->owner == other) {
      peer.halo_begin = static_cast<LocalId>(run->begin);
      peer.halo_end = static_cast<LocalId>(run->end);
      ++run;
    }
    peer.send_begin = count_of(plan.send_rows);
    for (const std::int32_t vertex : halos[position(other)].of(part)) {
      plan.send_rows.push_back(local_of[position(vertex)]);
    }
    peer.send_end = count_of(plan.send_rows);
    if (peer.halo_end > peer.halo_begin || peer.send_end > peer.send_begin) {
      plan.peers.push_back(peer);
    }
  }
  return plan;
}

void copy_degrees(Part& part, const graph::Degrees& degrees) {
  const std::size_t num_local = part.global_ids.size();
  part.in_degree.resize(num_local);
  part.has_loop.resize(num_local);
  for (std::size_t i = 0; i < num_local; ++i) {
    part.in_degree[i] = degrees.weighted_in[position(part.global_ids[i])];
    part.has_loop[i] = degrees.has_loop[position(part.global_ids[i])];
  }
}

// Builds one part. `halos[part]` is complete; the others hold at least what `part` owns.
// `local_of` is all not_local before and after.
Part assemble(const PartSources& sources,
              std::span<const std::int32_t> owned,
              const std::vector<HaloSet>& halos,
              int number,
              std::vector<LocalId>& local_of) {
  const datasets::Dataset& dataset = sources.dataset;
  Part part;
  part.part = number;
  number_vertices(part, sources, owned, halos[position(number)]);
  for (std::size_t i = 0; i < part.global_ids.size(); ++i) {
    local_of[position(part.global_ids[i])] = static_cast<LocalId>(i);
  }
  build_local_graph(part, dataset.graph, local_of);
  part.plan = make_plan(halos, local_of, number);
  for (const GlobalId vertex : part.global_ids)
    local_of[position(vertex)] = not_local;
  copy_degrees(part, sources.degrees);
  part.rows = gather_rows(dataset, std::span(part.global_ids).first(position(part.num_owned())));
  return part;
}

std::span<const std::int32_t> checked_owner(std::span<const std::int32_t> owner,
                                            std::int64_t num_vertices,
                                            int num_parts) {
  check_owner(owner, num_vertices, num_parts);
  return owner;
}

void check_part_number(int part, int num_parts) {
  if (part >= 0 && part < num_parts) return;
  throw InputError(text("partition: part ", part, " asked for, but the partition has ", num_parts,
                        " parts (0 to ", num_parts - 1, ")"));
}

}  // namespace

void check_owner(std::span<const std::int32_t> owner, std::int64_t num_vertices, int num_parts) {
  if (num_parts < 1) {
    throw InputError(text("partition: ", num_parts, " parts asked for; use 1 or more"));
  }
  if (count_of(owner) != num_vertices) {
    throw InputError(text("partition: the owner list has ", owner.size(),
                          " entries, but the graph has ", num_vertices,
                          " vertices; it must name one part for each"));
  }
  for (std::size_t vertex = 0; vertex < owner.size(); ++vertex) {
    if (owner[vertex] >= 0 && owner[vertex] < num_parts) continue;
    throw InputError(text("partition: vertex ", vertex, " is given to part ", owner[vertex],
                          ", but the parts are 0 to ", num_parts - 1));
  }
}

Part build_part(const datasets::Dataset& dataset,
                const graph::Degrees& degrees,
                std::span<const std::int32_t> owner,
                const PartitionInfo& info,
                int part) {
  check_owner(owner, dataset.num_vertices, info.num_parts);
  check_part_number(part, info.num_parts);
  const OwnedVertices owned(owner, info.num_parts);
  VertexMarks marks(dataset.num_vertices);
  std::vector<HaloSet> halos(position(info.num_parts));
  for (int other = 0; other < info.num_parts; ++other) {
    halos[position(other)] =
        find_halo_set(dataset.graph, owner, owned, other, marks, other == part ? any_owner : part);
  }
  std::vector<LocalId> local_of(owner.size(), not_local);
  Part result = assemble({dataset, degrees, owner, {}}, owned.of(part), halos, part, local_of);
  result.info = info;
  return result;
}

PartBuilder::PartBuilder(const datasets::Dataset& dataset,
                         const graph::Degrees& degrees,
                         std::span<const std::int32_t> owner,
                         PartitionInfo info,
                         std::span<const std::int32_t> place)
    : dataset_(dataset),
      degrees_(degrees),
      owner_(checked_owner(owner, dataset.num_vertices, info.num_parts)),
      place_(place),
      info_(std::move(info)),
      owned_(owner, info_.num_parts),
      halos_(find_halo_sets(dataset.graph, owner, owned_)),
      local_of_(owner.size(), not_local) {}

Part PartBuilder::build(int part) {
  check_part_number(part, info_.num_parts);
  const Stopwatch watch;
  Part result =
      assemble({dataset_, degrees_, owner_, place_}, owned_.of(part), halos_, part, local_of_);
  result.info = info_;
  build_seconds_ += watch.seconds();
  return result;
}

}  // namespace weft::partition
