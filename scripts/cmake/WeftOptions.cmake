# SPDX-License-Identifier: MIT
# What to build, and how.

option(WEFT_BUILD_TESTS "Build the tests and benchmarks" ON)
option(WEFT_WERROR "Treat warnings as errors" ON)
option(WEFT_ASSERTIONS "Check our own invariants at run time" OFF)
option(WEFT_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
option(WEFT_REAL_DOUBLE "Use double instead of float for features, weights and gradients" OFF)
set(WEFT_MPI "mpich" CACHE STRING "MPI library: mpich, openmpi, or default (what CMake finds)")
set_property(CACHE WEFT_MPI PROPERTY STRINGS mpich openmpi default)
set(WEFT_DATA_DIR "" CACHE PATH "Folder with the real datasets of the data tests")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

find_program(WEFT_CCACHE ccache)
if(WEFT_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${WEFT_CCACHE})
endif()
