#pragma once
/// The place where probes run: small projects in a temporary folder, and results that several probes share.

#include "core/base/files.hpp"
#include "core/io/run_to_end.hpp"
#include "core/lean/messages.hpp"
#include "core/lean/project.hpp"
#include "core/lean/server.hpp"
#include "probe.hpp"
#include <nlohmann/json.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::app {

/// The server's publications about one text.
struct ProbeDocument {
  std::string uri;
  std::vector<lean::Diagnostic> diagnostics;
  bool has_version = true;     ///< each publication had the version
  bool has_progress = false;   ///< $/lean/fileProgress came, and had the version
  bool is_processing = false;  ///< according to the last publication
  int publications = 0;

  /// The first message that contains this text; null: there is none.
  const lean::Diagnostic* find(std::string_view part) const;
  /// All messages as a text, for a report.
  std::string all() const;
};

/// One `lake serve` in the probes' own project.
class ProbeSession {
 public:
  ProbeSession(asio::io_context& context, lean::ServerOptions options);

  asio::awaitable<Result<void>> start(io::CancelScope scope) { return server_->ensure_ready(scope); }
  /// Opens the text as that file and waits for the barrier.
  asio::awaitable<Result<const ProbeDocument*>> open(std::filesystem::path file, std::string text,
                                                     io::CancelScope scope);
  /// Closes a document that is no longer needed, which ends its worker.
  void close(const ProbeDocument& document);
  asio::awaitable<Result<nlohmann::json>> ask(std::string method, nlohmann::json params,
                                              io::CancelScope scope);
  lean::Server& server() { return *server_; }

 private:
  std::shared_ptr<lean::Server> server_;
  std::map<std::string, ProbeDocument> documents_;  // by URI
};

/// Whether a search path contains the folder, in whatever spelling.
bool lists_folder(const std::string& path, const std::filesystem::path& folder);

class ProbeLab {
 public:
  /// Writes the projects. `toolchain`: for their lean-toolchain; empty: none. `project`: a project of the
  /// user's; empty: none.
  static Result<std::unique_ptr<ProbeLab>> create(asio::io_context& context, std::filesystem::path lake,
                                                  const std::string& toolchain,
                                                  std::filesystem::path project);

  const std::filesystem::path& folder() const { return folder_->path(); }
  std::filesystem::path own() const { return folder() / "own"; }
  const std::filesystem::path& project() const { return project_; }
  const std::filesystem::path& program() const { return lake_; }
  Result<void> write(const std::string& name, const std::string& text) const;

  /// Runs lake with our usual environment and `more`, in the folder `in` (empty: own()). Timeout if it does
  /// not end.
  asio::awaitable<Result<io::ProgramEnd>> lake(std::vector<std::string> arguments, io::CancelScope scope,
                                               std::filesystem::path in = {}, lean::Variables more = {});
  asio::awaitable<Result<io::ProgramEnd>> run(std::vector<std::string> argv, io::CancelScope scope,
                                              std::filesystem::path in, lean::Variables more);
  /// `lake build` in own(), once. An error if it fails.
  asio::awaitable<Result<std::string>> build(io::CancelScope scope);
  /// The value of a variable that `lake env` prints, in own() or `in`.
  asio::awaitable<Result<std::string>> variable(std::string name, io::CancelScope scope,
                                                std::filesystem::path in = {});
  /// The output of `lake setup-file` for a file without imports.
  asio::awaitable<Result<nlohmann::json>> setup(std::filesystem::path file, io::CancelScope scope);
  asio::awaitable<Result<ProbeSession*>> session(io::CancelScope scope);
  /// The document with all kinds of messages, and its text.
  asio::awaitable<Result<const ProbeDocument*>> messages(io::CancelScope scope);
  asio::awaitable<void> stop();
  void kill();

  /// The place of a text in the document of messages(), after `from`, plus `skip` characters.
  static nlohmann::json place(std::string_view from, std::string_view text, std::size_t skip = 0);
  std::string lake_version;  ///< as printed; "" until a probe has asked for it

 private:
  ProbeLab(asio::io_context& context, std::filesystem::path lake, std::filesystem::path project)
      : context_(context), lake_(std::move(lake)), project_(std::move(project)) {}
  Result<void> write_projects(const std::string& toolchain) const;

  asio::io_context& context_;
  std::filesystem::path lake_, project_;
  std::shared_ptr<const TemporaryFolder> folder_;
  std::optional<Result<std::string>> built_;
  std::optional<ProbeSession> session_;
  const ProbeDocument* messages_ = nullptr;
};

}  // namespace leanbridge::app
