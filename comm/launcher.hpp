// SPDX-License-Identifier: MIT
// Notices that the launcher and the MPI library do not belong together: then each of N processes
// believes to be rank 0 of 1, and all of them do the same work and write the same files. Tells what
// a launcher said before MPI begins, and tells hosts apart.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace weft::comm {

/// Looks up an environment variable; null if it is not set.
using Lookup = std::function<const char*(const char* name)>;

/// What is wrong if MPI sees `mpi_size` ranks in the environment that `lookup` shows; empty if
/// nothing is. Only a size of 1 can be wrong.
[[nodiscard]] std::string launcher_mismatch(int mpi_size, const Lookup& lookup);

/// Throws InputError with launcher_mismatch's text, if any, for this process's environment.
void check_launcher(int mpi_size);

/// What tells that a launcher started this process with others, as "PMI_SIZE=4"; empty where
/// nothing does. MPI need not have begun.
[[nodiscard]] std::string launched_with_others(const Lookup& lookup);

/// The rank that a launcher gave this process; 0 without one. MPI need not have begun.
[[nodiscard]] int launched_rank(const Lookup& lookup);

/// A number that processes of one host share: of its name and its kernel's boot id, since names
/// such as "localhost" repeat and emulated hosts share a kernel.
[[nodiscard]] std::uint64_t host_key();

}  // namespace weft::comm
