#pragma once
/// Where a Lean project begins, and which `lake` serves it.

#include "leanbridge/base/error.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::lean {

/// The folder, `start` or above it, that holds a lakefile.toml, lakefile.lean or lean-toolchain: the nearest
/// one. A package below `.lake/packages` of another project belongs to that project: it is built and served
/// from there.
std::optional<std::filesystem::path> find_project_root(const std::filesystem::path& start);

/// Is `path` equal to `folder` or below it? Both canonical; compared by component.
bool is_within(const std::filesystem::path& path, const std::filesystem::path& folder);

/// The program to run as `lake`: `configured` (a path, or a name looked up on PATH) where it is not empty,
/// else `lake` on PATH, else ~/.elan/bin/lake (hosts often start servers with a short PATH). LeanUnavailable,
/// with what to install, when there is none.
Result<std::filesystem::path> find_lake(const std::string& configured);

/// Our environment without the variables by which an outer `lake env` or elan would decide over this
/// project's toolchain and search path, and without what looks like a secret: Lean runs the code of the
/// project and of the caller, and any of it can read the environment. LEANBRIDGE_PASS_ENV names, between
/// commas, secrets that stay (a token of `git`, say).
std::map<std::string, std::string> environment_for_lake();

/// Whether a variable of this name holds a secret, as far as names tell: GITHUB_TOKEN, SOME_API_KEY,
/// PGPASSWORD.
bool names_a_secret(std::string_view variable);

/// The content of lean-toolchain, trimmed; empty where there is none.
std::string toolchain_of(const std::filesystem::path& root);

struct Package {
  std::string name;
  bool is_fetched = false;       ///< by Lake, into the project; otherwise it is used where it is
  std::filesystem::path folder;  ///< absolute; perhaps it is not there
};

/// Of lake-manifest.json in `root`; none where there is no such file, or one that cannot be read.
std::vector<Package> packages_of(const std::filesystem::path& root);

/// The folders of those that are required by their folder (`path = "../core"`), directly or not, in the order
/// of the manifest: their files are edited beside the project's own, and change as those do.
std::vector<std::filesystem::path> path_dependencies(const std::filesystem::path& root);

/// The real paths of the project and its packages, sorted, each once: what a build of the project may write.
std::vector<std::filesystem::path> built_folders(const std::filesystem::path& root);

}  // namespace leanbridge::lean
