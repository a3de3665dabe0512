#include "leanbridge/lean/packages.hpp"

#include "leanbridge/base/files.hpp"
#include "leanbridge/base/json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace leanbridge::lean {

namespace fs = std::filesystem;
using nlohmann::json;

std::vector<Package> packages_of(const fs::path& root) {
  const auto text = read_regular_file(root / "lake-manifest.json", kMostOfConfiguration);
  const json manifest = text ? read_json(*text) : json();
  std::vector<Package> packages;
  if (!manifest.is_object() || !manifest.contains("packages") || !manifest["packages"].is_array())
    return packages;
  std::string fetched = text_member(manifest, "packagesDir");
  if (fetched.empty()) fetched = ".lake/packages";
  for (const json& entry : manifest["packages"]) {
    Package package;
    package.name = text_member(entry, "name");
    package.is_fetched = text_member(entry, "type") == "git";
    const std::string folder = text_member(entry, "dir");
    if (!folder.empty())
      package.folder = root / folder;
    else if (!package.name.empty())
      package.folder = root / fetched / package.name;
    if (!package.folder.empty()) packages.push_back(std::move(package));
  }
  return packages;
}

std::vector<fs::path> path_dependencies(const fs::path& root) {
  // Nobody requires so many packages by their folder; each costs looks at the disk.
  constexpr std::size_t kMaxDependencies = 256;
  std::vector<fs::path> folders;
  for (const Package& package : packages_of(root)) {
    if (package.is_fetched || package.folder.native().find('\0') != std::string::npos) continue;
    fs::path folder = package.folder.lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();
    if (folder == root || std::find(folders.begin(), folders.end(), folder) != folders.end()) continue;
    folders.push_back(std::move(folder));
    if (folders.size() == kMaxDependencies) break;
  }
  return folders;
}

std::vector<fs::path> built_folders(const fs::path& root) {
  std::vector<fs::path> folders = {root};
  for (Package& package : packages_of(root)) folders.push_back(std::move(package.folder));
  for (fs::path& folder : folders) {
    std::error_code error;
    if (fs::path real = fs::weakly_canonical(folder, error); !error) folder = std::move(real);
  }
  std::sort(folders.begin(), folders.end());
  folders.erase(std::unique(folders.begin(), folders.end()), folders.end());
  return folders;
}

}  // namespace leanbridge::lean
