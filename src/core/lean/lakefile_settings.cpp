#include "lakefile_settings.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace leanbridge::lean {

namespace {

/// Keys of a package, a library or an executable (src/lake/Lake/Load/Toml.lean). No other key affects how
/// Lean elaborates; Lake ignores keys that it does not know.
constexpr auto kOptionKeys = std::to_array<std::string_view>({"leanOptions", "moreServerOptions"});
constexpr auto kArgumentKeys =
    std::to_array<std::string_view>({"moreLeanArgs", "weakLeanArgs", "moreGlobalServerArgs"});
constexpr auto kLibraryKeys = std::to_array<std::string_view>({"plugins", "dynlibs", "precompileModules"});
constexpr auto kTargetKeys = std::to_array<std::string_view>({"lean_lib", "lean_exe"});

template <class Keys>
bool contains(const Keys& keys, std::string_view key) {
  return std::ranges::find(keys, key) != keys.end();
}

class SettingsReader {
 public:
  explicit SettingsReader(LakefileSettings& found) : found_(found) {}

  void read_table(const toml::table& table, bool is_package) {
    for (const auto& [key, value] : table) {
      const std::string_view name = key.str();
      if (contains(kOptionKeys, name))
        read_options(value, "");
      else if (contains(kArgumentKeys, name))
        read_arguments(value);
      else if (contains(kLibraryKeys, name) && !is_nothing(value))
        found_.libraries.push_back({std::string(name), line_of(value)});
      else if (is_package && contains(kTargetKeys, name))
        read_targets(value);
    }
  }

 private:
  static bool is_nothing(const toml::node& value) {
    const toml::array* const array = value.as_array();
    return value.value<bool>() == false || (array && array->empty());
  }

  static int line_of(const toml::node& node) {
    return std::max(1, static_cast<int>(node.source().begin.line));
  }

  void read_targets(const toml::node& value) {
    const toml::array* const targets = value.as_array();
    if (!targets) return;  // Lake reports it
    for (const toml::node& target : *targets)
      if (const toml::table* const table = target.as_table()) read_table(*table, false);
  }

  /// Reads one text or an array of texts.
  void read_arguments(const toml::node& value) {
    if (const toml::array* const array = value.as_array())
      for (const toml::node& each : *array) add_argument(each);
    else
      add_argument(value);
  }

  void add_argument(const toml::node& node) {
    found_.arguments.push_back({node.value<std::string>().value_or("?"), line_of(node)});
  }

  /// Reads a table whose dotted keys are the options, or an array of `{name, value}`.
  void read_options(const toml::node& value, const std::string& prefix) {
    if (const toml::table* const table = value.as_table()) {
      for (const auto& [key, inner] : *table) {
        const std::string name = prefix + std::string(key.str());
        if (inner.is_table())
          read_options(inner, name + ".");
        else
          add_option(name, inner);
      }
      return;
    }
    if (const toml::array* const array = value.as_array()) {
      for (const toml::node& each : *array) {
        const toml::table* const table = each.as_table();
        const auto name = table ? (*table)["name"].value<std::string>() : std::nullopt;
        add_option(name.value_or("?"), each);
      }
      return;
    }
    add_option(prefix + "?", value);
  }

  void add_option(std::string name, const toml::node& node) {
    found_.options.push_back({option_without_weak(std::move(name)), line_of(node)});
  }

  LakefileSettings& found_;
};

}  // namespace

std::string option_without_weak(std::string name) {
  constexpr std::string_view kWeak = "weak.";
  if (name.starts_with(kWeak)) name.erase(0, kWeak.size());
  return name;
}

Result<LakefileSettings> settings_in_lakefile(const std::string& text) {
  LakefileSettings found;
  try {
    const toml::table lakefile = toml::parse(text);
    SettingsReader(found).read_table(lakefile, true);
  } catch (const toml::parse_error& error) {
    return fail(ErrorKind::InvalidArgument, "line " + std::to_string(error.source().begin.line) +
                                                " is no TOML: " + std::string(error.description()));
  }
  const auto by_line = [](const LakefileSettings::Setting& a, const LakefileSettings::Setting& b) {
    return a.line < b.line;
  };
  for (auto* const settings : {&found.options, &found.arguments, &found.libraries})
    std::ranges::stable_sort(*settings, by_line);
  return found;
}

}  // namespace leanbridge::lean
