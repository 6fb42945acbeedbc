// SPDX-License-Identifier: MIT
// Chooses the copy of the inner loops that an instruction set asks for.
#include "kernels/cpu/vector_kernels.hpp"

#include "kernels/context.hpp"

namespace weft::kernels::cpu {

extern const VectorKernels baseline_kernels;
#if defined(__x86_64__)
extern const VectorKernels avx2_kernels;
extern const VectorKernels avx512_kernels;
#endif

const VectorKernels& vector_kernels([[maybe_unused]] InstructionSet set) {
#if defined(__x86_64__)
  if (set == InstructionSet::avx512) return avx512_kernels;
  if (set == InstructionSet::avx2) return avx2_kernels;
#endif
  return baseline_kernels;
}

}  // namespace weft::kernels::cpu
