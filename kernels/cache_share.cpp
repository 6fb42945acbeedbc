// SPDX-License-Identifier: MIT
// Reads what the Linux kernel tells of a cache: "32768K", and a mask of CPUs like "ff,ffffffff".
#include "kernels/cache_share.hpp"

#include <algorithm>
#include <bit>
#include <fstream>
#include <string>

namespace weft::kernels {
namespace {

constexpr std::int64_t unknown_bytes_per_thread = std::int64_t{2} << 20;

/// The bytes of "32768K" or "32M"; 0 for anything else.
std::int64_t read_size(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::int64_t number = 0;
  char unit = 0;
  if (!(in >> number >> unit) || number <= 0) return 0;
  if (unit == 'K') return number << 10;
  return unit == 'M' ? number << 20 : 0;
}

int count_cpus(const std::filesystem::path& file) {
  std::ifstream in(file);
  int count = 0;
  for (char digit = 0; in >> digit;) {
    const bool is_number = '0' <= digit && digit <= '9';
    const bool is_letter = 'a' <= digit && digit <= 'f';
    if (is_number) count += std::popcount(static_cast<unsigned>(digit - '0'));
    if (is_letter) count += std::popcount(static_cast<unsigned>(digit - 'a' + 10));
  }
  return count;
}

}  // namespace

std::int64_t cache_share_bytes(const std::filesystem::path& cache, int num_threads) {
  const std::int64_t num_bytes = read_size(cache / "size");
  const int num_cpus = count_cpus(cache / "shared_cpu_map");
  if (num_bytes == 0 || num_cpus == 0) return num_threads * unknown_bytes_per_thread;
  return num_bytes * std::min(num_threads, num_cpus) / num_cpus;
}

}  // namespace weft::kernels
