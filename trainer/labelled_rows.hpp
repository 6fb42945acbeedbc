// SPDX-License-Identifier: MIT
// Which owned vertices count for training, validation and test, and how many there are in all.
//
// The loss divides by the global number of labelled training vertices, whatever a rank owns: a
// mean of the ranks' means would weigh vertices of small parts more.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "partition/part.hpp"

namespace weft::trainer {

/// The three roles in the order of all arrays here.
inline constexpr std::size_t num_roles = 3;
inline constexpr std::array<const char*, num_roles> role_names{"train", "val", "test"};

struct LabelledRows {
  std::array<std::vector<LocalId>, num_roles> rows;            ///< owned, rising, label known
  std::array<std::int64_t, num_roles> global_counts{0, 0, 0};  ///< over all ranks
};

/// The column of the split called `name` (the first where empty) in the part's rows.
/// Errors   InputError that lists the names there are
[[nodiscard]] std::span<const std::int8_t> split_of_part(const partition::Part& part,
                                                         const std::string& name);

/// No labels or an empty split give no rows.
///
/// Shapes   split [num_owned] or empty
/// Collective
[[nodiscard]] LabelledRows find_labelled_rows(comm::Communicator& communicator,
                                              const partition::Part& part,
                                              std::span<const std::int8_t> split);

}  // namespace weft::trainer
