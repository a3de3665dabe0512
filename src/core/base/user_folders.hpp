#pragma once
/// The folders for per-user files of a program, by the XDG Base Directory Specification.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace leanbridge {

/// Returns nullopt if the variable is not set.
using EnvironmentLookup = std::function<std::optional<std::string>(const std::string& name)>;

/// The lookup in the environment of this process.
std::optional<std::string> environment_variable(const std::string& name);

/// `leanbridge` in the folder that the variable names, otherwise in `below_home` of $HOME. Relative paths in
/// the variables are ignored, as the specification demands. Empty if neither variable is usable.
std::filesystem::path user_folder(const EnvironmentLookup& environment, const char* variable,
                                  const char* below_home);

/// The folder for settings, below XDG_CONFIG_HOME or ~/.config.
std::filesystem::path config_folder(const EnvironmentLookup& environment);

/// `configured`, else $XDG_CACHE_HOME/leanbridge, else ~/.cache/leanbridge; empty without a home.
std::filesystem::path cache_folder(const std::string& configured);

}  // namespace leanbridge
