// SPDX-License-Identifier: MIT
// The inner loops as AVX-512 lays them out, on whatever registers the CPU has: the compiler splits
// the vectors. So their shapes, tails and shuffles are tested on machines without AVX-512.
#define WEFT_VECTOR_BYTES 64
#define WEFT_SUM_VECTORS 16
#define WEFT_PANEL_VECTORS 4
#define WEFT_TILE_SUMS 24
#define WEFT_VECTOR_TABLE wide_kernels
#include "kernels/cpu/vector/all.inc"
