// SPDX-License-Identifier: MIT
#include "comm/launcher.hpp"

#include <array>
#include <cstdlib>
#include <fstream>
#include <span>

#include "comm/communicator.hpp"
#include "graph/support/checksum.hpp"
#include "graph/support/error.hpp"
#include "graph/support/process.hpp"
#include "graph/support/text.hpp"

namespace weft::comm {

namespace {

// A variable by which a launcher tells a process of the others.
struct Sign {
  const char* variable;
  int alone;  // its value in a job of one process
  const char* launcher;
};

// SLURM_NTASKS is no sign: a batch script has it without being a task.
constexpr std::array<Sign, 7> signs = {{
    {"PMI_SIZE", 1, "an mpiexec of MPICH's family, or srun"},
    {"OMPI_COMM_WORLD_SIZE", 1, "Open MPI's mpiexec"},
    {"MV2_COMM_WORLD_SIZE", 1, "MVAPICH's mpiexec"},
    {"MPI_LOCALNRANKS", 1, "an mpiexec of MPICH's family"},
    {"SLURM_STEP_NUM_TASKS", 1, "srun"},
    {"PMI_RANK", 0, "an mpiexec of MPICH's family, or srun"},
    {"PMIX_RANK", 0, "a launcher that speaks PMIx"},
}};

/// The first sign that there are other processes; null where there is none.
const Sign* find_sign(const Lookup& lookup) {
  for (const Sign& sign : signs) {
    const char* value = lookup(sign.variable);
    if (value != nullptr && std::atoi(value) > sign.alone) return &sign;
  }
  return nullptr;
}

}  // namespace

std::string launcher_mismatch(int mpi_size, const Lookup& lookup) {
  const Sign* sign = mpi_size == 1 ? find_sign(lookup) : nullptr;
  if (sign == nullptr) return {};
  return text("MPI: this process sees 1 rank, but ", sign->variable, "=", lookup(sign->variable),
              " says that a launcher (", sign->launcher,
              ") started several; launcher and MPI library do not belong together: start the "
              "program with the mpiexec of ",
              Environment::library_version(), " (for one-rank runs side by side, unset ",
              sign->variable, ")");
}

void check_launcher(int mpi_size) {
  const std::string mismatch =
      launcher_mismatch(mpi_size, [](const char* name) { return std::getenv(name); });
  if (!mismatch.empty()) throw InputError(mismatch);
}

std::string launched_with_others(const Lookup& lookup) {
  const Sign* sign = find_sign(lookup);
  return sign == nullptr ? std::string() : text(sign->variable, "=", lookup(sign->variable));
}

int launched_rank(const Lookup& lookup) {
  for (const char* name :
       {"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID"}) {
    if (const char* value = lookup(name)) return std::atoi(value);
  }
  return 0;
}

std::uint64_t host_key() {
  std::string boot_id;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot_id;
  const std::string key = host_name() + " " + boot_id;
  return checksum(std::as_bytes(std::span(key)));
}

}  // namespace weft::comm
