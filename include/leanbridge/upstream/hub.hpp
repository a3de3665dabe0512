#pragma once
/// All the other servers as one provider of tools and prompts: names, look-up, conflicts, health. Connecting
/// goes on in the background; none waits for another.

#include "leanbridge/mcp/provider.hpp"
#include "leanbridge/upstream/client.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::upstream {

// --- Names under which the tools and prompts of other servers are offered

/// Model APIs take `[A-Za-z0-9_-]{1,64}`, and hosts put `mcp__<name of this server>__` before.
inline constexpr std::size_t kLongestForModels = 64;
inline constexpr std::string_view kHostPrefix = "mcp__leanbridge__";
inline constexpr std::size_t kLongestName = kLongestForModels - kHostPrefix.size();
inline constexpr std::size_t kLongestServerPart = 20;

/// The server's part of a name: no `__` inside and no `_` at its ends, so that the first `__` of a name ends
/// it. What had to be changed for that gets a hash of the whole name as its end, so two servers never share
/// it (but for a collision of 32 bits).
std::string server_part(std::string_view server);

/// `<server>__<item>`. An item with illegal characters, or too long a name, gets a hash as its end likewise.
std::string offered_name(std::string_view server, std::string_view item);

/// 8 hexadecimal digits, the same in all versions: 32 bits of FNV-1a.
std::string stable_hash(std::string_view text);

// --- The hub

struct HubOptions {
  ClientOptions client;
  TransportFactory factory;
  /// Offer three tools instead of all: `upstream_servers`, `upstream_describe`, `upstream_call`.
  bool lazy = false;
  /// Names of our own tools: bare names of foreign ones never mean them.
  std::function<bool(const std::string& name)> own_tool;
  /// Looks at the result of every tool, and gives the one to pass on. `source` names server and tool. Empty:
  /// all pass through as they are.
  std::function<asio::awaitable<nlohmann::json>(nlohmann::json result, std::string source,
                                                io::CancelScope scope)>
      on_result;
};

class Hub : public mcp::ToolProvider {
 public:
  /// `problems` of the configuration are shown in health().
  Hub(asio::io_context& context, Config config, HubOptions options);

  /// Begins to connect to all servers, and returns at once.
  void start();
  /// Ends all connections in order, all at once. A second call waits for the first.
  asio::awaitable<void> stop(io::Clock::duration grace);
  void kill();

  /// The lists may have changed. One listener each: the session.
  std::function<void()> on_tools_changed;
  std::function<void()> on_prompts_changed;

  nlohmann::json tools() const override;
  bool knows_tool(const std::string& name) const override;
  asio::awaitable<mcp::ForeignResult> call_tool(std::string name, nlohmann::json arguments,
                                                std::shared_ptr<mcp::ProxiedCall> call) override;
  nlohmann::json prompts() const override;
  bool knows_prompt(const std::string& name) const override;
  asio::awaitable<mcp::ForeignResult> get_prompt(std::string name, nlohmann::json arguments,
                                                 std::shared_ptr<mcp::ProxiedCall> call) override;

  /// A tool or prompt by one of its names: offered, `server__item`, `server:item`, or bare where only one
  /// server has it.
  struct Target {
    std::shared_ptr<Client> client;
    std::string item;  ///< the server's own name for it
  };
  /// InvalidArgument where there is none, or more than one: the message names them.
  Result<Target> find_tool(const std::string& name) const;
  Result<Target> find_prompt(const std::string& name) const;

  const std::vector<std::shared_ptr<Client>>& clients() const { return clients_; }
  std::shared_ptr<Client> client(const std::string& server) const;
  const std::vector<ConfigProblem>& problems() const { return problems_; }
  /// For lean_server_health: a list of Client::health(), with conflicts and problems.
  nlohmann::json health() const;

 private:
  enum class Kind { Tool, Prompt };
  struct Table {
    std::map<std::string, Target> by_name;  // as offered
    nlohmann::json listing = nlohmann::json::array();
    std::vector<std::string> conflicts;
  };

  const Table& table(Kind kind) const { return kind == Kind::Tool ? tools_ : prompts_; }
  void rebuild(Kind kind);
  Result<Target> find(Kind kind, const std::string& name) const;
  /// The server that the beginning of `name` means, and the rest of it; none for a bare name.
  Target split(const std::string& name) const;
  asio::awaitable<Result<Target>> find_when_settled(Kind kind, std::string name, io::CancelScope scope);
  asio::awaitable<mcp::ForeignResult> pass_on(Target target, Kind kind, nlohmann::json arguments,
                                              std::shared_ptr<mcp::ProxiedCall> call);
  // Three tools instead of all
  bool is_lazy_tool(const std::string& name) const;
  nlohmann::json lazy_tools() const;
  asio::awaitable<mcp::ForeignResult> call_lazy(std::string name, nlohmann::json arguments,
                                                std::shared_ptr<mcp::ProxiedCall> call);

  asio::io_context& context_;
  HubOptions options_;
  std::vector<std::shared_ptr<Client>> clients_;
  std::vector<ConfigProblem> problems_;
  Table tools_, prompts_;
  bool stopping_ = false;
  std::size_t ending_ = 0;  // connections that are being closed
  io::Condition ended_;
};

}  // namespace leanbridge::upstream
