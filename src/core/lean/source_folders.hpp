#pragma once
/// Where the sources of a package's modules are, and what Lake makes of them, by its lakefile.

#include "core/base/error.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::lean {

/// The texts of a package's lakefiles. Lake takes lakefile.lean where there are both
/// (Lake/Load/Package.lean).
struct Lakefiles {
  std::optional<std::string> lean;
  std::optional<std::string> toml;

  /// Those of the folder, as far as they can be read. Blocking.
  static Lakefiles in(const std::filesystem::path& package);
};

struct SourceFolders {
  std::vector<std::filesystem::path> folders;  ///< absolute if the package is, normalised, unique
  /// Whether these are all. A lakefile.lean is a program: only Lake knows what it computes, and `folders` has
  /// the package itself and each `srcDir` that is a literal.
  bool is_complete = true;
  /// The names with which modules of its libraries begin: `A` has `A.B`, too. Those of a lakefile.lean as far
  /// as they are written out.
  std::vector<std::string> roots;
};

/// The `srcDir` of the package and of its libraries and executables, and the `name`, `roots` and `globs` of
/// its libraries (Lake/Config/LeanLib.lean, `isLocalModule`). Without a lakefile: the package itself.
/// InvalidArgument: a lakefile.toml that is no TOML. Looks at the disk only where a `srcDir` has `..`.
Result<SourceFolders> source_folders(const std::filesystem::path& package, const Lakefiles& lakefiles);

/// Where Lake puts what it makes of a package: `buildDir`, and in it `leanLibDir` and `binDir`
/// (Lake/Config/PackageConfig.lean). Those of a lakefile.lean as far as they are literals.
struct ProductFolders {
  std::filesystem::path modules;   ///< `.olean`, `.ilean`
  std::filesystem::path programs;  ///< of each `lean_exe`
};
/// Blocking.
ProductFolders product_folders(const std::filesystem::path& package);

}  // namespace leanbridge::lean
