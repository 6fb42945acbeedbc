# SPDX-License-Identifier: MIT
# One folder = one static library with the alias weft::FOLDER = one test folder.

# Warnings, definitions and sanitizers of every target of ours.
function(weft_configure_target target)
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR})
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow
                                           -ffp-contract=off)
  if(WEFT_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(WEFT_REAL_DOUBLE)
    target_compile_definitions(${target} PUBLIC WEFT_REAL_DOUBLE)
  endif()
  if(WEFT_ASSERTIONS)
    target_compile_definitions(${target} PUBLIC WEFT_ASSERTIONS)
  endif()
  if(WEFT_SANITIZE)
    target_compile_options(${target} PUBLIC -fsanitize=address,undefined
                                            -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
endfunction()

# weft_add_library(graph SOURCES a.cpp ... PUBLIC weft::x ... PRIVATE TBB::tbb ...)
function(weft_add_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(weft_${name} STATIC ${arg_SOURCES})
  add_library(weft::${name} ALIAS weft_${name})
  weft_configure_target(weft_${name})
  target_link_libraries(weft_${name} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
endfunction()

# weft_add_test(name SOURCES a_test.cpp ... LIBRARIES weft::x ... [RANKS 1 2 3] [LABELS unit]
#               [TIMEOUT 60] [ENVIRONMENT A=B ...])
#
# One executable; without RANKS one ctest entry for it, with RANKS one for each rank count, run by
# mpiexec under a time-out of its own, so that a hung rank cannot hang the suite. The target
# weft_mpi_tests builds all of the latter.
function(weft_add_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;LIBRARIES;RANKS;LABELS;ENVIRONMENT" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()
  add_executable(${name} ${arg_SOURCES})
  weft_configure_target(${name})
  # GCC 12 warns of overlaps inside std::string's own operator+ (GCC bug 105651).
  target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
  # What is tested is optimized in its own library; tests themselves shall compile quickly.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} weft::test_support)
  set(environment "WEFT_DATA_DIR=${WEFT_DATA_DIR}" ${arg_ENVIRONMENT})
  if(arg_RANKS)
    target_link_libraries(${name} PRIVATE weft::test_mpi_main)
    if(NOT TARGET weft_mpi_tests)
      add_custom_target(weft_mpi_tests)
    endif()
    add_dependencies(weft_mpi_tests ${name})
    foreach(ranks ${arg_RANKS})
      set(test ${name}.ranks${ranks})
      add_test(NAME ${test}
               COMMAND timeout --signal=KILL ${arg_TIMEOUT} ${WEFT_MPIEXEC} ${WEFT_MPIEXEC_FLAGS}
                       -n ${ranks} $<TARGET_FILE:${name}>)
      weft_test_properties(${test} ${arg_TIMEOUT} "${arg_LABELS}" "${environment}")
      set_tests_properties(${test} PROPERTIES PROCESSORS 2)
    endforeach()
  else()
    target_link_libraries(${name} PRIVATE GTest::gtest_main)
    add_test(NAME ${name} COMMAND ${name})
    weft_test_properties(${name} ${arg_TIMEOUT} "${arg_LABELS}" "${environment}")
  endif()
endfunction()

# A parallel ctest runs tests in falling order of cost: quick ones that find most come first.
function(weft_test_properties test timeout labels environment)
  math(EXPR outer_timeout "${timeout} + 10")
  set(cost 4000)
  if("slow" IN_LIST labels)
    set(cost 1000)
  elseif("data" IN_LIST labels)
    set(cost 2000)
  elseif("mpi" IN_LIST labels)
    set(cost 3000)
  endif()
  # Without the real datasets all tests of them skip themselves: that shows as skipped, not as passed.
  if("data" IN_LIST labels AND NOT IS_DIRECTORY "${WEFT_DATA_DIR}")
    set_tests_properties(${test} PROPERTIES SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
  endif()
  set_tests_properties(${test} PROPERTIES TIMEOUT ${outer_timeout} LABELS "${labels}" COST ${cost}
                                          ENVIRONMENT "${environment}")
endfunction()
