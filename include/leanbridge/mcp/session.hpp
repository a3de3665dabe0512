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

#include "leanbridge/io/asio.hpp"
#include "leanbridge/mcp/prompt.hpp"
#include "leanbridge/mcp/provider.hpp"
#include "leanbridge/mcp/resource.hpp"
#include "leanbridge/mcp/revision.hpp"
#include "leanbridge/mcp/tool_registry.hpp"
#include "leanbridge/rpc/peer.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::mcp {

class Catalogue;
class ClientLog;
class Connection;
class Subscriptions;
class ToolCalls;

/// What a Session offers and how much of it at once, as its program decides it.
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

/// Reads what the client sends and gives each request to the part that has its method. Belongs to the loop's
/// thread. Calls under way may outlive it: they hold what they need to be answered.
class Session {
 public:
  /// `send` takes one serialised message without its line ending and only enqueues it. `on_ready` is called
  /// once, when the client is about to use tools: the time to start what is slow to start.
  Session(asio::io_context& context, ToolRegistry& tools, SessionOptions options,
          std::function<void(std::string&&)> send, std::function<void()> on_ready);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

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

  std::size_t calls_under_way() const;
  /// Requests that will be answered in their time: all but those that stay open to tell of changes.
  std::size_t answers_owed() const;

 private:
  void on_request(rpc::Request request, rpc::Responder responder);
  void on_notification(const rpc::Notification& notification);
  void serve(Era era, rpc::Request request, rpc::Responder responder);
  void initialize(Era era, nlohmann::json params, rpc::Responder responder);
  void discover(Era era, nlohmann::json params, rpc::Responder responder);
  void ping(Era era, nlohmann::json params, rpc::Responder responder);

  std::shared_ptr<Connection> connection_;  // outlives the parts, which hold it too
  std::shared_ptr<ClientLog> log_;
  std::shared_ptr<ToolCalls> tool_calls_;
  std::shared_ptr<Catalogue> catalogue_;
  std::shared_ptr<Subscriptions> subscriptions_;
};

}  // namespace leanbridge::mcp
