// SPDX-License-Identifier: MIT
// The configuration as TOML: file and --set flags to RunConfig, and RunConfig back to a file.
//
//   config: cora.toml:7: model.type 'gnc' is unknown; valid: gcn, sage; did you mean 'gcn'?
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "trainer/config.hpp"
#include "trainer/config_keys.hpp"

namespace weft::trainer {

/// Reads a TOML file, then the overrides in order ("optimizer.lr=0.01"; the value is TOML, a bare
/// word is text). Paths in the file count from its folder, those of overrides from the current one.
///
/// Errors   InputError: file absent, TOML syntax, unknown key or name (with the nearest valid one),
///          key or name of a later version, wrong type, out of bounds, keys that do not fit each
///          other; with file and line
[[nodiscard]] RunConfig load_config(const std::filesystem::path& file,
                                    const std::vector<std::string>& overrides = {});

/// The same for TOML text; `source` names it in errors, paths count from `folder`.
[[nodiscard]] RunConfig parse_config(std::string_view toml_text,
                                     const std::string& source,
                                     const std::filesystem::path& folder,
                                     const std::vector<std::string>& overrides = {});

/// The settings that apply, as a TOML file that gives the same RunConfig when read again; paths
/// are absolute.
[[nodiscard]] std::string effective_toml(const RunConfig& config);

/// The value of a field as TOML writes it; empty text for an optional that is not set.
[[nodiscard]] std::string toml_value(const Field& field);

}  // namespace weft::trainer
