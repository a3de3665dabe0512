#include "user_folders.hpp"

#include <cstdlib>

namespace leanbridge {

std::optional<std::string> environment_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  // Hosts leave `${NAME}` unchanged if the variable is not set.
  if (!value || std::string_view(value).starts_with("${")) return std::nullopt;
  return value;
}

namespace fs = std::filesystem;

fs::path user_folder(const EnvironmentLookup& environment, const char* variable, const char* below_home) {
  if (const fs::path base = environment(variable).value_or(""); base.is_absolute())
    return base / "leanbridge";
  if (const fs::path home = environment("HOME").value_or(""); home.is_absolute())
    return home / below_home / "leanbridge";
  return {};
}

fs::path config_folder(const EnvironmentLookup& environment) {
  return user_folder(environment, "XDG_CONFIG_HOME", ".config");
}

std::filesystem::path cache_folder(const std::string& configured) {
  if (!configured.empty()) return std::filesystem::absolute(configured);
  return user_folder(environment_variable, "XDG_CACHE_HOME", ".cache");
}

}  // namespace leanbridge
