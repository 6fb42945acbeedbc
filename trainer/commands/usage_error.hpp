// SPDX-License-Identifier: MIT
// What to tell somebody who typed a command wrongly: what was found, what is valid, what is near.
#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace weft::trainer::commands {

/// The text for a command line that `app` could not parse: the unknown command or option, the
/// valid names, and the nearest of them.
[[nodiscard]] std::string describe_usage_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace weft::trainer::commands
