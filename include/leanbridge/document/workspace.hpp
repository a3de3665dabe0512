#pragma once
/// The projects of this process: from the path that a caller names to the project that serves it, one `lake
/// serve` each. The path policy is here.

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
  std::optional<std::filesystem::path>
      root;  ///< --project-root or LEAN_PROJECT_PATH: no file outside it is served; projects inside it are
  std::filesystem::path directory;  ///< where the process was started
  std::string lake;
  std::vector<std::string> serve_args;
  StoreLimits limits;
  io::Spawn spawn = io::ChildProcess::spawn;
};

/// A file and the project that it belongs to: the innermost one around it, but for files of packages that
/// were fetched (lean::find_project_root).
struct Location {
  std::shared_ptr<DocumentStore> project;
  std::filesystem::path path;   ///< real path
  std::filesystem::path named;  ///< the path that was given, made absolute; links in it are not followed
};

/// Belongs to the loop's thread.
class Workspace {
 public:
  Workspace(asio::io_context& context, io::Pool& pool, WorkspaceOptions options);

  /// `file_path`: absolute, or relative to the project root. InvalidArgument, OutsideProject,
  /// NotALeanProject. Whether the file exists is not looked at.
  Result<Location> locate(const std::string& file_path);

  /// The project in or around `folder` (absolute, or relative to the working directory); empty: the one that
  /// is known without a file. InvalidArgument, OutsideProject, NotALeanProject.
  Result<std::shared_ptr<DocumentStore>> project(const std::string& folder);

  /// The same project on a server of its own, to which a client was announced that shows widgets: messages
  /// come in parts by RPC, and their plain texts lack those parts (`Lean.Widget.getInteractiveDiagnostics`).
  /// It has one file open at a time, and ends when it was not asked for for a while. `root`: that of a
  /// project here.
  std::shared_ptr<DocumentStore> with_widgets(const std::filesystem::path& root);
  /// The same where it is there, else null.
  std::shared_ptr<DocumentStore> find_with_widgets(const std::filesystem::path& root) const;

  /// Starts the server of the project that is known without a file: the fixed root, or the one around the
  /// working directory. Returns at once; does nothing where there is no such project.
  void start_early();

  const std::map<std::filesystem::path, std::shared_ptr<DocumentStore>>& projects() const {
    return projects_;
  }
  const WorkspaceOptions& options() const { return options_; }

  /// Ends all servers: in order, within about twice `grace`; or at once.
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
