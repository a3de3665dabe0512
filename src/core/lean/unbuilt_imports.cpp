#include "unbuilt_imports.hpp"

#include "core/base/files.hpp"
#include "core/text/lean_header.hpp"
#include "core/text/lean_names.hpp"
#include "project.hpp"
#include "source_folders.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

namespace leanbridge::lean {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxBuiltByOpening = 100;  // number of modules: they take about a minute
constexpr std::size_t kMaxCounted = 20'000;

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

std::vector<std::string> imports_of(const fs::path& source) {
  const auto text = read_regular_file(source, kMaxSourceSize);
  return text ? text::parse_lean_header(*text).imported_modules() : std::vector<std::string>();
}

/// A fetched package with the usual folders for its build products.
struct BuiltPackage {
  std::string name;
  std::vector<fs::path> sources;  ///< folders
  fs::path library;

  std::optional<fs::path> source_of(const fs::path& module) const {
    for (const fs::path& folder : sources) {
      fs::path file = folder / module;
      file += ".lean";
      if (is_there(file)) return file;
    }
    return std::nullopt;
  }
  /// With Lake's artifact cache (`enableArtifactCache`), the folder may have only the trace.
  bool has_built(const fs::path& module) const {
    constexpr auto kProducts = std::to_array<const char*>({".olean", ".trace", ".ilean"});
    return std::ranges::any_of(kProducts, [&](const char* extension) {
      fs::path file = library / module;
      file += extension;
      return is_there(file);
    });
  }
};

std::vector<BuiltPackage> fetched_packages(const fs::path& root) {
  std::vector<BuiltPackage> found;
  for (Package& package : packages_of(root)) {
    if (!package.is_fetched || !is_there(package.folder)) continue;
    const Lakefiles lakefiles = Lakefiles::in(package.folder);
    // A lakefile in Lean may compute the folder.
    if (lakefiles.lean && (lakefiles.lean->find("buildDir") != std::string::npos ||
                           lakefiles.lean->find("leanLibDir") != std::string::npos))
      continue;
    auto folders = source_folders(package.folder, lakefiles);
    if (!folders) continue;
    found.push_back(
        {std::move(package.name), std::move(folders->folders), product_folders(package.folder).modules});
  }
  return found;
}

std::string with_commas(std::size_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

}  // namespace

Result<void> check_imports_are_built(const fs::path& root, const std::vector<std::string>& imports,
                                     const ImportState& sources) {
  const std::vector<BuiltPackage> packages = fetched_packages(root);
  if (packages.empty()) return {};
  std::set<std::string> seen(imports.begin(), imports.end());
  // If each package has compiled files, they include the imports of the project's other files.
  const auto is_new = [](const BuiltPackage& each) { return !is_there(each.library); };
  if (std::ranges::any_of(packages, is_new))
    for (const auto& [file, identity] : sources)
      for (std::string& further : imports_of(file)) seen.insert(std::move(further));
  std::vector<std::string> todo(seen.begin(), seen.end());
  std::string first, owner;
  std::size_t missing = 0;
  while (!todo.empty() && missing < kMaxCounted) {
    const std::string name = std::move(todo.back());
    todo.pop_back();
    const fs::path module = text::path_of_module(name).value_or(name);
    for (const BuiltPackage& package : packages) {
      const auto source = package.source_of(module);
      if (!source) continue;
      if (package.has_built(module)) break;
      if (missing++ == 0 || (owner != "mathlib" && package.name == "mathlib")) {
        first = name;
        owner = package.name;
      }
      for (const std::string& further : imports_of(*source))
        if (seen.insert(further).second) todo.push_back(further);
      break;
    }
  }
  if (missing <= kMaxBuiltByOpening) return {};
  const bool has_cache =
      std::ranges::any_of(packages, [](const auto& each) { return each.name == "mathlib"; });
  return fail(
      ErrorKind::LeanUnavailable,
      with_commas(missing) + " modules that the file imports are not compiled, among them " + first + " of " +
          owner + ". To open it would compile them all, which may take hours.",
      has_cache ? "Run `lake exe cache get` in " + root.string() +
                      ", or call lean_build with fetch_cache: true. To compile them instead, call lean_build "
                      "without it."
                : "Run `lake build` in " + root.string() + ", or call lean_build.");
}

}  // namespace leanbridge::lean
