// SPDX-License-Identifier: MIT
// Notices that the launcher and the MPI library do not belong together: then each of N processes
// believes to be rank 0 of 1, and all of them do the same work and write the same files. And tells
// hosts apart.
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

/// A number that processes of one host share: of its name and its kernel's boot id, since names
/// such as "localhost" repeat and emulated hosts share a kernel.
[[nodiscard]] std::uint64_t host_key();

}  // namespace weft::comm
