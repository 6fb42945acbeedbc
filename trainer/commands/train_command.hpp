// SPDX-License-Identifier: MIT
// `weft train CONFIG.toml`: trains a model over all ranks and leaves a run folder.
#pragma once

namespace CLI {
class App;
}

namespace weft::trainer::commands {

void add_train_command(CLI::App& app);

}  // namespace weft::trainer::commands
