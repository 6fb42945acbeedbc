// SPDX-License-Identifier: MIT
// `weft verify CONFIG.toml`: proves on the user's own graph that K ranks compute what one computes.
#pragma once

namespace CLI {
class App;
}

namespace weft::trainer::commands {

void add_verify_command(CLI::App& app);

}  // namespace weft::trainer::commands
