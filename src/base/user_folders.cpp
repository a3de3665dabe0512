#include "leanbridge/base/user_folders.hpp"

namespace leanbridge {

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

}  // namespace leanbridge
