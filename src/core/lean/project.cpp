#include "project.hpp"

#include "core/base/ascii.hpp"
#include "core/base/files.hpp"
#include "core/base/json.hpp"
#include "core/platform/program.hpp"
#include "core/text/lean_names.hpp"
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string_view>

namespace leanbridge::lean {

namespace fs = std::filesystem;

namespace {

bool has_project_file(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / "lakefile.toml", ignored) || fs::exists(folder / "lakefile.lean", ignored) ||
         fs::exists(folder / "lean-toolchain", ignored);
}

// The nearest folder at or above this one.
std::optional<fs::path> innermost_project(fs::path folder) {
  for (; !has_project_file(folder); folder = folder.parent_path())
    if (!folder.has_relative_path()) return std::nullopt;
  return folder;
}

constexpr const char* kUsualPackagesFolder = ".lake/packages";

std::string packages_folder_in(const nlohmann::json& manifest) {
  std::string folder = manifest.is_object() ? text_member(manifest, "packagesDir") : std::string();
  return folder.empty() ? kUsualPackagesFolder : folder;
}

// /p for /p/.lake/packages/mathlib. The outermost project wins: a package may have been opened by itself and
// have fetched packages of its own.
std::optional<fs::path> owner_of_package(const fs::path& root) {
  std::optional<fs::path> owner;
  for (fs::path folder = root.parent_path();; folder = folder.parent_path()) {
    if (has_project_file(folder)) {
      const auto manifest = read_regular_file(folder / kManifestName, kMaxConfigurationSize);
      for (const std::string& packages :
           {std::string(kUsualPackagesFolder),
            packages_folder_in(manifest ? read_json(*manifest) : nlohmann::json())}) {
        fs::path fetched = (folder / packages).lexically_normal();
        if (!fetched.has_filename()) fetched = fetched.parent_path();
        if (fetched != folder && root != fetched && is_within(root, fetched)) owner = folder;
      }
    }
    if (!folder.has_relative_path()) return owner;
  }
}

constexpr const char* kInstallHint =
    "Install Lean with elan (https://lean-lang.org/install), or pass --lake COMMAND.";

}  // namespace

std::optional<fs::path> find_project_root(const fs::path& start) {
  const auto folder = innermost_project(start);
  return folder ? owner_of_package(*folder).value_or(*folder) : folder;
}

bool is_within(const fs::path& path, const fs::path& folder) {
  const auto [end_of_folder, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end_of_folder == folder.end();
}

std::vector<std::string> lean_files_below(const fs::path& folder, std::size_t limit) {
  std::vector<std::string> files;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error), end;
  for (; !error && entry != end && files.size() < limit; entry.increment(error)) {
    const fs::path& path = entry->path();
    std::error_code ignored;
    if (path.filename().string().starts_with('.') && entry->is_directory(ignored))
      entry.disable_recursion_pending();
    else if (path.extension() == ".lean" && entry->is_regular_file(ignored))
      files.push_back(path.lexically_relative(folder).string());
  }
  std::ranges::sort(files);
  return files;
}

Result<fs::path> find_lake(const std::string& configured) {
  const bool is_path = configured.find('/') != std::string::npos;
  if (is_path) {
    std::error_code error;
    const fs::path absolute = fs::absolute(configured, error);
    if (!error && is_program(absolute)) return absolute;
    return fail(ErrorKind::LeanUnavailable, "--lake names " + configured + ", which is not a program.",
                "Correct --lake, or omit it to use the lake on PATH.");
  }
  const std::string name = configured.empty() ? "lake" : configured;
  const char* const path = std::getenv("PATH");
  if (auto found = find_on_path(name, path ? path : "")) return *found;
  // elan's folder, by its own rule (elan-utils/src/utils.rs, `elan_home`).
  const char* const elan = std::getenv("ELAN_HOME");
  const char* const home = std::getenv("HOME");
  const fs::path folder = elan && *elan ? fs::path(elan) : home ? fs::path(home) / ".elan" : fs::path();
  if (fs::path program = folder / "bin" / name; folder.is_absolute() && is_program(program)) return program;
  return fail(ErrorKind::LeanUnavailable,
              "There is no '" + name + "' on PATH or in " +
                  (elan && *elan ? (folder / "bin").string() : std::string("~/.elan/bin")) + ".",
              kInstallHint);
}

std::string toolchain_of(const fs::path& root) {
  constexpr std::size_t kMaxToolchainSize = 4096;  // bytes
  const auto content = read_regular_file(root / "lean-toolchain", kMaxToolchainSize);
  std::string line = content ? content->substr(0, content->find('\n')) : std::string();
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r' || line.back() == '\t')) line.pop_back();
  return line;
}

// --- packages

using nlohmann::json;

std::vector<Package> packages_of(const fs::path& root) {
  return packages_in(root, read_regular_file(root / kManifestName, kMaxConfigurationSize).value_or(""));
}

std::vector<Package> packages_in(const fs::path& root, const std::string& text) {
  const json manifest = text.empty() ? json() : read_json(text);
  std::vector<Package> packages;
  if (!manifest.is_object() || !manifest.contains("packages") || !manifest["packages"].is_array())
    return packages;
  const std::string fetched = packages_folder_in(manifest);
  for (const json& entry : manifest["packages"]) {
    Package package;
    package.name = text::unescaped_name(text_member(entry, "name"));
    package.revision = text_member(entry, "rev");
    package.is_fetched = text_member(entry, "type") == "git";
    const std::string folder = text_member(entry, "dir");
    // `PackageEntry.materialize` in Lake/Load/Materialize.lean.
    if (!folder.empty())
      package.folder = root / folder;
    else if (!package.name.empty())
      package.folder = root / fetched / package.name / text_member(entry, "subDir");
    if (!package.folder.has_filename()) package.folder = package.folder.parent_path();
    if (!package.folder.empty()) packages.push_back(std::move(package));
  }
  return packages;
}

namespace {

// More packages than a project requires by path. The limit exists because each costs disk accesses.
constexpr std::size_t kMaxDependencies = 256;

bool has_usual_lakefile(const json& package) {
  const std::string file = text_member(package, "configFile");
  return !package.contains("configFile") || file == "lakefile" || file == "lakefile.lean" ||
         file == "lakefile.toml";
}

}  // namespace

std::optional<std::string> why_unclear(const std::string& text) {
  const json manifest = read_json(text);
  if (!manifest.is_object()) return "is no JSON object";
  const auto packages = manifest.find("packages");
  if (packages == manifest.end()) return std::nullopt;
  if (!packages->is_array()) return "has packages that are no list";
  if (packages->size() > kMaxDependencies) return "lists more than 256 packages";
  for (const json& package : *packages) {
    const std::string type = text_member(package, "type");
    const char* const place = type == "path" ? "dir" : "name";
    if ((type != "git" && type != "path") || text_member(package, place).empty())
      return "lists a package of an unknown form";
    if (!has_usual_lakefile(package))
      return "takes the lakefile of " + text_member(package, "name") + " from another file";
  }
  return std::nullopt;
}

std::vector<fs::path> path_dependencies(const fs::path& root) {
  return path_dependencies_in(root, packages_of(root));
}

std::vector<fs::path> path_dependencies_in(const fs::path& root, const std::vector<Package>& packages) {
  std::vector<fs::path> folders;
  for (const Package& package : packages) {
    if (package.is_fetched || package.folder.native().find('\0') != std::string::npos) continue;
    fs::path folder = package.folder.lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();
    if (folder == root || std::ranges::find(folders, folder) != folders.end()) continue;
    folders.push_back(std::move(folder));
    if (folders.size() == kMaxDependencies) break;
  }
  return folders;
}

std::vector<fs::path> built_folders(const fs::path& root) {
  std::vector<fs::path> folders = {root};
  for (Package& package : packages_of(root)) folders.push_back(std::move(package.folder));
  for (fs::path& folder : folders) {
    std::error_code error;
    if (fs::path real = fs::weakly_canonical(folder, error); !error) folder = std::move(real);
  }
  std::ranges::sort(folders);
  folders.erase(std::unique(folders.begin(), folders.end()), folders.end());
  return folders;
}

OwnFiles::OwnFiles(const fs::path& root) : root_(root), packages_(built_folders(root)) {
  std::erase_if(packages_, [&](const fs::path& each) { return each == root || !is_within(each, root); });
}

// A package may have its lakefile under any name.
bool OwnFiles::has(const fs::path& path) const {
  return std::ranges::none_of(packages_, [&](const fs::path& each) { return is_within(path, each); }) &&
         innermost_project(path.parent_path()) == root_;
}

Result<fs::path> OwnFiles::find(const fs::path& name) const {
  const auto is_hidden = [](const fs::path& part) { return part.native().starts_with('.'); };
  const fs::path path = root_ / name;
  std::error_code error;
  const bool may_be =
      name.is_relative() && name.extension() == ".lean" && std::ranges::none_of(name, is_hidden);
  const fs::path real = may_be ? fs::canonical(path, error) : fs::path();
  if (error == std::errc::no_such_file_or_directory)
    return fail(ErrorKind::FileNotFound, "File not found: " + path.string() + ".",
                "Pass the path of a Lean file.");
  if (real == path && has(path)) return path;
  return fail(ErrorKind::OutsideProject,
              name.string() + " is none of the own Lean files of " + root_.string() + ".",
              "Pass a path below that folder: no link, no package, no `..`.");
}

// --- the environment of lake

namespace {

// With these, an outer `lake env` or elan would override this project's toolchain and search path.
constexpr std::array kOuterLake = {"ELAN_TOOLCHAIN", "LEAN_PATH", "LEAN_SRC_PATH",       "LEAN_SYSROOT",
                                   "LEAN",           "LAKE",      "LAKE_INVALID_CONFIG", "LAKE_HOME",
                                   "LEAN_AR",        "LEAN_CC",   "LEAN_WORKER_PATH",    "LEAN_GITHASH"};

// A prompt would wait for an answer that never comes. With these variables, git and ssh fail at once, and
// Lake reports it. Helpers that the user has configured for git (credential.helper, core.askPass,
// GIT_ASKPASS) still work, and ssh keeps its agent. This is ssh's BatchMode without a GIT_SSH_COMMAND, which
// would replace the user's core.sshCommand.
constexpr std::array<std::pair<const char*, const char*>, 2> kNoPrompts = {
    {{"GIT_TERMINAL_PROMPT", "0"}, {"SSH_ASKPASS_REQUIRE", "never"}}};

// The last word of a name tells what kind of value it holds. PASSWORD and the like need no underscore before
// them: PGPASSWORD.
constexpr std::array<std::string_view, 9> kSecretWords = {
    "KEY", "APIKEY", "TOKEN", "SECRET", "CREDENTIAL", "CREDENTIALS", "AUTH", "HEADERS", "COOKIE"};
constexpr std::array<std::string_view, 6> kSecretEndings = {"PASSWORD", "PASSWD", "PASSPHRASE",
                                                            "_PAT",     "_PWD",   "_DSN"};

// Matches `https://user:password@host`, as in DATABASE_URL. Proxies are exempt: Lake and git need them to
// reach the network.
bool holds_a_password(std::string_view name, std::string_view value) {
  const std::string lower = lower_case(name);
  if (lower.ends_with("_proxy")) return false;
  const std::size_t scheme = value.find("://");
  if (scheme == std::string_view::npos) return false;
  const std::string_view rest = value.substr(scheme + 3);
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  const std::size_t at = authority.rfind('@');
  return at != std::string_view::npos && authority.substr(0, at).find(':') != std::string_view::npos;
}

// Drops the folders that the `lake env` of another toolchain or project has added.
std::string own_library_path(std::string_view path) {
  std::string kept;
  while (!path.empty()) {
    const std::string_view folder = path.substr(0, path.find(':'));
    path.remove_prefix(std::min(folder.size() + 1, path.size()));
    const bool of_lean = folder.ends_with("/lib/lean") || folder.find("/.lake/") != std::string_view::npos ||
                         folder.find("/.elan/") != std::string_view::npos;
    if (!folder.empty() && !of_lean) kept += (kept.empty() ? "" : ":") + std::string(folder);
  }
  return kept;
}

std::set<std::string> passed_on_request() {
  std::set<std::string> names;
  const char* list = std::getenv("LEANBRIDGE_PASS_ENV");
  std::istringstream rest(list ? list : "");
  for (std::string name; std::getline(rest, name, ',');) names.insert(name);
  return names;
}

}  // namespace

bool names_a_secret(std::string_view variable) {
  std::string name(variable);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
  const std::string_view last = std::string_view(name).substr(name.rfind('_') + 1);
  return std::ranges::find(kSecretWords, last) != kSecretWords.end() ||
         std::ranges::any_of(kSecretEndings,
                             [&name](std::string_view ending) { return name.ends_with(ending); });
}

Variables environment_for_lake() {
  const std::set<std::string> passed = passed_on_request();
  Variables environment;
  for (char** entry = platform::environment(); *entry; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    std::string name(text.substr(0, equals));
    const std::string_view value = text.substr(equals + 1);
    if ((names_a_secret(name) || holds_a_password(name, value)) && !passed.contains(name)) continue;
    environment.emplace(std::move(name), value);
  }
  for (const char* name : kOuterLake) environment.erase(name);
  if (const auto path = environment.find("LD_LIBRARY_PATH"); path != environment.end()) {
    path->second = own_library_path(path->second);
    if (path->second.empty()) environment.erase(path);
  }
  for (const auto& [name, value] : kNoPrompts) environment[name] = value;
  environment.erase("SSH_ASKPASS");  // git uses it, too, if it has no helper of its own
  return environment;
}

}  // namespace leanbridge::lean
