// SPDX-License-Identifier: MIT
// The inner loops for AVX-512; CMakeLists.txt gives this file its instruction set.
#define WEFT_VECTOR_BYTES 64
#define WEFT_SUM_VECTORS 16
#define WEFT_PANEL_VECTORS 4
#define WEFT_TILE_SUMS 24
#define WEFT_VECTOR_TABLE avx512_kernels
#include "kernels/cpu/vector/all.inc"
