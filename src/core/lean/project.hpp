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

/// The nearest folder, at or above `start`, that holds a lakefile.toml, lakefile.lean or lean-toolchain. For
/// a package below `.lake/packages` of another project it is the root of that project, which builds and
/// serves the package.
std::optional<std::filesystem::path> find_project_root(const std::filesystem::path& start);

/// Is `path` equal to `folder` or below it? Both must be canonical; they are compared by component.
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
using Environment = std::map<std::string, std::string>;

/// Our environment, without variables of an outer `lake env` or elan that would override this project's
/// toolchain and search path, and without secrets: Lean runs code of the project and of the caller, any of
/// which can read the environment. LEANBRIDGE_PASS_ENV is a comma-separated list of secrets to keep (a token
/// for git, say). With it, neither git nor ssh asks for anything.
Environment environment_for_lake();

/// Whether a variable holds a secret, judged by its name: GITHUB_TOKEN, SOME_API_KEY, PGPASSWORD.
bool names_a_secret(std::string_view variable);

/// The first line of lean-toolchain, trimmed; empty if there is none.
std::string toolchain_of(const std::filesystem::path& root);

/// A package of a project, as Lake wrote it down.
struct Package {
  std::string name;              ///< as the folder is called: doc-gen4, where the manifest has «doc-gen4»
  std::string revision;          ///< of git, as the manifest locks it; empty: none
  bool is_fetched = false;       ///< fetched by Lake into the project; otherwise required by path
  std::filesystem::path folder;  ///< absolute; may not exist
};

/// The packages in the lake-manifest.json of `root`; none if the file is missing or unreadable. Blocking,
/// like the functions below.
std::vector<Package> packages_of(const std::filesystem::path& root);
/// The same for the text of a manifest. Pure.
std::vector<Package> packages_in(const std::filesystem::path& root, const std::string& manifest);
inline constexpr const char* kManifestName = "lake-manifest.json";
/// Below the root: packages that Lake takes in place of those of the manifest
/// (Lake/Config/Workspace.lean, `packageOverridesFile`).
inline constexpr const char* kOverridesName = ".lake/package-overrides.json";

/// Why packages_in() may leave out a package, or its lakefile be another file than Lake reads, as a clause;
/// nullopt: it does not. `manifest`: the text of an existing lake-manifest.json. Pure.
std::optional<std::string> why_unclear(const std::string& manifest);

/// The folders of packages that are required by path (`path = "../core"`), directly or not, in the order of
/// the manifest. Their files are edited together with the project's own, and so change like those.
std::vector<std::filesystem::path> path_dependencies(const std::filesystem::path& root);
/// The same among packages that are known. Pure.
std::vector<std::filesystem::path> path_dependencies_in(const std::filesystem::path& root,
                                                        const std::vector<Package>& packages);

/// The real paths of the project and its packages, sorted and unique: what a build of the project may write
/// to.
std::vector<std::filesystem::path> built_folders(const std::filesystem::path& root);

}  // namespace leanbridge::lean
