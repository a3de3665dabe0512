#pragma once
/// The server side of MCP on one connection: both eras, decided message by message. Lines in, messages out;
/// knows nothing of Lean.
///
/// | message                                      | era                                           |
/// |----------------------------------------------|-----------------------------------------------|
/// | `_meta` names a protocol version             | modern: checked each time, nothing remembered |
/// | `initialize`                                 | legacy from here on                           |
/// | any other after an answered `initialize`     | legacy                                        |
/// | any other                                    | `ping` is answered, the rest refused          |

#include "leanbridge/mcp/prompt.hpp"
#include "leanbridge/mcp/provider.hpp"
#include "leanbridge/mcp/resource.hpp"
#include "leanbridge/mcp/revision.hpp"
#include "leanbridge/mcp/tool_registry.hpp"
#include "leanbridge/rpc/peer.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::mcp {

/// Index of an RFC 5424 level word ("emergency" 0 ... "debug" 7); nullopt for anything else.
std::optional<int> log_urgency(const nlohmann::json& word);

struct SessionOptions {
  std::string name = "leanbridge";
  std::string version;
  std::string instructions;
  double timeout_s = 120;         ///< a call's deadline where it gives none
  std::size_t max_calls = 256;    ///< under way at once; more are refused with rate_limited
  std::size_t max_watches = 256;  ///< subscriptions to resources at once
  std::vector<Prompt> prompts;
  std::vector<Resource> resources;
  ToolProvider* provider = nullptr;  ///< others' tools and prompts, shown after ours; may be none
};

/// Belongs to the loop's thread.
class Session : public std::enable_shared_from_this<Session> {
 public:
  /// `send` takes one serialised message without its line ending and only enqueues it. `on_ready` is called
  /// once, when the client is about to use tools: the time to start what is slow to start.
  Session(asio::io_context& context, ToolRegistry& tools, SessionOptions options,
          std::function<void(std::string&&)> send, std::function<void()> on_ready);

  /// One line from the client.
  void receive(std::string_view line);
  /// A line above the size limit was thrown away.
  void receive_oversize(std::size_t limit_bytes);
  /// The client is gone: all calls are cancelled, nothing more is sent.
  void close();

  /// A log message for the client, in the way of its era: where it asked for that level. `level`: RFC 5424's
  /// word.
  void log(std::string_view level, const std::string& text);

  enum class List { Tools, Prompts };
  /// The provider's list has changed: the client is told in the way of its era.
  void list_changed(List list);

  std::size_t calls_under_way() const { return calls_under_way_; }
  /// Requests that will be answered in their time: all but those that stay open to tell of changes.
  std::size_t answers_owed() const;

 private:
  void receive_message(rpc::Message message);
  void on_request(rpc::Request request, rpc::Responder responder);
  void on_notification(const rpc::Notification& notification);
  std::optional<rpc::RpcError> check_modern(const nlohmann::json& meta) const;
  void serve(Era era, rpc::Request request, rpc::Responder responder);
  void initialize(const nlohmann::json& params, rpc::Responder responder);
  void discover(rpc::Responder responder);
  void list_tools(Era era, const nlohmann::json& params, rpc::Responder responder);
  void set_log_level(const nlohmann::json& params, rpc::Responder responder);
  void call_tool(Era era, nlohmann::json params, rpc::Responder responder);
  asio::awaitable<void> run_call(Era era, const Tool* tool, nlohmann::json arguments,
                                 std::shared_ptr<Call> call, std::shared_ptr<rpc::Responder> responder);
  asio::awaitable<void> report_progress(nlohmann::json token, std::shared_ptr<Call> call,
                                        std::shared_ptr<rpc::Responder> responder);
  // proxied_calls.cpp: what the provider answers
  std::shared_ptr<ProxiedCall> begin_proxied(const nlohmann::json& params,
                                             const std::shared_ptr<rpc::Responder>& responder);
  void call_proxied(Era era, const std::string& name, nlohmann::json arguments, const nlohmann::json& params,
                    rpc::Responder responder);
  asio::awaitable<void> run_proxied(Era era, std::string name, nlohmann::json arguments,
                                    std::shared_ptr<ProxiedCall> call,
                                    std::shared_ptr<rpc::Responder> responder);
  void get_proxied_prompt(Era era, const std::string& name, const nlohmann::json& params,
                          rpc::Responder responder);
  asio::awaitable<void> run_proxied_prompt(Era era, std::string name, nlohmann::json arguments,
                                           std::shared_ptr<ProxiedCall> call,
                                           std::shared_ptr<rpc::Responder> responder);
  // catalogue.cpp: prompts and resources
  void list_prompts(Era era, const nlohmann::json& params, rpc::Responder responder);
  void get_prompt(Era era, const nlohmann::json& params, rpc::Responder responder);
  void list_resources(Era era, bool templates, const nlohmann::json& params, rpc::Responder responder);
  void read_resource(Era era, const nlohmann::json& params, rpc::Responder responder);
  asio::awaitable<void> run_read(Era era, NamedResource named, std::string uri, std::shared_ptr<Call> call,
                                 std::shared_ptr<rpc::Responder> responder);
  // subscriptions.cpp
  void subscribe(const nlohmann::json& params, rpc::Responder responder);
  void unsubscribe(const nlohmann::json& params, rpc::Responder responder);
  void listen(nlohmann::json params, rpc::Responder responder);
  Result<Watch> watch_of(const std::string& uri) const;
  void start_watch(Watch watch, std::string uri, nlohmann::json meta, std::shared_ptr<io::CancelSource> end);

  nlohmann::json capabilities(Era era) const;
  /// The answer to a list method: its one page.
  void answer_page(Era era, const char* member, nlohmann::json page, const nlohmann::json& params,
                   rpc::Responder responder);
  nlohmann::json complete(Era era, nlohmann::json result) const;
  void ready();

  asio::io_context& context_;
  ToolRegistry& tools_;
  SessionOptions options_;
  std::function<void(std::string&&)> send_;
  std::function<void()> on_ready_;
  rpc::Peer peer_;
  std::string legacy_revision_;                     // empty until `initialize` was answered
  int log_level_ = 4;                               // legacy, index into RFC 5424's levels: warning
  std::map<std::uint64_t, int> modern_log_levels_;  // of the requests under way
  std::uint64_t next_serial_ = 0;
  std::size_t calls_under_way_ = 0;
  std::size_t watches_ = 0;
  std::map<std::string, std::shared_ptr<io::CancelSource>> subscriptions_;  // legacy, by URI

  struct Listener {
    bool tools = false;
    bool prompts = false;
    nlohmann::json meta;
  };
  std::map<std::uint64_t, Listener> listeners_;  // modern: who asked to be told that lists changed
};

}  // namespace leanbridge::mcp
