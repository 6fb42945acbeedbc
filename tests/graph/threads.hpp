// SPDX-License-Identifier: MIT
// Runs a piece of work with a given number of threads, more than the machine has if need be.
#pragma once

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <utility>

namespace weft::test_support {

template <typename Work>
auto with_threads(int num_threads, Work&& work) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(num_threads));
  tbb::task_arena arena(num_threads);
  return arena.execute(std::forward<Work>(work));
}

}  // namespace weft::test_support
