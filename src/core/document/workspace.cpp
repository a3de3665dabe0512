#include "workspace.hpp"

#include "core/lean/project.hpp"
#include "core/text/file_uri.hpp"
#include "core/text/utf8.hpp"

namespace leanbridge::document {

namespace fs = std::filesystem;

namespace {

fs::path real_path(const fs::path& path) {
  std::error_code error;
  fs::path real = fs::weakly_canonical(path, error);
  return error ? path.lexically_normal() : real;
}

constexpr std::size_t kMaxPath = 4096;  // bytes: PATH_MAX of Linux
constexpr const char* kProjectHint =
    "A Lean project has a lakefile.toml, lakefile.lean or lean-toolchain in its folder: create one with "
    "`lake init`, or start leanbridge with --project-root.";

// The meaning of a path as hosts and models write it: it may be a URI, or have `@` before a file that the
// user has pointed at.
std::string meant(const std::string& path, const fs::path& below) {
  if (path.starts_with("file:"))
    if (const auto decoded = text::path_from_uri(path)) return decoded->string();
  std::error_code ignored;
  const bool is_marked = path.starts_with('@') && path.size() > 1 && !fs::exists(below / path, ignored);
  return is_marked ? meant(path.substr(1), below) : path;
}

}  // namespace

Workspace::Workspace(Projects& projects, WorkspaceOptions options)
    : projects_(projects), options_(std::move(options)) {
  if (options_.root) options_.root = real_path(*options_.root);
  options_.directory = real_path(options_.directory);
}

std::optional<fs::path> Workspace::default_root() const {
  if (options_.root) return options_.root;
  return lean::find_project_root(options_.directory);
}

// Even with a fixed root, a project inside it (a work tree, an example with its own lakefile) serves its own
// files, which the outer project does not know. Projects above the fixed root are never used.
std::optional<fs::path> Workspace::root_around(const fs::path& folder) const {
  auto root = lean::find_project_root(folder);
  if (!options_.root || (root && lean::is_within(*root, *options_.root))) return root;
  root = lean::find_project_root(*options_.root);
  return root == options_.root ? root : std::nullopt;
}

lean::ServerOptions Workspace::server_at(const fs::path& root) const {
  lean::ServerOptions server;
  server.root = root;
  server.lake = options_.lake;
  server.serve_args = options_.serve_args;
  server.environment = options_.environment;
  server.spawn = options_.spawn;
  return server;
}

std::shared_ptr<DocumentStore> Workspace::project_at(const fs::path& root) {
  auto used = used_.find(root);
  if (used == used_.end()) used = used_.emplace(root, projects_.use(server_at(root), options_.limits)).first;
  return used->second.store();
}

std::map<fs::path, std::shared_ptr<DocumentStore>> Workspace::projects() const {
  std::map<fs::path, std::shared_ptr<DocumentStore>> all;
  for (const auto& [root, use] : used_) all.emplace(root, use.store());
  return all;
}

std::shared_ptr<DocumentStore> Workspace::with_widgets(const fs::path& root) {
  return projects_.with_widgets(server_at(root), options_.limits);
}

std::shared_ptr<DocumentStore> Workspace::find_with_widgets(const fs::path& root) const {
  return projects_.find_with_widgets(server_at(root));
}

Result<Location> Workspace::locate(const std::string& file_path) {
  if (file_path.empty() || file_path.find('\0') != std::string::npos || text::first_invalid_byte(file_path))
    return fail(ErrorKind::InvalidArgument, "file_path is empty or not a valid path.",
                "Pass the path of a .lean file.");
  if (file_path.size() > kMaxPath)
    return fail(ErrorKind::InvalidArgument,
                "file_path is too long: " + std::to_string(file_path.size()) + " bytes.",
                "Pass the path of a .lean file.");
  const fs::path below = default_root().value_or(options_.directory);
  fs::path path = meant(file_path, below);
  if (path.is_relative()) path = below / path;
  fs::path named = path.lexically_normal();
  path = real_path(path);
  if (options_.root && !lean::is_within(path, *options_.root))
    return fail(ErrorKind::OutsideProject,
                path.string() + " is outside the project " + options_.root->string() + ".",
                "Pass a path inside the project, or start leanbridge with another --project-root.");
  std::error_code ignored;
  const bool is_folder = fs::is_directory(path, ignored);
  const auto root = root_around(is_folder ? path : path.parent_path());
  if (!root)
    return fail(ErrorKind::NotALeanProject, "There is no Lean project around " + path.string() + ".",
                kProjectHint);
  if (path.extension() != ".lean" && !is_folder)
    return fail(ErrorKind::InvalidArgument, path.filename().string() + " is not a .lean file.",
                "Pass the path of a .lean file.");
  return Location{project_at(*root), std::move(path), std::move(named)};
}

Result<std::shared_ptr<DocumentStore>> Workspace::project(const std::string& folder) {
  if (folder.find('\0') != std::string::npos || folder.size() > kMaxPath)
    return fail(ErrorKind::InvalidArgument, "The path is invalid.", "Pass the path of a folder.");
  std::optional<fs::path> root = default_root();
  if (!folder.empty()) {
    const fs::path path = real_path(options_.directory / meant(folder, options_.directory));
    if (options_.root && !lean::is_within(path, *options_.root))
      return fail(ErrorKind::OutsideProject,
                  path.string() + " is outside the project " + options_.root->string() + ".",
                  "Pass a path inside the project, or start leanbridge with another --project-root.");
    std::error_code ignored;
    if (!fs::is_directory(path, ignored))
      return fail(ErrorKind::InvalidArgument, path.string() + " is not a directory.",
                  "Pass the folder that holds the lakefile.");
    root = root_around(path);
  }
  if (!root || lean::find_project_root(*root) != root)
    return fail(ErrorKind::NotALeanProject,
                "There is no Lean project in or around " +
                    (folder.empty() ? root.value_or(options_.directory).string() : folder) + ".",
                kProjectHint);
  return project_at(*root);
}

void Workspace::start_early() {
  const auto root = default_root();
  if (root && lean::find_project_root(*root) == root) project_at(*root)->server().start();
}

}  // namespace leanbridge::document
