#pragma once
/// Where a program keeps what is the user's, by the XDG Base Directory Specification.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace leanbridge {

/// nullopt: the variable is not set.
using EnvironmentLookup = std::function<std::optional<std::string>(const std::string& name)>;

/// `leanbridge` in the folder that the variable names, else in `below_home` of $HOME. Relative paths in
/// variables are ignored, as the specification says; empty where nothing is left.
std::filesystem::path user_folder(const EnvironmentLookup& environment, const char* variable,
                                  const char* below_home);

/// The one for settings: XDG_CONFIG_HOME, else ~/.config.
std::filesystem::path config_folder(const EnvironmentLookup& environment);

}  // namespace leanbridge
