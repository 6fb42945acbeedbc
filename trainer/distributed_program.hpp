// SPDX-License-Identifier: MIT
// The frame of every command that runs on all ranks: MPI begins and ends here, and one error is
// printed once and gives every rank the same exit status. Commands of one process refuse the rest.
#pragma once

#include <exception>
#include <functional>

#include "comm/communicator.hpp"
#include "trainer/config.hpp"

namespace weft::trainer {

/// Starts MPI, calls `body`, ends MPI. An error that the ranks have agreed on is printed by rank 0;
/// any other may have met one rank alone, so that rank prints it and ends the whole job.
///
/// Errors   rethrows on rank 0; on others throws SilentExit with the same status
void run_on_all_ranks(const std::function<void(comm::Communicator&)>& body);

/// The settings that `load` reads on rank 0, on every rank: other hosts need no copy of the file.
/// Errors   those of `load`, on all ranks
/// Collective
[[nodiscard]] RunConfig share_config(comm::Communicator& communicator,
                                     const std::function<RunConfig()>& load);

/// For commands that run as one process: several that a launcher started would do the same work and
/// write the same files.
///
/// command  its name, for the message
/// Errors   InputError where a launcher started several processes; on others than the first
///          SilentExit with status 0
void require_one_process(const char* command);

/// An error that another rank prints: only the exit status is left to do.
class SilentExit : public std::exception {
 public:
  explicit SilentExit(int status) : status_(status) {}
  [[nodiscard]] int exit_status() const { return status_; }
  [[nodiscard]] const char* what() const noexcept override { return "printed by rank 0"; }

 private:
  int status_;
};

}  // namespace weft::trainer
