#include "imports.hpp"

#include "core/base/files.hpp"
#include "core/platform/files.hpp"
#include "core/text/lean_header.hpp"
#include "core/text/lean_names.hpp"
#include "project.hpp"
#include "source_folders.hpp"
#include <sys/stat.h>

#include <algorithm>
#include <unordered_set>

namespace leanbridge::lean {

namespace fs = std::filesystem;

namespace {

// "" if the file cannot be read; Lean reports why.
std::string read_file(const fs::path& path, std::size_t limit) {
  auto content = read_regular_file(path, limit);
  return content ? std::move(*content) : std::string();
}

constexpr const char* kLakefiles[] = {"lakefile.toml", "lakefile.lean"};
constexpr const char* kConfigurationFiles[] = {"lakefile.toml", "lakefile.lean", kManifestName,
                                               "lean-toolchain", kOverridesName};

FileIdentity identity_of(const struct stat& status) {
  FileIdentity identity;
  identity.device = static_cast<std::uint64_t>(status.st_dev);
  identity.inode = status.st_ino;
  identity.size = status.st_size;
  identity.modified_ns = platform::modified_ns(status);
  return identity;
}

// The identity of a regular file; anything else counts as missing.
FileIdentity identify_source(const fs::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) ? identity_of(status) : FileIdentity();
}

void add_existing(const fs::path& file, ImportState& state) {
  if (const FileIdentity identity = identify(file); identity.exists()) state.emplace(file, identity);
}

}  // namespace

FileIdentity identify(const fs::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? identity_of(status) : FileIdentity();
}

void ImportWatch::read_source_folders() {
  ImportState configuration = configuration_state(root_);
  if (!source_folders_.empty() && configuration == configuration_) return;
  configuration_ = std::move(configuration);
  std::vector<fs::path> packages = path_dependencies(root_);
  packages.insert(packages.begin(), root_);
  source_folders_.clear();
  for (const fs::path& package : packages) {
    // Lake reports a lakefile that it cannot read.
    const auto found = source_folders(package, Lakefiles::in(package));
    if (found) source_folders_.insert(source_folders_.end(), found->folders.begin(), found->folders.end());
  }
}

void ImportWatch::add_source_folders(std::vector<fs::path> folders) {
  read_source_folders();
  for (fs::path& folder : folders)
    if (std::ranges::find(source_folders_, folder) == source_folders_.end())
      source_folders_.push_back(std::move(folder));
}

ImportState ImportWatch::find_sources(const std::string& module) const {
  ImportState sources;
  const auto relative = text::path_of_module(module);
  if (!relative) return sources;  // Lean reports it
  for (const fs::path& folder : source_folders_) {
    fs::path path = (folder / (relative->string() + ".lean")).lexically_normal();
    if (const FileIdentity identity = identify_source(path); identity.exists())
      sources.emplace(std::move(path), identity);
  }
  return sources;
}

const std::vector<std::string>& ImportWatch::imports_of(const fs::path& path, const FileIdentity& identity) {
  CachedImports& cached = cache_[path];
  if (cached.identity != identity)
    cached = {identity, text::parse_lean_header(read_file(path, kMaxSourceSize)).imported_modules()};
  return cached.imports;
}

ImportState ImportWatch::state_of(std::vector<std::string> imports) {
  read_source_folders();
  ImportState state;
  std::unordered_set<std::string> named(imports.begin(), imports.end());
  while (!imports.empty()) {
    ImportState sources = find_sources(imports.back());
    imports.pop_back();
    for (const auto& [path, identity] : sources) {
      if (state.contains(path)) continue;
      for (const std::string& further : imports_of(path, identity))
        if (named.insert(further).second) imports.push_back(further);
    }
    state.merge(sources);
  }
  return state;
}

ImportState configuration_state(const fs::path& root) {
  ImportState state;
  for (const char* name : kConfigurationFiles) add_existing(root / name, state);
  for (const fs::path& package : path_dependencies(root))
    for (const char* name : kLakefiles) add_existing(package / name, state);
  return state;
}

ImportState configuration_read(const fs::path& root, ImportState before_start,
                               const ImportState& when_ready) {
  ImportState read;
  const auto is_of_package = [&](const fs::path& path) {
    return path.parent_path() != root && path != root / kOverridesName;
  };
  for (const auto& [path, identity] : when_ready) {
    const auto before = before_start.find(path);
    // The manifest lists the packages: without one, their lakefiles were unknown before.
    const bool is_new_package = before == before_start.end() && is_of_package(path);
    if (path.filename() == kManifestName || is_new_package) read.emplace(path, identity);
  }
  for (const auto& [path, identity] : before_start) {
    const bool is_gone_package = is_of_package(path) && !when_ready.contains(path);
    if (path.filename() != kManifestName && !is_gone_package) read.emplace(path, identity);
  }
  return read;
}

ImportState built_references(const fs::path& root) {
  ImportState state;
  std::vector<fs::path> packages = path_dependencies(root);
  packages.push_back(root);
  for (const fs::path& package : packages) {
    std::error_code error;
    fs::recursive_directory_iterator files(product_folders(package).modules, error), end;
    for (; !error && files != end; files.increment(error))
      if (files->path().extension() == ".ilean") state.emplace(files->path(), identify(files->path()));
  }
  return state;
}

std::vector<std::string> changed_files(const ImportState& before, const ImportState& after) {
  std::vector<std::string> names;
  for (const auto& [path, identity] : after)
    if (const auto found = before.find(path); found == before.end() || found->second != identity)
      names.push_back(path.filename().string());
  for (const auto& [path, identity] : before)
    if (!after.contains(path)) names.push_back(path.filename().string());
  return names;
}

}  // namespace leanbridge::lean
