#pragma once
/// How a product beside the core (search, certify, check, gateway, corpus, desk) takes part in the program.
/// The core asks every part the same questions and knows none by name.

#include "core/base/error.hpp"
#include "core/base/user_folders.hpp"
#include "core/io/condition.hpp"
#include "core/mcp/provider.hpp"
#include "core/mcp/session.hpp"
#include "core/mcp/tool.hpp"
#include "core/tools/tools.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace CLI {
class App;
}

namespace leanbridge::app {

class Runtime;
struct Options;
struct StandardDescriptors;

/// What a part keeps for one client. Belongs to the loop's thread.
class ClientPart {
 public:
  virtual ~ClientPart() = default;

  /// In any order; the client gets all tools by name.
  virtual std::vector<mcp::Tool> tools() { return {}; }
  /// Null: the part knows no names of declarations.
  virtual tools::NameSource* names() { return nullptr; }
  /// Adds what lean_server_health says of the part.
  virtual void add_health(tools::ServerHealth& /*health*/) {}

  /// Finds what else a session needs, such as other servers. Called once, for a client that is served, after
  /// the tools have been selected.
  virtual void connect() {}
  /// Null: the part offers no tools, prompts and resources beside its own.
  virtual mcp::ToolProvider* provider() { return nullptr; }
  /// Called once the client's session exists: to tell it of changes.
  virtual void serve(const std::shared_ptr<mcp::Session>& /*session*/) {}
  /// Begins what is slow to start. Called when the client is about to use it, more than once if it is
  /// several.
  virtual void start() {}
  /// Ends other processes and connections; waits at most for the grace.
  virtual asio::awaitable<void> stop(io::Clock::duration /*grace*/) { co_return; }
  /// The same at once.
  virtual void kill() {}
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
  /// Before anything else, even the command line, is read: the exit code if the process must end now.
  virtual std::optional<int> begin(int /*argc*/, char** /*argv*/) { return std::nullopt; }
  /// Serves clients in another way than over stdin and stdout, if the options ask for it. The exit code;
  /// nothing: they do not.
  virtual std::optional<int> serve(const Options& /*options*/, const StandardDescriptors& /*were_open*/) {
    return std::nullopt;
  }
  /// Null: nothing is kept for a client. `runtime` outlives it.
  virtual std::unique_ptr<ClientPart> start_client(Runtime& /*runtime*/) { return nullptr; }
};

/// Those that this program is built with, in the order in which each is asked; it lists their flags and
/// commands in this order, too. src/parts.cpp has them all, src/core/alone.cpp none.
const std::vector<std::unique_ptr<Part>>& parts();

}  // namespace leanbridge::app
