#pragma once
/// The modules of a project that a text imports, and their sources. Private to this module.

#include "core/base/error.hpp"
#include "core/lean/project.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::certify {

/// The folders of compiled modules; a module of the toolchain cannot be replaced.
struct ModulePlaces {
  std::filesystem::path toolchain;              ///< SYSROOT/lib/lean
  std::vector<std::filesystem::path> packages;  ///< folders of compiled modules
};

/// The names of modules that a package claims.
struct PackageRoots {
  std::string package;
  std::vector<std::string> roots;

  /// Whether a module belongs to it by its name. `relative`: such as `A/B`.
  bool have(const std::filesystem::path& relative) const;
};

/// The folders of compiled modules of the packages that Lake has fetched.
std::optional<std::filesystem::path> compiled_modules_of(const std::filesystem::path& package);
std::vector<std::filesystem::path> package_folders(const std::vector<lean::Package>& packages);
/// The project's own folders, and those of packages that it requires by path.
std::vector<std::filesystem::path> build_folders(const std::filesystem::path& root,
                                                 const std::vector<lean::Package>& packages);

/// InvalidArgument names a folder of packages with modules that have names of the toolchain's, since Lean
/// would prefer them to the toolchain's.
Result<void> no_shadows(const ModulePlaces& places);

/// The imports as written, including Init unless the text begins with `prelude`.
std::vector<std::string> imports_of(std::string_view source);

}  // namespace leanbridge::certify
