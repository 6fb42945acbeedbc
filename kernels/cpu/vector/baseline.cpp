// SPDX-License-Identifier: MIT
// The inner loops for any CPU of the architecture; CMakeLists.txt gives this file its instruction
// set.
#define WEFT_VECTOR_BYTES 16
#define WEFT_SUM_VECTORS 8
#define WEFT_PANEL_VECTORS 3
#define WEFT_TILE_SUMS 12
#define WEFT_VECTOR_TABLE baseline_kernels
#include "kernels/cpu/vector/all.inc"
