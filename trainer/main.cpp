// SPDX-License-Identifier: MIT
// The program `weft`: a table of contents of its commands, and the one place where errors become
// exit statuses: 0 done, 1 failed while running, 2 wrong usage or input.
#include <CLI/CLI.hpp>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <string>

#include "comm/communicator.hpp"
#include "comm/launcher.hpp"
#include "datasets/commands/generate_command.hpp"
#include "datasets/commands/import_command.hpp"
#include "graph/support/error.hpp"
#include "graph/support/files.hpp"
#include "graph/support/text.hpp"
#include "graph/support/types.hpp"
#include "partition/commands/partition_command.hpp"
#include "partition/metis.hpp"
#include "trainer/commands/evaluate_command.hpp"
#include "trainer/commands/info_command.hpp"
#include "trainer/commands/train_command.hpp"
#include "trainer/commands/usage_error.hpp"
#include "trainer/commands/verify_command.hpp"
#include "trainer/distributed_program.hpp"

namespace {

constexpr int failed_status = 1;
constexpr int usage_status = 2;

constexpr const char* description =
    "Trains graph neural networks on whole graphs, over the ranks of an MPI job.";
constexpr const char* footer =
    "\nThe straight path, from a user's edge list to predictions:\n"
    "  weft import edges.txt --out data --features x.npy --labels y.txt\n"
    "  weft partition data --parts 4\n"
    "  mpiexec -n 4 weft train config.toml --out run\n"
    "  mpiexec -n 4 weft predict run\n"
    "\nweft COMMAND --help explains a command. stdout carries results, stderr progress and\n"
    "warnings. Exit status: 0 done, 1 failed while running, 2 wrong usage or input.\n";

std::string version_text() {
  return weft::text("weft " WEFT_VERSION "\ncompiler: " WEFT_COMPILER "\nnumbers: ",
                    sizeof(weft::Real) == sizeof(float) ? "float" : "double",
                    "\nMPI: ", weft::comm::Environment::library_version(),
                    "\npartitioner: ", weft::partition::metis_description(), '\n');
}

int report(const std::string& message, int status) {
  std::cerr << weft::text("weft: error: ", message, '\n') << std::flush;
  return status;
}

/// oneTBB throws a std::runtime_error with these words where a worker cannot get its stack.
std::string describe(const std::exception& error) {
  const std::string words = error.what();
  if (words.find("pthread_create") == words.npos) return words;
  return weft::text("out of memory or of threads: ", words,
                    "; raise the limits (ulimit -v, ulimit -u) or use a machine with more");
}

/// Reports the exception that is being handled; returns the exit status that it stands for.
int report_exception() {
  try {
    throw;
  } catch (const weft::Error& error) {
    return report(error.what(), error.exit_status());
  } catch (const weft::trainer::SilentExit& exit) {
    return exit.exit_status();
  } catch (const std::bad_alloc&) {
    return report("out of memory; use more ranks, or a machine with more", failed_status);
  } catch (const std::exception& error) {
    return report(describe(error), failed_status);
  }
}

/// Workers of oneTBB start one another: where one cannot, nobody is there to catch its exception.
[[noreturn]] void end_uncaught() {
  if (std::current_exception() == nullptr) std::abort();
  std::_Exit(report_exception());
}

void add_commands(CLI::App& app) {
  weft::datasets::commands::add_import_command(app);
  weft::datasets::commands::add_generate_command(app);
  weft::partition::commands::add_partition_command(app);
  weft::trainer::commands::add_train_command(app);
  weft::trainer::commands::add_evaluate_command(app);
  weft::trainer::commands::add_predict_command(app);
  weft::trainer::commands::add_verify_command(app);
  weft::trainer::commands::add_info_command(app);
}

int run(int argc, char** argv) {
  CLI::App app(description, "weft");
  app.set_version_flag("--version", version_text);
  app.require_subcommand(1);
  add_commands(app);
  app.footer(footer);  // last: commands take over the footer that is there when they are added
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& request) {
    return app.exit(request);
  } catch (const CLI::ParseError& error) {
    const auto environment = [](const char* name) -> const char* { return std::getenv(name); };
    if (weft::comm::launched_rank(environment) != 0) return usage_status;
    return report(weft::trainer::commands::describe_usage_error(app, error), usage_status);
  }
  std::cout << std::flush;
  if (!std::cout)
    return report("stdout: cannot write the results; is the disk full?", failed_status);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::set_terminate(end_uncaught);
  weft::remove_temporaries_when_interrupted();
  try {
    return run(argc, argv);
  } catch (...) {
    return report_exception();
  }
}
