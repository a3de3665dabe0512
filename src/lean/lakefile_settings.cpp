#include "leanbridge/lean/lakefile_settings.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace leanbridge::lean {

namespace {

/// Of a package, a library or an executable (Lake/Load/Toml.lean). None has a say in how Lean elaborates:
/// precompileModules is not among them, since Lean then loads machine code that linker arguments can replace.
constexpr auto kHarmlessKeys = std::to_array<std::string_view>({
    "binDir",
    "buildArchive",
    "buildDir",
    "defaultFacets",
    "defaultTargets",
    "description",
    "exeName",
    "globs",
    "homepage",
    "irDir",
    "keywords",
    "leanLibDir",
    "libName",
    "license",
    "licenseFiles",
    "lintDriver",
    "lintDriverArgs",
    "moreLeancArgs",
    "moreLinkArgs",
    "name",
    "nativeLibDir",
    "needs",  // built before; `dynlibs` and `plugins` would be loaded
    "packagesDir",
    "platformIndependent",
    "preferReleaseBuild",
    "readmeFile",
    "releaseRepo",
    "require",
    "reservoir",
    "root",
    "roots",
    "srcDir",
    "supportInterpreter",
    "testDriver",
    "testDriverArgs",
    "testRunner",
    "version",
    "versionTags",
    "weakLeancArgs",
    "weakLinkArgs",
});
constexpr std::array<std::string_view, 3> kOptionKeys = {"leanOptions", "moreServerOptions",
                                                         "moreGlobalServerOptions"};
constexpr std::array<std::string_view, 2> kTargetKeys = {"lean_lib", "lean_exe"};

template <class Keys>
bool contains(const Keys& keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

class SettingsReader {
 public:
  explicit SettingsReader(LakefileSettings& found) : found_(found) {}

  void read_table(const toml::table& table, bool is_package) {
    for (const auto& [key, value] : table) {
      const std::string_view name = key.str();
      if (contains(kOptionKeys, name))
        read_options(value, "");
      else if (is_package && contains(kTargetKeys, name))
        read_targets(value, name);
      else if (!contains(kHarmlessKeys, name) && !is_default(name, value))
        found_.others.push_back({std::string(name), line_of(value)});
    }
  }

 private:
  static bool is_default(std::string_view key, const toml::node& value) {
    return key == "precompileModules" && value.value<bool>() == false;
  }

  static int line_of(const toml::node& node) {
    return std::max(1, static_cast<int>(node.source().begin.line));
  }

  void read_targets(const toml::node& value, std::string_view key) {
    const toml::array* const targets = value.as_array();
    if (!targets) return found_.others.push_back({std::string(key), line_of(value)});
    for (const toml::node& target : *targets)
      if (const toml::table* const table = target.as_table())
        read_table(*table, false);
      else
        found_.others.push_back({std::string(key), line_of(target)});
  }

  /// A table whose dotted keys are the options, or an array of `{name, value}`.
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
    constexpr std::string_view kWeak = "weak.";
    if (name.starts_with(kWeak)) name.erase(0, kWeak.size());
    found_.options.push_back({std::move(name), line_of(node)});
  }

  LakefileSettings& found_;
};

}  // namespace

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
  std::stable_sort(found.options.begin(), found.options.end(), by_line);
  std::stable_sort(found.others.begin(), found.others.end(), by_line);
  return found;
}

}  // namespace leanbridge::lean
