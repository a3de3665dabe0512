#pragma once
/// The interface between the core and a product beside it (search, certify, check, gateway, corpus, together,
/// desk). The core treats all parts alike and knows none by name.

#include "core/base/error.hpp"
#include "core/base/user_folders.hpp"
#include "core/io/condition.hpp"
#include "core/mcp/provider.hpp"
#include "core/mcp/session.hpp"
#include "core/mcp/tool.hpp"
#include "core/text/source_changes.hpp"
#include "core/tools/tools.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace leanbridge::app {

class Runtime;
struct Options;
struct StandardDescriptors;

/// The state that a part keeps for one client. Belongs to the loop's thread.
class ClientPart {
 public:
  virtual ~ClientPart() = default;

  /// The part's tools, in any order; the client gets all tools sorted by name.
  virtual std::vector<mcp::Tool> tools() { return {}; }
  /// Null: the part knows no names of declarations.
  virtual tools::NameSource* names() { return nullptr; }
  /// Null: the part has no say in what tools write.
  virtual std::shared_ptr<ide::WriteGuard> write_guard() { return nullptr; }
  /// Adds the part's health to the answer of lean_server_health.
  virtual void add_health(tools::ServerHealth& /*health*/) {}

  /// Finds the other things that a session needs, such as other servers. Called once, for a client that is
  /// served, after the tools have been selected.
  virtual void connect() {}
  /// Null: the part offers no tools, prompts and resources of other servers.
  virtual mcp::ToolProvider* provider() { return nullptr; }
  /// Called once, when the client's session exists, so that the part can notify it of changes.
  virtual void serve(const std::shared_ptr<mcp::Session>& /*session*/) {}
  /// Begins slow preparations. Called when the client is about to use the part, possibly more than once.
  virtual void start() {}
  /// Ends other processes and connections; waits at most for the grace.
  virtual asio::awaitable<void> stop(io::Clock::duration /*grace*/) { co_return; }
  /// Ends them at once.
  virtual void kill() {}
};

/// The client of a part that has tools and keeps nothing else.
class ToolsOfClient : public ClientPart {
 public:
  explicit ToolsOfClient(std::vector<mcp::Tool> tools) : tools_(std::move(tools)) {}
  std::vector<mcp::Tool> tools() override { return tools_; }

 private:
  std::vector<mcp::Tool> tools_;
};

class Part {
 public:
  virtual ~Part() = default;

  /// Adds flags and commands. The part and `options` outlive `app`. The callback of a command sets
  /// Options::command.
  virtual void add_options(CLI::App& /*app*/, Options& /*options*/) {}
  /// Completes the options after parsing. An error ends the program as wrong usage.
  virtual Result<void> read_options(const EnvironmentLookup& /*variables*/, Options& /*options*/) {
    return {};
  }
  /// Runs before anything else is read, even the command line. Returns the exit code if the process must end
  /// now.
  virtual std::optional<int> begin(int /*argc*/, char** /*argv*/) { return std::nullopt; }
  /// Serves clients in another way than over stdin and stdout, if the options ask for it, and returns the
  /// exit code; nullopt if they do not.
  virtual std::optional<int> serve(const Options& /*options*/, const StandardDescriptors& /*were_open*/) {
    return std::nullopt;
  }
  /// The part's objections to a change of a project's declarations since a commit of git, in sentences. The
  /// arguments outlive the call.
  virtual asio::awaitable<Result<std::vector<std::string>>> objections(const std::filesystem::path& /*root*/,
                                                                       const std::string& /*commit*/,
                                                                       const text::SourceChanges& /*changes*/,
                                                                       io::CancelScope /*scope*/) {
    co_return std::vector<std::string>();
  }
  /// Null: the part keeps nothing for a client. `runtime` outlives the result.
  virtual std::unique_ptr<ClientPart> start_client(Runtime& /*runtime*/) { return nullptr; }
};

/// The parts that this program is built with, in the order in which each is asked and in which their flags
/// and commands are listed. src/parts.cpp has them all, src/core/alone.cpp none.
const std::vector<std::unique_ptr<Part>>& parts();

}  // namespace leanbridge::app
