// SPDX-License-Identifier: MIT
// `weft evaluate RUN` and `weft predict RUN`: a trained model on the graph it was trained on, or
// on another one of the same features and classes.
#pragma once

namespace CLI {
class App;
}

namespace weft::trainer::commands {

void add_evaluate_command(CLI::App& app);
void add_predict_command(CLI::App& app);

}  // namespace weft::trainer::commands
