#include "leanbridge/lean/path_dependencies.hpp"

#include "leanbridge/base/json.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>

namespace leanbridge::lean {

namespace fs = std::filesystem;

namespace {

// Manifests have some kilobytes. Nobody requires so many packages by their folder; each costs looks at the
// disk.
constexpr std::uintmax_t kMaxManifest = std::uintmax_t{4} << 20;
constexpr std::size_t kMaxDependencies = 256;

nlohmann::json read_manifest(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error) || fs::file_size(file, error) > kMaxManifest || error) return {};
  std::ifstream stream(file, std::ios::binary);
  return read_json(std::string(std::istreambuf_iterator<char>(stream), {}));
}

}  // namespace

std::vector<fs::path> path_dependencies(const fs::path& root) {
  const nlohmann::json manifest = read_manifest(root / "lake-manifest.json");
  std::vector<fs::path> folders;
  if (!manifest.is_object()) return folders;
  const auto packages = manifest.find("packages");
  if (packages == manifest.end() || !packages->is_array()) return folders;
  for (const nlohmann::json& package : *packages) {
    const std::string dir = text_member(package, "dir");
    if (text_member(package, "type") != "path" || dir.empty() || dir.find('\0') != std::string::npos)
      continue;
    fs::path folder = (root / dir).lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();
    if (folder == root || std::find(folders.begin(), folders.end(), folder) != folders.end()) continue;
    folders.push_back(std::move(folder));
    if (folders.size() == kMaxDependencies) break;
  }
  return folders;
}

}  // namespace leanbridge::lean
