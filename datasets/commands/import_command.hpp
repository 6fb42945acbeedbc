// SPDX-License-Identifier: MIT
// `weft import`: files that people have become a dataset folder.
#pragma once

namespace CLI {
class App;
}

namespace weft::datasets::commands {

/// Adds the subcommand `import` to `app`; its callback does the work and throws weft::Error.
void add_import_command(CLI::App& app);

}  // namespace weft::datasets::commands
