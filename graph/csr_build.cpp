// SPDX-License-Identifier: MIT
// The oneTBB policy of the builder.
#include "graph/csr_build.hpp"

#include <atomic>

#include "graph/parallel.hpp"
#include "graph/support/process.hpp"

namespace weft::graph {
namespace {

constexpr std::int64_t grain = 4096;

struct TbbPolicy {
  template <typename T>
  using Array = std::vector<T>;

  template <typename T>
  static Array<T> make(std::int64_t count) {
    return make_large_vector<T>(static_cast<std::size_t>(count));
  }

  template <typename Work>
  static void for_each(std::int64_t count, const Work& work) {
    parallel_for_each(count, grain, work);
  }

  template <typename Total, typename Work>
  static Total sum(std::int64_t count, const Work& work) {
    return parallel_sum<Total>(count, grain, work);
  }

  static void offsets(Array<EdgeOffset>& counts) { offsets_from_counts(counts); }

  static SortedRows sort_rows(EdgeList&& edges, ExpandArc expand) {
    return graph::sort_rows(std::move(edges), expand);
  }

  static void mark(std::uint8_t& flag) {
    std::atomic_ref(flag).store(1, std::memory_order_relaxed);
  }

  template <typename T>
  static std::vector<T> to_host(Array<T>&& values) {
    return std::move(values);
  }
};

}  // namespace

CsrGraph build_csr(EdgeList&& edges,
                   const BuildOptions& options,
                   BuildReport* report,
                   const ProgressCallback& progress) {
  TbbPolicy policy;
  return build_csr_with(policy, std::move(edges), options, report, progress);
}

}  // namespace weft::graph
