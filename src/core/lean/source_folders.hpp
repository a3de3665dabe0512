#pragma once
/// The folders of a package's sources and of its build products, according to its lakefile.

#include "core/base/error.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::lean {

/// The texts of a package's lakefiles. Lake uses lakefile.lean if both exist (Lake/Load/Package.lean).
struct Lakefiles {
  std::optional<std::string> lean;
  std::optional<std::string> toml;

  /// The lakefiles in the folder, as far as they can be read. Blocking.
  static Lakefiles in(const std::filesystem::path& package);
};

struct SourceFolders {
  std::vector<std::filesystem::path> folders;  ///< absolute if the package is, normalised, unique
  /// Whether the folders are complete. A lakefile.lean is a program: only Lake knows what it computes, so
  /// `folders` then has the package itself and each literal `srcDir`.
  bool is_complete = true;
  /// The first names of the modules in its libraries: `A` covers `A.B`, too. Of a lakefile.lean, only the
  /// literal ones.
  std::vector<std::string> roots;
};

/// The `srcDir` of the package and of its libraries and executables, and the `name`, `roots` and `globs` of
/// its libraries (Lake/Config/LeanLib.lean, `isLocalModule`). Without a lakefile: the package itself.
/// InvalidArgument: the lakefile.toml is not TOML. Looks at the disk only for a `srcDir` with `..`.
Result<SourceFolders> source_folders(const std::filesystem::path& package, const Lakefiles& lakefiles);

/// The folders of a package's build products: `buildDir`, and in it `leanLibDir` and `binDir`
/// (Lake/Config/PackageConfig.lean). Of a lakefile.lean, only literal values count.
struct ProductFolders {
  std::filesystem::path modules;   ///< `.olean` and `.ilean` files
  std::filesystem::path programs;  ///< the programs of `lean_exe`
};
/// Blocking.
ProductFolders product_folders(const std::filesystem::path& package);

}  // namespace leanbridge::lean
