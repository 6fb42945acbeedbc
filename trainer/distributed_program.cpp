// SPDX-License-Identifier: MIT
// One error, one message, one exit status.
#include "trainer/distributed_program.hpp"

#include <optional>
#include <string>

#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "trainer/console.hpp"

namespace weft::trainer {

namespace {

[[noreturn]] void end_job(comm::Communicator& communicator, const std::string& message) {
  print_warning(text("rank ", communicator.rank(), ": ", message, "; ending the job"));
  communicator.abort(1);
}

/// Runs `body`; returns an error that every rank has met.
std::optional<Error> run_body(comm::Communicator& communicator,
                              const std::function<void(comm::Communicator&)>& body) {
  try {
    body(communicator);
  } catch (const InputError& error) {
    return error;
  } catch (const comm::AgreedError& error) {
    return error;
  } catch (const std::exception& error) {
    if (communicator.size() == 1) throw;
    end_job(communicator, error.what());
  }
  return std::nullopt;
}

}  // namespace

void run_on_all_ranks(const std::function<void(comm::Communicator&)>& body) {
  comm::Environment environment(nullptr, nullptr);
  comm::Communicator communicator = comm::Communicator::world();
  const std::optional<Error> error = run_body(communicator, body);
  if (!error.has_value()) return;
  environment.set_exit_status(error->exit_status());
  if (communicator.rank() != 0) throw SilentExit(error->exit_status());
  throw *error;
}

}  // namespace weft::trainer
