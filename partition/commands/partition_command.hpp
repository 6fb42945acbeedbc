// SPDX-License-Identifier: MIT
// `weft partition`: cuts a dataset into parts and says how good the cut is.
#pragma once

namespace CLI {
class App;
}

namespace weft::partition::commands {

/// Adds the subcommand `partition` to `app`; its callback does the work and throws weft::Error.
void add_partition_command(CLI::App& app);

}  // namespace weft::partition::commands
