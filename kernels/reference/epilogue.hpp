// SPDX-License-Identifier: MIT
// Specification of the epilogues: the separate operations, one after the other.
#pragma once

#include "kernels/context.hpp"
#include "kernels/epilogue.hpp"

namespace weft::kernels::reference {

void finish_rows(Context& ctx, const Epilogue& epilogue, MatrixView y, RowSet rows);

}  // namespace weft::kernels::reference
