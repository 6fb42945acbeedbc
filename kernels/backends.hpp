// SPDX-License-Identifier: MIT
// Every operation as each backend has it. The list stands once, in backend_operations.inc; the
// public functions check shapes and pass on to the backend of their context.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/context.hpp"
#include "kernels/dropout.hpp"
#include "kernels/epilogue.hpp"
#include "kernels/extreme_aggregation.hpp"
#include "kernels/gemm.hpp"
#include "kernels/matrix.hpp"
#include "kernels/optimizer_step.hpp"
#include "kernels/row_set.hpp"
#include "kernels/sparse.hpp"

namespace weft::kernels {

/// Slow and readable: the specification that other backends are compared with.
namespace reference {
#include "kernels/backend_operations.inc"
}

/// oneTBB and vector instructions.
namespace cpu {
#include "kernels/backend_operations.inc"
}

/// The function of the backend that `ctx` runs on. Throws InputError if this build lacks it.
template <typename Function>
[[nodiscard]] Function choose_backend(const Context& ctx,
                                      const char* operation,
                                      Function on_reference,
                                      Function on_cpu) {
  switch (ctx.backend()) {
    case Backend::reference:
      return on_reference;
    case Backend::cpu:
      return on_cpu;
    case Backend::cuda:
      break;
  }
  backend_missing(ctx.backend(), operation);
}

}  // namespace weft::kernels
