#pragma once
/// All other servers as one provider of tools, prompts and resources: names, look-up, conflicts, health.
/// Servers connect in the background and do not wait for each other.

#include "client.hpp"
#include "core/io/task_group.hpp"
#include "core/mcp/provider.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::upstream {

/// Tools and prompts are offered as `<server>__<item>`, in characters that every model API accepts. Names
/// depend only on these two names, not on other offers, because permissions and prompt caches refer to them.
///
/// Model APIs accept `[A-Za-z0-9_-]{1,64}`, and hosts prepend `mcp__<name of this server>__`.
inline constexpr std::size_t kMaxNameForModels = 64;
inline constexpr std::string_view kHostPrefix = "mcp__leanbridge__";
inline constexpr std::size_t kMaxOfferedName = kMaxNameForModels - kHostPrefix.size();
inline constexpr std::size_t kMaxServerPart = 20;

/// The server's part of a name: without `__` inside and `_` at either end, so that the first `__` of a name
/// ends it. A name that had to change for this ends in a hash of the whole name, so two servers have the same
/// part only if 32 bits collide.
std::string server_part(std::string_view server);

/// `<server>__<item>`. If the item has illegal characters or the name is too long, it ends in a hash
/// likewise.
std::string offered_name(std::string_view server, std::string_view item);

/// 8 hexadecimal digits, stable across versions: FNV-1a folded to 32 bits.
std::string stable_hash(std::string_view text);

struct HubOptions {
  ClientOptions client;
  TransportFactory factory;
  /// Offer three tools instead of all: `upstream_servers`, `upstream_describe` and `upstream_call`.
  bool lazy = false;
  /// Whether a name belongs to a tool of ours; bare names of other servers' tools never hide it.
  std::function<bool(const std::string& name)> own_tool;
  /// Filters the result of every tool. `source` names server and tool. Empty: results pass unchanged.
  std::function<asio::awaitable<nlohmann::json>(nlohmann::json result, std::string source,
                                                io::CancelScope scope)>
      on_result;
};

class Hub : public mcp::ToolProvider {
 public:
  /// The configuration's `problems` appear in health().
  Hub(asio::io_context& context, Config config, HubOptions options);

  /// The client to which servers may send requests (ClientOptions::host). Call this before start().
  void set_host(std::weak_ptr<mcp::Host> host) { host_ = std::move(host); }
  /// Starts connecting to all servers and returns at once.
  void start();
  /// Closes all connections gracefully and concurrently. A second call waits for the first.
  asio::awaitable<void> stop(io::Clock::duration grace);
  void kill();

  /// Called when a list may have changed. The session is the only listener.
  std::function<void(mcp::List)> on_changed;

  nlohmann::json tools() const override;
  bool knows_tool(const std::string& name) const override;
  asio::awaitable<mcp::ProxiedResult> call_tool(std::string name, nlohmann::json arguments,
                                                std::shared_ptr<mcp::ProxiedCall> call) override;
  nlohmann::json prompts() const override;
  bool knows_prompt(const std::string& name) const override;
  asio::awaitable<mcp::ProxiedResult> get_prompt(std::string name, nlohmann::json arguments,
                                                 std::shared_ptr<mcp::ProxiedCall> call) override;
  // Resources keep their addresses, which results refer to. An address belongs to the first server that has
  // it.
  nlohmann::json resources() const override;
  nlohmann::json resource_templates() const override;
  bool knows_resource(const std::string& uri) const override;
  asio::awaitable<mcp::ProxiedResult> read_resource(std::string uri,
                                                    std::shared_ptr<mcp::ProxiedCall> call) override;
  Result<mcp::Watch> watch_resource(const std::string& uri) override;
  bool completes(const nlohmann::json& ref) const override;
  asio::awaitable<mcp::ProxiedResult> complete(nlohmann::json params,
                                               std::shared_ptr<mcp::ProxiedCall> call) override;
  void roots_changed() override;

  /// A tool or prompt, found by any of its names: as offered, `server__item`, `server:item`, or bare if only
  /// one server has it.
  struct Target {
    std::shared_ptr<Client> client;
    std::string item;  ///< the server's own name for it
  };
  /// InvalidArgument, naming the candidates, if none or several match.
  Result<Target> find_tool(const std::string& name) const;
  Result<Target> find_prompt(const std::string& name) const;

  const std::vector<std::shared_ptr<Client>>& clients() const { return clients_; }
  std::shared_ptr<Client> client(const std::string& server) const;
  const std::vector<ConfigProblem>& problems() const { return problems_; }
  /// For lean_server_health: Client::health() of each server, conflicts and problems.
  nlohmann::json health() const;

 private:
  using List = mcp::List;
  struct Table {
    std::map<std::string, Target> by_name;  // as offered; resources by URI, which is also their `item`
    nlohmann::json listing = nlohmann::json::array();
    nlohmann::json templates = nlohmann::json::array();  // of resources
    std::vector<std::string> conflicts;
  };

  const Table& table(List list) const { return tables_.at(list); }
  void rebuild(List list);
  /// Whether a server has a tool or prompt of this name, as it is or behind the server's.
  bool knows(List list, const std::string& name) const;
  /// The server whose resource this is, or whose template it fits; null if there is none.
  std::shared_ptr<Client> server_of(const std::string& uri) const;
  Result<Target> find(List list, const std::string& name) const;
  /// The server that the prefix of `name` means, and the rest of the name; without a server for a bare name.
  Target split(const std::string& name) const;
  asio::awaitable<Result<Target>> find_when_settled(List list, std::string name, io::CancelScope scope);
  asio::awaitable<mcp::ProxiedResult> pass_on(Target target, List list, nlohmann::json arguments,
                                              std::shared_ptr<mcp::ProxiedCall> call);
  asio::awaitable<mcp::ProxiedResult> request(std::shared_ptr<Client> client, std::string method,
                                              nlohmann::json params, std::shared_ptr<mcp::ProxiedCall> call);
  asio::awaitable<Result<nlohmann::json>> answers_to(nlohmann::json questions, std::string server,
                                                     std::shared_ptr<mcp::ProxiedCall> call);
  // --- three tools instead of all
  bool is_meta_tool(const std::string& name) const;
  nlohmann::json meta_tools() const;
  asio::awaitable<mcp::ProxiedResult> call_meta_tool(std::string name, nlohmann::json arguments,
                                                     std::shared_ptr<mcp::ProxiedCall> call);

  asio::io_context& context_;
  HubOptions options_;
  std::vector<std::shared_ptr<Client>> clients_;
  std::vector<ConfigProblem> problems_;
  std::map<List, Table> tables_ = {{List::Tools, {}}, {List::Prompts, {}}, {List::Resources, {}}};
  std::weak_ptr<mcp::Host> host_;
  bool stopping_ = false;
  io::TaskGroup closing_;  // connections being closed
};

}  // namespace leanbridge::upstream
