// SPDX-License-Identifier: MIT
// The table of configuration keys: one line a key gives its name, its place in RunConfig, its
// bounds and its help. Reader, writer, errors and help all walk this one table.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "trainer/config.hpp"

namespace weft::trainer {

/// An enum of RunConfig behind names.
struct NamedChoice {
  std::vector<std::string> valid;     ///< in the order of the help
  std::vector<std::string> reserved;  ///< refused as "not available in this version"
  std::function<std::string()> get;
  std::function<void(std::string_view)> set;  ///< called with a valid name only
};

/// A partition path: text, since it may hold {rank}, but it counts from the file's folder.
struct PathPattern {
  std::string* value = nullptr;
};

/// Where the value of a key lies.
using Field = std::variant<bool*,
                           int*,
                           std::int64_t*,
                           std::uint64_t*,
                           double*,
                           std::optional<double>*,
                           std::array<double, 2>*,
                           std::vector<double>*,
                           std::string*,
                           std::filesystem::path*,
                           PathPattern,
                           NamedChoice>;

/// Numbers that a key takes.
struct Bounds {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;   ///< `low` itself is not allowed
  bool high_open = false;  ///< `high` itself is not allowed

  [[nodiscard]] bool contains(double value) const {
    return (low_open ? value > low : value >= low) && (high_open ? value < high : value <= high);
  }
  /// "in [0, 1)", ">= 1", ...; empty where everything goes.
  [[nodiscard]] std::string describe() const;
};

/// A key and the field of one RunConfig that it sets.
struct KeyBinding {
  std::string_view name;  ///< "optimizer.lr"
  Field field;
  Bounds bounds;
  std::string_view help;
  std::string_view only_for = {};  ///< "model.type = gcn": the setting that gives the key a sense
  bool applies = true;             ///< as the configuration stands now

  [[nodiscard]] std::string_view section() const { return name.substr(0, name.find('.')); }
  [[nodiscard]] std::string_view key() const { return name.substr(name.find('.') + 1); }
};

/// The table, bound to `config`, which must outlive it; `applies` reads the values of now.
[[nodiscard]] std::vector<KeyBinding> bind_keys(RunConfig& config);

/// A key of the design that this version does not build, and the values that are what it does
/// anyway: those are taken, every other is refused as "not available in this version".
struct ReservedKey {
  std::string_view name;
  std::vector<std::string_view> accepted = {};  ///< as TOML writes them, text without quotes
};

[[nodiscard]] const std::vector<ReservedKey>& reserved_keys();

/// The help text: every key with its default, what it takes and what it does.
[[nodiscard]] std::string describe_keys();

}  // namespace weft::trainer
