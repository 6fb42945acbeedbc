// SPDX-License-Identifier: MIT
// `weft generate`: a synthetic dataset, for trying out and for measuring.
#pragma once

namespace CLI {
class App;
}

namespace weft::datasets::commands {

/// Adds the subcommand `generate` to `app`; its callback does the work and throws weft::Error.
void add_generate_command(CLI::App& app);

}  // namespace weft::datasets::commands
