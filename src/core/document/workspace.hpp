#pragma once
/// The projects as one client sees them: finds the project for a path that the client names, and enforces the
/// client's path policy. A project may be shared with other clients (`Projects`).

#include "projects.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::document {

struct WorkspaceOptions {
  /// --project-root or LEAN_PROJECT_PATH. Files outside it are refused; projects inside it are served.
  std::optional<std::filesystem::path> root;
  std::filesystem::path directory;  ///< the working directory at the start of the process
  std::string lake;
  std::vector<std::string> serve_args;
  std::optional<lean::Variables> environment;  ///< the environment of Lean; nullopt: environment_for_lake()
  StoreLimits limits;
  io::Spawn spawn = io::ChildProcess::spawn;
};

/// A file and its project: the innermost one around it, except for files of fetched packages
/// (lean::find_project_root).
struct Location {
  std::shared_ptr<DocumentStore> project;
  std::filesystem::path path;   ///< real path
  std::filesystem::path named;  ///< the given path, made absolute without following links
};

/// Belongs to the loop's thread.
class Workspace {
 public:
  Workspace(Projects& projects, WorkspaceOptions options);

  /// `file_path`: absolute, or relative to the project root. InvalidArgument, OutsideProject,
  /// NotALeanProject. Does not check that the file exists.
  Result<Location> locate(const std::string& file_path);

  /// The project in or around `folder` (absolute, or relative to the working directory). Empty: the default
  /// project, see start_early(). InvalidArgument, OutsideProject, NotALeanProject.
  Result<std::shared_ptr<DocumentStore>> project(const std::string& folder);

  /// The results of Projects::with_widgets() and find_with_widgets() for the project with this root.
  std::shared_ptr<DocumentStore> with_widgets(const std::filesystem::path& root);
  std::shared_ptr<DocumentStore> find_with_widgets(const std::filesystem::path& root) const;

  /// Starts the server of the default project: the fixed root, or the project around the working directory.
  /// Returns at once; does nothing if there is no such project.
  void start_early();

  /// The projects that this client has used, by root.
  std::map<std::filesystem::path, std::shared_ptr<DocumentStore>> projects() const;
  const WorkspaceOptions& options() const { return options_; }

 private:
  std::optional<std::filesystem::path> default_root() const;
  std::optional<std::filesystem::path> root_around(const std::filesystem::path& folder) const;
  lean::ServerOptions server_at(const std::filesystem::path& root) const;
  std::shared_ptr<DocumentStore> project_at(const std::filesystem::path& root);

  Projects& projects_;
  WorkspaceOptions options_;
  std::map<std::filesystem::path, Projects::Use> used_;
};

}  // namespace leanbridge::document
