// SPDX-License-Identifier: MIT
// One error, one message, one exit status.
#include "trainer/distributed_program.hpp"

#include <cstdlib>
#include <optional>
#include <string>

#include "comm/launcher.hpp"
#include "graph/support/error.hpp"
#include "graph/support/text.hpp"
#include "trainer/config_io.hpp"
#include "trainer/console.hpp"

namespace weft::trainer {

namespace {

[[noreturn]] void end_job(comm::Communicator& communicator,
                          const std::string& message,
                          int status) {
  print_warning(text("rank ", communicator.rank(), ": ", message, "; ending the job"));
  communicator.abort(status);
}

/// Runs `body`; returns an error that every rank has met.
std::optional<Error> run_body(comm::Communicator& communicator,
                              const std::function<void(comm::Communicator&)>& body) {
  try {
    body(communicator);
  } catch (const comm::AgreedInputError& error) {
    return error;
  } catch (const comm::AgreedError& error) {
    return error;
  } catch (const Error& error) {
    if (communicator.size() == 1) return error;
    end_job(communicator, error.what(), error.exit_status());
  } catch (const std::exception& error) {
    if (communicator.size() == 1) throw;
    end_job(communicator, error.what(), 1);
  }
  return std::nullopt;
}

}  // namespace

RunConfig share_config(comm::Communicator& communicator, const std::function<RunConfig()>& load) {
  std::string settings;
  comm::agree_on_errors(communicator, [&] {
    if (communicator.rank() == 0) settings = effective_toml(load());
  });
  communicator.broadcast_text(settings);
  return parse_config(settings, "settings of rank 0", "/");
}

void run_on_all_ranks(const std::function<void(comm::Communicator&)>& body) {
  comm::Environment environment(nullptr, nullptr);
  comm::Communicator communicator = comm::Communicator::world();
  const std::optional<Error> error = run_body(communicator, body);
  if (!error.has_value()) return;
  environment.set_exit_status(error->exit_status());
  if (communicator.rank() != 0) throw SilentExit(error->exit_status());
  throw *error;
}

void require_one_process(const char* command) {
  const comm::Lookup lookup = [](const char* name) { return std::getenv(name); };
  const std::string sign = comm::launched_with_others(lookup);
  if (sign.empty()) return;
  const InputError error(text(command, " runs as one process; start it without mpiexec (", sign,
                              " says that a launcher started several)"));
  // Without an error of their own, or the launcher ends rank 0 before it has told anybody.
  if (comm::launched_rank(lookup) != 0) throw SilentExit(0);
  throw error;
}

}  // namespace weft::trainer
