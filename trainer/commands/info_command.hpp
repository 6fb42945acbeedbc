// SPDX-License-Identifier: MIT
// `weft info PATH`: what is in a dataset, partition, checkpoint or run folder.
#pragma once

namespace CLI {
class App;
}

namespace weft::trainer::commands {

void add_info_command(CLI::App& app);

}  // namespace weft::trainer::commands
