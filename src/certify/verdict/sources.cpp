#include "sources.hpp"

#include "core/lean/source_folders.hpp"
#include "core/text/lean_header.hpp"
#include "core/text/lean_names.hpp"

#include <algorithm>

namespace leanbridge::certify {

namespace fs = std::filesystem;

bool PackageRoots::have(const fs::path& relative) const {
  return std::any_of(roots.begin(), roots.end(), [&](const std::string& root) {
    const auto path = text::path_of_module(root);
    return path && lean::is_within(relative, *path);
  });
}

std::optional<fs::path> compiled_modules_of(const fs::path& package) {
  fs::path folder = lean::product_folders(package).modules;
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return std::nullopt;
  return folder;
}

std::vector<fs::path> package_folders(const std::vector<lean::Package>& packages) {
  std::vector<fs::path> folders;
  for (const lean::Package& package : packages) {
    if (!package.is_fetched) continue;
    if (auto folder = compiled_modules_of(package.folder)) folders.push_back(std::move(*folder));
  }
  return folders;
}

std::vector<fs::path> build_folders(const fs::path& root, const std::vector<lean::Package>& packages) {
  std::vector<fs::path> folders, own = lean::path_dependencies_in(root, packages);
  own.insert(own.begin(), root);
  for (const fs::path& package : own)
    if (auto folder = compiled_modules_of(package)) folders.push_back(std::move(*folder));
  return folders;
}

Result<void> no_shadows(const ModulePlaces& places) {
  std::error_code error;
  for (fs::directory_iterator entry(places.toolchain, error), end; !error && entry != end;
       entry.increment(error)) {
    const fs::path name = entry->path().filename();
    if (name.extension() != ".olean" && !entry->is_directory(error)) continue;
    for (const fs::path& folder : places.packages) {
      std::error_code ignored;
      if (fs::exists(folder / name, ignored))
        return fail(ErrorKind::InvalidArgument,
                    (folder / name).string() + " has the name of a module of the toolchain.",
                    "Remove it: Lean would load it instead of the toolchain's.");
    }
  }
  return {};
}

std::vector<std::string> imports_of(std::string_view source) {
  const text::LeanHeader header = text::parse_lean_header(source);
  std::vector<std::string> imports = header.imported_modules();
  if (!header.has_prelude) imports.insert(imports.begin(), "Init");
  return imports;
}

}  // namespace leanbridge::certify
