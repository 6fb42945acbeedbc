// SPDX-License-Identifier: MIT
// How much of the machine's last-level cache falls to some threads.
#pragma once

#include <cstdint>
#include <filesystem>

namespace weft::kernels {

/// Bytes of a cache that `num_threads` threads may count on where every CPU that shares the cache
/// runs one: at most all of it. `cache` is a folder like /sys/devices/system/cpu/cpu0/cache/index3,
/// of which `size` and `shared_cpu_map` are read; 2 MiB a thread where it does not tell.
[[nodiscard]] std::int64_t cache_share_bytes(const std::filesystem::path& cache, int num_threads);

}  // namespace weft::kernels
