#pragma once
/// The projects of this process, each with its own `lake serve`: finds the project for a path that a caller
/// names, and enforces the path policy.

#include "leanbridge/document/document_store.hpp"

#include <cstdint>
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
  std::filesystem::path directory;  ///< where the process was started
  std::string lake;
  std::vector<std::string> serve_args;
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
  Workspace(asio::io_context& context, io::Pool& pool, WorkspaceOptions options);

  /// `file_path`: absolute, or relative to the project root. InvalidArgument, OutsideProject,
  /// NotALeanProject. Does not check that the file exists.
  Result<Location> locate(const std::string& file_path);

  /// The project in or around `folder` (absolute, or relative to the working directory). Empty: the default
  /// project, see start_early(). InvalidArgument, OutsideProject, NotALeanProject.
  Result<std::shared_ptr<DocumentStore>> project(const std::string& folder);

  /// The project with the given root on a second server, which was told that the client shows widgets: parts
  /// of messages then come by RPC and are missing from the plain texts
  /// (`Lean.Widget.getInteractiveDiagnostics`). It opens one file at a time and ends when it is idle for a
  /// while.
  std::shared_ptr<DocumentStore> with_widgets(const std::filesystem::path& root);
  /// Like with_widgets(), but starts nothing; null if there is none.
  std::shared_ptr<DocumentStore> find_with_widgets(const std::filesystem::path& root) const;

  /// Starts the server of the default project: the fixed root, or the project around the working directory.
  /// Returns at once; does nothing if there is no such project.
  void start_early();

  const std::map<std::filesystem::path, std::shared_ptr<DocumentStore>>& projects() const {
    return projects_;
  }
  const WorkspaceOptions& options() const { return options_; }

  /// Ends all servers: stop() in order, within about twice `grace`; kill() at once.
  asio::awaitable<void> stop(io::Clock::duration grace);
  void kill();

 private:
  std::optional<std::filesystem::path> default_root() const;
  std::optional<std::filesystem::path> root_around(const std::filesystem::path& folder) const;
  lean::ServerOptions server_at(const std::filesystem::path& root) const;
  std::shared_ptr<DocumentStore> project_at(const std::filesystem::path& root);
  asio::awaitable<void> stop_when_idle(std::filesystem::path root, std::uint64_t use);
  std::vector<std::shared_ptr<DocumentStore>> all() const;

  asio::io_context& context_;
  io::Pool& pool_;
  WorkspaceOptions options_;
  std::map<std::filesystem::path, std::shared_ptr<DocumentStore>> projects_;

  struct Tagged {
    std::shared_ptr<DocumentStore> project;
    std::uint64_t latest_use = 0;
  };
  std::map<std::filesystem::path, Tagged> tagged_;
  std::uint64_t tagged_uses_ = 0;
};

}  // namespace leanbridge::document
