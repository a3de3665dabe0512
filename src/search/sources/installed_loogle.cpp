#include "installed_loogle.hpp"

#include "core/base/sha256.hpp"

#include <system_error>

namespace leanbridge::search {

namespace fs = std::filesystem;

fs::path loogle_folder(const fs::path& configured, const EnvironmentLookup& environment) {
  if (!configured.empty()) return configured;
  fs::path cache = environment("XDG_CACHE_HOME").value_or("");
  if (!cache.is_absolute()) {
    const fs::path home = environment("HOME").value_or("");
    if (!home.is_absolute()) return {};
    cache = home / ".cache";
  }
  return cache / "lean-lsp-mcp" / "loogle";
}

std::string loogle_key(const std::string& text) {
  return sha256_of(text).substr(0, 12);
}

std::optional<InstalledLoogle> find_installed_loogle(const fs::path& folder, const fs::path& project,
                                                     const std::string& toolchain) {
  if (folder.empty() || project.empty() || toolchain.empty()) return std::nullopt;
  const std::string ending = "-" + loogle_key(toolchain);
  std::optional<InstalledLoogle> newest;
  fs::file_time_type newest_time;
  std::error_code error;
  for (fs::directory_iterator each(folder, error), end; !error && each != end; each.increment(error)) {
    const std::string name = each->path().filename().string();
    if (!name.starts_with("repo-") || !name.ends_with(ending)) continue;
    const fs::path program = each->path() / ".lake" / "build" / "bin" / "loogle";
    std::error_code missing;
    const fs::file_time_type built = fs::last_write_time(program, missing);
    if (missing || !fs::is_regular_file(program, missing) || (newest && built <= newest_time)) continue;
    newest_time = built;
    newest = {program, folder / "index" / ("mathlib-" + loogle_key(project.string()) + ".idx")};
  }
  return newest;
}

}  // namespace leanbridge::search
