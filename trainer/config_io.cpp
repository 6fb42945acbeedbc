// SPDX-License-Identifier: MIT
// Reads and writes the configuration. The only file that knows toml++.
//
// Order: defaults, file, overrides, then the checks that need all of them. Every value remembers
// where it came from, so that an error names file and line or the flag.
#include "trainer/config_io.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <type_traits>

#include "graph/support/error.hpp"
#include "graph/support/files.hpp"
#include "graph/support/text.hpp"

namespace weft::trainer {
namespace {

namespace fs = std::filesystem;

/// Where a value stands: what errors say of it, and what its paths count from.
struct Origin {
  std::string place;  ///< "cora.toml:7" or "--set model.type=gnc"
  fs::path folder;
};

[[noreturn]] void fail(const Origin& origin, const std::string& message) {
  throw InputError(text("config: ", origin.place, ": ", message));
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string nearest = nearest_word(word, candidates);
  return nearest.empty() ? "" : text("; did you mean '", nearest, "'?");
}

/// What stands there, for people: text in single quotes.
std::string found(const toml::node& node) {
  std::ostringstream out;
  if (node.is_table()) {
    out << "a table";
  } else if (node.is_array()) {
    out << "an array";
  } else {
    node.visit([&out](const auto& value) {
      if constexpr (toml::is_value<decltype(value)>) out << value;
    });
  }
  return std::move(out).str();
}

[[noreturn]] void fail_type(const Origin& origin,
                            std::string_view name,
                            const toml::node& node,
                            std::string_view expected) {
  fail(origin, text(name, " is ", found(node), "; expected ", expected));
}

fs::path absolute_path(const Origin& origin, const std::string& value) {
  if (value.empty()) return {};
  // Not fs::absolute: it refuses the empty path, which is the folder of "run.toml".
  fs::path path = (fs::current_path() / origin.folder / value).lexically_normal();
  return path.has_filename() ? path : path.parent_path();
}

/// Writes one TOML value into the field of a binding; one function a kind of field.
class FieldReader {
 public:
  FieldReader(const KeyBinding& binding, const toml::node& node, const Origin& origin)
      : binding_(binding), node_(node), origin_(origin) {}

  void operator()(bool* field) const {
    const auto value = node_.value_exact<bool>();
    if (!value) fail_type(origin_, binding_.name, node_, "true or false");
    *field = *value;
  }
  void operator()(int* field) const { *field = integer<int>(); }
  void operator()(std::int64_t* field) const { *field = integer<std::int64_t>(); }
  void operator()(std::uint64_t* field) const { *field = integer<std::uint64_t>(); }
  void operator()(double* field) const { *field = number(node_, "a number"); }
  void operator()(std::optional<double>* field) const { *field = number(node_, "a number"); }

  void operator()(std::array<double, 2>* field) const {
    const toml::array* array = node_.as_array();
    if (array == nullptr || array->size() != 2) {
      fail_type(origin_, binding_.name, node_, "an array of two numbers, such as [0.9, 0.999]");
    }
    for (std::size_t i = 0; i < 2; ++i)
      (*field)[i] = number((*array)[i], "numbers in the array");
  }

  void operator()(std::vector<double>* field) const {
    if (node_.is_table()) {
      fail(origin_, text(binding_.name,
                         " as a table is not available in this version; give one "
                         "value, or an array with one for each layer"));
    }
    std::vector<double> values;
    if (const toml::array* array = node_.as_array()) {
      for (const toml::node& element : *array) {
        values.push_back(number(element, "numbers in the array"));
      }
    } else {
      values.push_back(number(node_, "a number or an array of numbers"));
    }
    *field = std::move(values);
  }

  void operator()(std::string* field) const { *field = string(); }
  void operator()(fs::path* field) const { *field = absolute_path(origin_, string()); }
  void operator()(const PathPattern& field) const {
    *field.value = absolute_path(origin_, string()).string();
  }

  void operator()(const NamedChoice& choice) const {
    const std::string name = string();
    const auto has = [&name](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    if (has(choice.valid)) return choice.set(name);
    const std::string valid = text("valid: ", join(choice.valid, ", "));
    if (has(choice.reserved)) {
      fail(origin_, text(binding_.name, " '", name, "' is not available in this version; ", valid));
    }
    fail(origin_,
         text(binding_.name, " '", name, "' is unknown; ", valid, suggestion(name, choice.valid)));
  }

 private:
  std::string string() const {
    const auto value = node_.value_exact<std::string>();
    if (!value) fail_type(origin_, binding_.name, node_, "text in quotes");
    return *value;
  }

  double number(const toml::node& node, std::string_view expected) const {
    const bool is_number = node.is_integer() || node.is_floating_point();
    if (!is_number) fail_type(origin_, binding_.name, node, expected);
    const double value = *node.value<double>();
    check_bounds(value, node);
    return value;
  }

  template <typename Integer>
  Integer integer() const {
    const auto value = node_.value_exact<std::int64_t>();
    if (!value) fail_type(origin_, binding_.name, node_, "an integer");
    check_bounds(static_cast<double>(*value), node_);
    if constexpr (sizeof(Integer) < sizeof(std::int64_t)) {
      if (*value > std::numeric_limits<Integer>::max()) {
        fail(origin_, text(binding_.name, " is ", *value, "; expected at most ",
                           std::numeric_limits<Integer>::max()));
      }
    }
    return static_cast<Integer>(*value);
  }

  void check_bounds(double value, const toml::node& node) const {
    if (binding_.bounds.contains(value)) return;
    fail(origin_, text(binding_.name, " is ", found(node), "; expected a finite number ",
                       binding_.bounds.describe()));
  }

  const KeyBinding& binding_;
  const toml::node& node_;
  const Origin& origin_;
};

/// Assigns values to the keys of one RunConfig and remembers which were given, and where.
class ConfigReader {
 public:
  explicit ConfigReader(RunConfig& config) : config_(config), table_(bind_keys(config)) {}

  void assign(const std::string& name, const toml::node& node, const Origin& origin) {
    if (const KeyBinding* binding = find(name)) {
      std::visit(FieldReader(*binding, node, origin), binding->field);
      given_.insert_or_assign(name, origin);
    } else {
      refuse_unless_accepted(name, node, origin);
    }
  }

  void check_section(std::string_view section, const Origin& origin) const {
    const std::vector<std::string> known = sections();
    if (std::find(known.begin(), known.end(), section) != known.end()) return;
    fail(origin, text("section [", section, "] is unknown; valid: ", join(known, ", "),
                      suggestion(section, known)));
  }

  [[nodiscard]] const KeyBinding* find(std::string_view name) const {
    const auto match = [name](const KeyBinding& binding) { return binding.name == name; };
    const auto place = std::find_if(table_.begin(), table_.end(), match);
    return place == table_.end() ? nullptr : &*place;
  }

  /// A key that was given but has no sense beside the others would be ignored in silence.
  void check_applicable() const {
    for (const KeyBinding& binding : bind_keys(config_)) {
      const auto place = given_.find(binding.name);
      if (place == given_.end() || binding.applies) continue;
      fail(place->second, text(binding.name, " is for ", binding.only_for,
                               " only; remove it, or change that setting"));
    }
  }

 private:
  [[nodiscard]] std::vector<std::string> sections() const {
    std::vector<std::string> names;
    for (const KeyBinding& binding : table_) {
      if (names.empty() || names.back() != binding.section()) names.emplace_back(binding.section());
    }
    return names;
  }

  void refuse_unless_accepted(const std::string& name,
                              const toml::node& node,
                              const Origin& origin) const {
    for (const ReservedKey& reserved : reserved_keys()) {
      if (reserved.name != name) continue;
      const std::string value = node.value_or(found(node));
      const auto& accepted = reserved.accepted;
      if (std::find(accepted.begin(), accepted.end(), value) != accepted.end()) return;
      std::string valid;
      for (const std::string_view word : accepted) {
        valid += text(valid.empty() ? "; valid: " : ", ", word);
      }
      fail(origin, text(name, " = ", found(node), " is not available in this version",
                        valid.empty() ? "; remove the key" : valid));
    }
    fail(origin, text("key ", name, " is unknown", key_suggestion(name)));
  }

  /// The same key in another section, else the nearest spelling, else what the section holds.
  [[nodiscard]] std::string key_suggestion(std::string_view name) const {
    const std::string_view section = name.substr(0, name.find('.'));
    const std::string_view key = name.substr(std::min(name.find('.'), name.size() - 1) + 1);
    std::vector<std::string> all;
    std::vector<std::string> siblings;
    for (const KeyBinding& binding : table_) {
      if (binding.key() == key) return text("; did you mean '", binding.name, "'?");
      all.emplace_back(binding.name);
      if (binding.section() == section) siblings.emplace_back(binding.key());
    }
    std::string nearest = suggestion(name, all);
    if (siblings.empty()) return nearest;
    return text("; valid in [", section, "]: ", join(siblings, ", "), nearest);
  }

  RunConfig& config_;
  std::vector<KeyBinding> table_;
  std::map<std::string, Origin, std::less<>> given_;
};

toml::table parse_toml(std::string_view toml_text, const std::string& source) {
  try {
    return toml::parse(toml_text, source);
  } catch (const toml::parse_error& error) {
    throw InputError(text("config: ", source, ":", error.source().begin.line, ": ",
                          error.description(), "; the file must be TOML"));
  }
}

void read_file(ConfigReader& reader,
               const toml::table& root,
               const std::string& source,
               const fs::path& folder) {
  const auto origin_of = [&](const toml::node& node) {
    return Origin{text(source, ":", node.source().begin.line), folder};
  };
  for (const auto& [section, node] : root) {
    const std::string section_name(section.str());
    const toml::table* keys = node.as_table();
    if (keys == nullptr) {
      fail(origin_of(node), text("'", section_name,
                                 "' stands outside a section; write [section] "
                                 "above it"));
    }
    if (section_name != "task") reader.check_section(section_name, origin_of(node));
    for (const auto& [key, value] : *keys) {
      reader.assign(text(section_name, '.', key.str()), value, origin_of(value));
    }
  }
}

/// The value of an override as TOML, or as text where it is a bare word.
toml::table parse_override_value(const std::string& value, bool wants_text, const Origin& origin) {
  const bool quoted = !value.empty() && (value.front() == '"' || value.front() == '\'');
  const bool bracketed = !value.empty() && (value.front() == '[' || value.front() == '{');
  if (!wants_text || quoted) {
    try {
      toml::table parsed = toml::parse(text("value = ", value));
      if (parsed.size() == 1) return parsed;
    } catch (const toml::parse_error& error) {
      if (quoted || bracketed) fail(origin, text(error.description(), "; the value must be TOML"));
    }
  }
  toml::table as_text;
  as_text.insert("value", value);
  return as_text;
}

void read_override(ConfigReader& reader, const std::string& override_text) {
  const Origin origin{text("--set ", override_text), fs::current_path()};
  const std::size_t equals = override_text.find('=');
  if (equals == std::string::npos) {
    fail(origin, "no '=' found; expected --set section.key=value");
  }
  const std::string name = override_text.substr(0, equals);
  if (name.find('.') == std::string::npos) {
    fail(origin, text("key ", name, " has no section; expected --set section.key=value"));
  }
  const KeyBinding* binding = reader.find(name);
  const bool wants_text =
      binding != nullptr && (std::holds_alternative<std::string*>(binding->field) ||
                             std::holds_alternative<fs::path*>(binding->field) ||
                             std::holds_alternative<PathPattern>(binding->field) ||
                             std::holds_alternative<NamedChoice>(binding->field));
  const toml::table value =
      parse_override_value(override_text.substr(equals + 1), wants_text, origin);
  reader.assign(name, *value.get("value"), origin);
}

/// Shortest text that reads back as the same number, with a point or an exponent.
std::string toml_number(double value) {
  char digits[32];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), value).ptr;
  std::string result(std::begin(digits), end);
  if (result.find_first_of(".en") == std::string::npos) result += ".0";
  return result;
}

std::string toml_numbers(std::span<const double> values) {
  std::vector<std::string> words;
  for (const double value : values)
    words.push_back(toml_number(value));
  return text('[', join(words, ", "), ']');
}

std::string toml_string(std::string_view value) {
  std::string result = "\"";
  for (const char character : value) {
    if (character == '"' || character == '\\') {
      result += '\\';
      result += character;
    } else if (static_cast<unsigned char>(character) < 0x20 || character == 0x7F) {
      constexpr std::string_view hex = "0123456789ABCDEF";
      result += text("\\u00", hex[static_cast<std::size_t>(character) >> 4],
                     hex[static_cast<std::size_t>(character) & 15U]);
    } else {
      result += character;
    }
  }
  return result + '"';
}

struct FieldWriter {
  std::string operator()(const bool* field) const { return *field ? "true" : "false"; }
  std::string operator()(const int* field) const { return std::to_string(*field); }
  std::string operator()(const std::int64_t* field) const { return std::to_string(*field); }
  std::string operator()(const std::uint64_t* field) const { return std::to_string(*field); }
  std::string operator()(const double* field) const { return toml_number(*field); }
  std::string operator()(const std::optional<double>* field) const {
    return field->has_value() ? toml_number(**field) : "";
  }
  std::string operator()(const std::array<double, 2>* field) const { return toml_numbers(*field); }
  std::string operator()(const std::vector<double>* field) const {
    return field->size() == 1 ? toml_number(field->front()) : toml_numbers(*field);
  }
  std::string operator()(const std::string* field) const { return toml_string(*field); }
  std::string operator()(const fs::path* field) const { return toml_string(field->string()); }
  std::string operator()(const PathPattern& field) const { return toml_string(*field.value); }
  std::string operator()(const NamedChoice& choice) const { return toml_string(choice.get()); }
};

}  // namespace

RunConfig parse_config(std::string_view toml_text,
                       const std::string& source,
                       const fs::path& folder,
                       const std::vector<std::string>& overrides) {
  RunConfig config;
  ConfigReader reader(config);
  read_file(reader, parse_toml(toml_text, source), source, folder);
  for (const std::string& override_text : overrides)
    read_override(reader, override_text);
  reader.check_applicable();
  check_consistency(config);
  return config;
}

RunConfig load_config(const fs::path& file, const std::vector<std::string>& overrides) {
  if (fs::is_directory(file)) {
    throw InputError(text("config: ", file.string(), " is a folder",
                          fs::exists(file / "dataset.json") ? " (a dataset)" : "",
                          ", expected the file with the settings (.toml)"));
  }
  const MappedFile content(file);
  return parse_config(content.text(), file.string(), file.parent_path(), overrides);
}

std::string effective_toml(const RunConfig& config) {
  RunConfig copy = config;
  std::string result;
  std::string_view section;
  for (const KeyBinding& binding : bind_keys(copy)) {
    const std::string value = toml_value(binding.field);
    if (value.empty() || value == "\"\"" || !binding.applies) continue;
    if (binding.section() != section) {
      section = binding.section();
      result += text(result.empty() ? "" : "\n", '[', section, "]\n");
    }
    result += text(binding.key(), " = ", value, '\n');
  }
  return result;
}

std::string toml_value(const Field& field) {
  return std::visit(FieldWriter{}, field);
}

}  // namespace weft::trainer
