#pragma once
/// The view of a file in `leanbridge view`: its text, the goals at a place, and all messages, obtained by the
/// tools that agents use, and kept up to date with the disk.

#include "core/document/workspace.hpp"
#include "core/mcp/tool.hpp"
#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace leanbridge::app {

class Runtime;

struct ViewedPlace {
  int line = 1;               ///< from 1
  std::optional<int> column;  ///< code points, from 1; nullopt: before and after the line
};

/// Passes an event on: its name and data. False if the reader is gone.
///
/// | event      | data                                                                                  |
/// |------------|---------------------------------------------------------------------------------------|
/// | `text`     | {file, project, version, text}, or too_long without the text; below 0: from disk      |
/// | `asking`   | {line}: what was said about the place no longer holds                                 |
/// | `goals`    | {line, result}: what tools/call of lean_goal would give                               |
/// | `messages` | {result}: what tools/call of lean_diagnostic_messages would give, of the whole file   |
/// | `tokens`   | {version, types, data, complete}: ide::SemanticTokens of that text, or of its beginning |
/// | `end`      | {}: the program ends                                                                  |
using SendEvent = std::function<bool(const char* event, const nlohmann::json& data)>;

/// The answer of tools/call.
nlohmann::json as_result(Result<nlohmann::json> answer);

/// Belongs to the loop's thread. Owned by shared_ptr: its coroutines keep it alive.
class FileView : public std::enable_shared_from_this<FileView> {
 public:
  /// One page, showing one place of the file.
  class Reader;

  /// `file`: absolute. InvalidArgument without the tools; the errors of Workspace::locate().
  static Result<std::shared_ptr<FileView>> create(Runtime& runtime, const std::filesystem::path& file);

  /// Begins to watch the file.
  void start();
  /// Sends a page everything about a place until leave(). `known`: the version of the text that it has.
  std::shared_ptr<Reader> tell(ViewedPlace place, document::Version known, SendEvent send);
  void leave(const std::shared_ptr<Reader>& reader);
  bool has_readers() const { return !readers_.empty(); }
  const std::filesystem::path& path() const { return location_.path; }
  const std::shared_ptr<document::DocumentStore>& project() const { return location_.project; }
  /// Uses one of kAskedTools for the file, and returns the answer of tools/call. Of `given`, only arguments
  /// about places and texts count. A change must contain the text that it replaces.
  asio::awaitable<nlohmann::json> ask(std::string tool, nlohmann::json given,
                                      std::shared_ptr<io::CancelSource> cancel);
  /// Sends `end` to all pages, and ends everything.
  void stop();

 private:
  FileView(Runtime& runtime, document::Location location, const mcp::Tool& goal, const mcp::Tool& messages);

  asio::awaitable<void> watch();
  asio::awaitable<void> await_change(bool complete);
  asio::awaitable<void> tell_file(std::shared_ptr<Reader> reader);
  asio::awaitable<void> tell_goals(std::shared_ptr<Reader> reader);
  asio::awaitable<nlohmann::json> goals_of(const ViewedPlace& place,
                                           std::shared_ptr<io::CancelSource> cancel);
  void take_state();
  /// Lean has given up at the file's imports, and they have not changed since.
  std::optional<Error> header_failure() const;
  void take_disk();
  void take_text(document::Version version, std::string text);
  void begin_revision();
  asio::awaitable<void> read_tokens(bool complete);

  Runtime& runtime_;
  document::Location location_;
  const mcp::Tool& goal_;
  const mcp::Tool& diagnostic_messages_;
  std::shared_ptr<io::CancelSource> ended_ = std::make_shared<io::CancelSource>();
  std::optional<document::DocumentLease> lease_;  // keeps the file open while it is viewed

  document::Version version_ = 0;  // of the text that pages have been sent; below 0: from the disk, without
                                   // Lean
  std::string text_;
  nlohmann::json messages_;  // null: not known yet
  nlohmann::json tokens_;    // null: not known yet
  bool reading_tokens_ = false;
  // Identifies the state that goals depend on: the text, and whether there is one. Cancelled when another
  // state begins.
  std::shared_ptr<io::CancelSource> revision_ = std::make_shared<io::CancelSource>();
  io::Condition changed_;  // notified after changes of these
  std::set<std::shared_ptr<Reader>> readers_;
};

}  // namespace leanbridge::app
