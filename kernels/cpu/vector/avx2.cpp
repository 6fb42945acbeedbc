// SPDX-License-Identifier: MIT
// The inner loops for AVX2 and FMA; CMakeLists.txt gives this file its instruction set.
#define WEFT_VECTOR_BYTES 32
#define WEFT_SUM_VECTORS 8
#define WEFT_PANEL_VECTORS 3
#define WEFT_TILE_SUMS 12
#define WEFT_VECTOR_TABLE avx2_kernels
#include "kernels/cpu/vector/all.inc"
