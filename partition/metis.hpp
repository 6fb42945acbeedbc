// SPDX-License-Identifier: MIT
// The door to METIS: metis.cpp alone includes metis.h, and nothing of METIS's shows here.
//
// What METIS does not check, and answers with a crash or a wrong result: symmetry, loops and
// repeats in its input, one part, as many parts as vertices, a graph without edges, and the width
// of its ids. All of it is settled before a call.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "graph/support/types.hpp"

namespace weft::partition {

/// The METIS library that this program was compiled for.
struct MetisLibrary {
  std::string version;  ///< "5.1.0"
  int id_bits = 0;      ///< 32 or 64
  int weight_bits = 0;  ///< 32 or 64, of its real numbers
};

/// What metis.h says.
[[nodiscard]] MetisLibrary metis_library();

/// "METIS 5.1.0, 32-bit ids, 32-bit reals".
[[nodiscard]] std::string metis_description();

/// Checks that the library which is loaded has the widths that metis.h promised: a call that
/// fills an array of ids, and a path of 10 vertices cut 8 : 2. Later calls return at once.
/// Errors   RuntimeError that names both widths
void verify_metis();

/// Throws InputError if a graph with these counts does not fit ids of `id_bits` bits. METIS sums
/// weights in its id type, so the total weight of each constraint must fit too.
void check_metis_counts(std::int64_t num_vertices,
                        std::int64_t num_arcs,
                        std::span<const std::int64_t> total_weights,
                        int id_bits);

/// What a return code of METIS means, from its manual, section 5.
[[nodiscard]] const char* metis_error_meaning(int code);

/// A graph to be cut.
struct MetisProblem {
  std::span<const EdgeOffset> row_ptr;      ///< [num_vertices + 1] symmetric, without loops
  std::span<const std::int32_t> col_idx;    ///< [num_arcs] no repeats
  std::span<const std::int32_t> weights;    ///< [num_vertices x num_constraints]
  std::vector<std::int64_t> total_weights;  ///< [num_constraints] each above 0
  std::vector<double> shares;               ///< [num_parts] wanted share of each part, sum 1
  std::uint64_t seed = 1;
  bool recursive = false;        ///< recursive bisection instead of k-way
  bool minimize_volume = false;  ///< k-way only
  double tolerance = 1.03;       ///< wanted max/mean of each constraint

  [[nodiscard]] std::int64_t num_vertices() const {
    return static_cast<std::int64_t>(row_ptr.size()) - 1;
  }
  [[nodiscard]] int num_parts() const { return static_cast<int>(shares.size()); }
  [[nodiscard]] int num_constraints() const { return static_cast<int>(total_weights.size()); }
};

/// Calls METIS, on a thread with a stack of its own (METIS needs more than 1 MiB on long paths);
/// calls from several threads wait for each other, since METIS's random numbers are global.
///
/// Needs    2 parts or more, more vertices than parts, at least one arc
/// Shapes   returns [num_vertices], as METIS gave them: not checked for empty parts
/// Errors   InputError from check_metis_counts; RuntimeError with the meaning of METIS's code
[[nodiscard]] std::vector<std::int32_t> run_metis(const MetisProblem& problem);

/// Runs `work` on a new thread with a stack of `stack_bytes` (less if that much is refused) and
/// waits for it; exceptions pass through.
void run_with_stack(std::size_t stack_bytes, const std::function<void()>& work);

}  // namespace weft::partition
