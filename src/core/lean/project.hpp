#pragma once
/// The root of a Lean project, its packages, and the `lake` that serves it.

#include "core/base/error.hpp"

#include <cstddef>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::lean {

/// The nearest folder, at or above `start`, that holds a lakefile.toml, lakefile.lean or lean-toolchain. A
/// package in the packages' folder of another project belongs to the root of that project, which builds and
/// serves the package.
std::optional<std::filesystem::path> find_project_root(const std::filesystem::path& start);

/// The files that are a project's own: they are in no package of its manifest and in no project inside of it,
/// wherever these are. Blocking.
class OwnFiles {
 public:
  explicit OwnFiles(const std::filesystem::path& root);  ///< a real path; its manifest is read once
  /// Whether the file with that real path, which is in the project, is one of them.
  bool has(const std::filesystem::path& path) const;
  /// The path of a Lean file by its name, relative to the project: no part of the name is hidden, and no link
  /// leads there. OutsideProject, also for an absolute name; FileNotFound.
  Result<std::filesystem::path> find(const std::filesystem::path& name) const;

 private:
  std::filesystem::path root_;
  std::vector<std::filesystem::path> packages_;  // in the project
};

/// Whether `path` is equal to `folder` or below it. Both must be canonical; they are compared by component.
bool is_within(const std::filesystem::path& path, const std::filesystem::path& folder);

/// The .lean files below a folder, relative to it, at most `limit` of them, sorted. Skips hidden folders such
/// as .lake. Blocking.
std::vector<std::string> lean_files_below(const std::filesystem::path& folder,
                                          std::size_t limit = std::numeric_limits<std::size_t>::max());

/// The `lake` program: `configured` (a path, or a name to look up on PATH) if it is not empty, otherwise
/// `lake` on PATH, otherwise ~/.elan/bin/lake (hosts often start servers with a short PATH). LeanUnavailable,
/// with what to install, if there is none.
Result<std::filesystem::path> find_lake(const std::string& configured);

/// The environment of a process.
using Variables = std::map<std::string, std::string>;

/// Our environment, without variables of an outer `lake env` or elan that would override this project's
/// toolchain and search path, and without secrets: Lean runs code of the project and of the caller, any of
/// which can read the environment. LEANBRIDGE_PASS_ENV is a comma-separated list of secrets to keep (a token
/// for git, say). In this environment, git and ssh never prompt.
Variables environment_for_lake();

/// Whether a variable holds a secret, judged by its name: GITHUB_TOKEN, SOME_API_KEY, PGPASSWORD.
bool names_a_secret(std::string_view variable);

/// The first line of lean-toolchain, trimmed; empty if there is none.
std::string toolchain_of(const std::filesystem::path& root);

/// A package of a project, read from its manifest.
struct Package {
  std::string name;              ///< the name of its folder: doc-gen4, where the manifest has «doc-gen4»
  std::string revision;          ///< the git revision that the manifest locks; empty: none
  bool is_fetched = false;       ///< whether Lake fetched it into the project; otherwise it is required by
                                 ///< path
  std::filesystem::path folder;  ///< absolute; may not exist
};

/// The packages in the lake-manifest.json of `root`; none if the file is missing or unreadable. Blocking,
/// like the functions below.
std::vector<Package> packages_of(const std::filesystem::path& root);
/// Reads the packages from the text of a manifest. Pure.
std::vector<Package> packages_in(const std::filesystem::path& root, const std::string& manifest);
inline constexpr const char* kManifestName = "lake-manifest.json";
/// The file, relative to the root, that lists packages to use instead of those in the manifest
/// (Lake/Config/Workspace.lean, `packageOverridesFile`).
inline constexpr const char* kOverridesName = ".lake/package-overrides.json";

/// Why packages_in() may miss a package, or may name another lakefile than the one that Lake reads, as a
/// clause; nullopt: it does neither. `manifest`: the text of an existing lake-manifest.json. Pure.
std::optional<std::string> why_unclear(const std::string& manifest);

/// The folders of packages that are required by path (`path = "../core"`), directly or not, in the order of
/// the manifest. Their files change as the project's own do, since people edit them together.
std::vector<std::filesystem::path> path_dependencies(const std::filesystem::path& root);
/// Finds them among known packages. Pure.
std::vector<std::filesystem::path> path_dependencies_in(const std::filesystem::path& root,
                                                        const std::vector<Package>& packages);

/// The real paths of the project and its packages, sorted and unique: the folders that a build of the project
/// may write to.
std::vector<std::filesystem::path> built_folders(const std::filesystem::path& root);

}  // namespace leanbridge::lean
