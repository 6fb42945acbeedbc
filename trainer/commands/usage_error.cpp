// SPDX-License-Identifier: MIT
// The parser says which argument it did not expect; the names that it would have taken, and the
// nearest of them, are added here.
#include "trainer/commands/usage_error.hpp"

#include <CLI/CLI.hpp>
#include <vector>

#include "graph/support/text.hpp"

namespace weft::trainer::commands {
namespace {

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string nearest = nearest_word(word, candidates);
  return nearest.empty() ? "" : text("; did you mean '", nearest, "'?");
}

std::string unknown_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({}))
    names.push_back(command->get_name());
  return text("command '", word, "' is unknown; valid: ", join(names, ", "),
              suggestion(word, names));
}

std::string unknown_option(const CLI::App& command, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames())
      names.push_back("--" + name);
  }
  const std::string bare = word.substr(0, word.find('='));
  return text(command.get_name(), ": option '", bare, "' is unknown; valid: ", join(names, ", "),
              suggestion(bare, names));
}

}  // namespace

std::string describe_usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  for (const std::string& word : command.remaining(true)) {
    if (word.starts_with('-') && word != "-") return unknown_option(command, word);
    if (chosen.empty()) return unknown_command(app, word);
    return text(command.get_name(), ": argument '", word, "' was not expected; see weft ",
                command.get_name(), " --help");
  }
  if (chosen.empty()) return "no command given; see weft --help";
  return text(command.get_name(), ": ", error.what(), "; see weft ", command.get_name(), " --help");
}

}  // namespace weft::trainer::commands
