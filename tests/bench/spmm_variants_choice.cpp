// SPDX-License-Identifier: MIT
// The others are compiled as the library's inner loops are, and chosen as those are.
#include "kernels/context.hpp"
#include "tests/bench/spmm_variants.hpp"

namespace weft::bench {

extern const SpmmVariants spmm_variants_baseline;
#if defined(__x86_64__)
extern const SpmmVariants spmm_variants_avx2;
extern const SpmmVariants spmm_variants_avx512;
#endif

const SpmmVariants& spmm_variants() {
#if defined(__x86_64__)
  if (kernels::has_instruction_set(kernels::InstructionSet::avx512)) return spmm_variants_avx512;
  if (kernels::has_instruction_set(kernels::InstructionSet::avx2)) return spmm_variants_avx2;
#endif
  return spmm_variants_baseline;
}

}  // namespace weft::bench
