#pragma once
/// The server side of MCP on one connection, in both eras; the era is decided for each message. Takes lines,
/// sends messages, and knows nothing about Lean.
///
/// | message                                      | era                                           |
/// |----------------------------------------------|-----------------------------------------------|
/// | `_meta` names a protocol version             | modern: checked each time, nothing remembered |
/// | `initialize`                                 | legacy from here on                           |
/// | any other after an answered `initialize`     | legacy                                        |
/// | any other                                    | `ping` is answered, the rest refused          |

#include "completion.hpp"
#include "core/io/asio.hpp"
#include "core/rpc/peer.hpp"
#include "host.hpp"
#include "lists.hpp"
#include "prompt.hpp"
#include "provider.hpp"
#include "resource.hpp"
#include "revision.hpp"
#include "skill.hpp"
#include "task_store.hpp"
#include "tool_registry.hpp"
#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::mcp {

class Catalogue;
class ClientLog;
class Connection;
class Subscriptions;
class Tasks;
class ToolCalls;

/// A message to the client.
struct Outgoing {
  std::string text;  ///< serialised, without a line ending
  /// The client's request that the message is about: its answer, its progress, or a listener's notification.
  std::optional<rpc::Id> about = std::nullopt;
  bool is_answer = false;  ///< the last message about that request
  int error_code = 0;      ///< the code of an error; 0: the answer is a result
};

/// The name of the argument that tools take if `project_argument` is set, and the ending of its header.
inline constexpr const char* kProjectArgument = "project";
inline constexpr const char* kProjectHeader = "Project";

/// The end of a call of one of our own tools.
struct CallEnd {
  const Result<nlohmann::json>& answer;
  bool cancelled = false;
  double ms = 0;  ///< duration of the call
};

/// Called when a call of one of our own tools begins, with its checked arguments; the function that it
/// returns is called at the end. Not called for other servers' tools.
using CallObserver = std::function<std::function<void(const CallEnd&)>(const Tool&, const nlohmann::json&)>;

/// The offers of a Session, and its limits.
struct SessionOptions {
  std::string name = "leanbridge";
  std::string version;
  std::string title;  ///< for people; may be empty
  std::string icon;   ///< an SVG, as a data URI; may be empty
  std::string instructions;
  double timeout_s = 120;                        ///< deadline of calls that give none
  std::size_t text_budget = kDefaultTextBudget;  ///< characters of each text in an answer; 0: all
  std::int64_t first_request = 1;                ///< the id of the first request to the client
  std::size_t max_calls = 256;                   ///< concurrent calls; further ones are refused with
                                                 ///< rate_limited
  std::size_t max_watches = 256;                 ///< concurrent subscriptions to resources
  /// Tools take `project`, and modern clients are told to mirror it in a header (decision 22).
  bool project_argument = false;
  std::vector<Prompt> prompts;
  std::vector<Resource> resources;
  std::vector<Skill> skills;         ///< their files become resources
  Completer complete;                ///< completes arguments of these prompts and resources; may be empty
  std::shared_ptr<TaskStore> tasks;  ///< shared by many sessions; null: each has its own, which ends with it
  CallObserver observe_call;         ///< may be empty
  ToolProvider* provider = nullptr;  ///< other servers' tools, prompts, resources; may be null
  /// Keeps the objects alive that tools, prompts and resources refer to, as long as a call or a watch is
  /// running.
  std::shared_ptr<const void> owner = nullptr;
};

/// The message that tells a client that one of its lines was longer than `limit_bytes`.
std::string oversize_error(std::size_t limit_bytes);

/// Reads the client's messages and dispatches each request to the part that owns its method. Use from the
/// loop's thread. Running calls may outlive the session: they own everything that they need to answer.
class Session {
 public:
  /// `send` takes one message and only enqueues it. `on_ready` is called once, when the client is about to
  /// use tools: start slow things then. Sessions may share their options.
  Session(asio::io_context& context, ToolRegistry& tools, std::shared_ptr<const SessionOptions> options,
          std::function<void(Outgoing&&)> send, std::function<void()> on_ready);
  /// For a transport that sends all messages the same way: `send` takes only the text.
  Session(asio::io_context& context, ToolRegistry& tools, SessionOptions options,
          std::function<void(std::string&&)> send, std::function<void()> on_ready);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  /// Names the client. Sessions of the same client share a name: clients take turns where calls wait
  /// (io::TurnQueue), and a task is shown only to its own client. Empty until then.
  void set_client(std::string name);

  /// Receives one line from the client.
  void receive(std::string_view line);
  /// Receives a parsed message; a batch is refused unless the revision has batches.
  void receive(rpc::Message message);
  /// Tells that a line above the size limit was discarded.
  void receive_oversize(std::size_t limit_bytes);
  /// Tells that the client is gone: cancels all calls and sends nothing more.
  void close();

  /// Sends a log message to the client if it asked for that level, as its era requires. `level` is a word of
  /// RFC 5424; others are ignored.
  void log(std::string_view level, const std::string& text);

  using List = mcp::List;
  /// Tells that the provider's list has changed, and notifies the client as its era requires.
  void list_changed(List list);

  /// The client, for requests of other servers. Never null.
  std::shared_ptr<Host> host() const;

  /// The revision that `initialize` agreed on; empty before.
  const std::string& legacy_revision() const;

  std::size_t calls_under_way() const;
  /// The number of requests still to be answered, except those that stay open to report changes.
  std::size_t answers_owed() const;

 private:
  void on_request(rpc::Request request, rpc::Responder responder);
  void on_notification(const rpc::Notification& notification);
  void serve(Era era, rpc::Request request, rpc::Responder responder);
  void initialize(Era era, nlohmann::json params, rpc::Responder responder);
  void discover(Era era, nlohmann::json params, rpc::Responder responder);
  void ping(Era era, nlohmann::json params, rpc::Responder responder);

  std::shared_ptr<Connection> connection_;  // outlives the parts, which hold it as well
  std::shared_ptr<ClientLog> log_;
  std::shared_ptr<ToolCalls> tool_calls_;
  std::shared_ptr<Tasks> tasks_;
  std::shared_ptr<Catalogue> catalogue_;
  std::shared_ptr<Subscriptions> subscriptions_;
  std::shared_ptr<Host> host_;
};

}  // namespace leanbridge::mcp
