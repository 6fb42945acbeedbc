// SPDX-License-Identifier: MIT
// Rows of all ranks on rank 0, in dataset order: partitions never show in an output.
#pragma once

#include "comm/communicator.hpp"
#include "kernels/matrix.hpp"
#include "partition/part.hpp"

namespace weft::trainer {

/// Row v of the result is the row of global vertex v, whoever owns it; on other ranks than 0 the
/// result is empty.
///
/// Shapes   rows [num_owned x dim] in local order; returns [num_vertices x dim] on rank 0
/// Cost     num_vertices * (dim + 1) numbers on rank 0
/// Collective
[[nodiscard]] kernels::Matrix gather_by_global_id(comm::Communicator& communicator,
                                                  const partition::Part& part,
                                                  kernels::ConstMatrixView rows);

}  // namespace weft::trainer
