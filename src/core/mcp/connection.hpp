#pragma once
/// State shared by the parts of a session: the way to the client, and the negotiated facts about it. Does not
/// know the parts.

#include "core/base/error.hpp"
#include "core/io/asio.hpp"
#include "core/rpc/peer.hpp"
#include "revision.hpp"
#include "session.hpp"
#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace leanbridge::mcp {

/// The slot of one call under way, released on destruction. May outlive its CallSlots.
class CallSlot {
 public:
  CallSlot(CallSlot&& other) noexcept = default;
  CallSlot& operator=(CallSlot&&) = delete;
  ~CallSlot() {
    if (taken_) --*taken_;
  }

 private:
  friend class CallSlots;
  explicit CallSlot(std::shared_ptr<std::size_t> taken) : taken_(std::move(taken)) { ++*taken_; }

  std::shared_ptr<std::size_t> taken_;  // null: moved from
};

class CallSlots {
 public:
  explicit CallSlots(std::size_t limit) : limit_(limit) {}

  std::size_t taken() const { return *taken_; }
  /// RateLimited if all slots are taken.
  Result<CallSlot> take();

 private:
  std::size_t limit_;
  std::shared_ptr<std::size_t> taken_ = std::make_shared<std::size_t>(0);
};

/// The connection of a session. The session, its parts and, through them, every running call hold it.
class Connection {
 public:
  /// `send` and `on_ready` as in Session. `handlers` are called only inside peer().receive().
  Connection(asio::io_context& context, std::shared_ptr<const SessionOptions> options,
             std::function<void(Outgoing&&)> send, std::function<void()> on_ready,
             rpc::Peer::Handlers handlers);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  asio::io_context& context() { return context_; }
  const SessionOptions& options() const { return *options_; }
  /// For work that may outlive the connection.
  const std::shared_ptr<const SessionOptions>& shared_options() const { return options_; }
  rpc::Peer& peer() { return peer_; }
  const rpc::Peer& peer() const { return peer_; }
  CallSlots& call_slots() { return call_slots_; }

  /// The identity under which its calls take turns (io::TurnQueue).
  std::uint64_t client() const { return client_name_.empty() ? 0 : std::hash<std::string>()(client_name_); }
  /// The owner of the tasks that its calls become.
  const std::string& client_name() const { return client_name_; }
  void set_client(std::string name) { client_name_ = std::move(name); }
  TaskStore& tasks() { return *tasks_; }

  /// Sends one message without the peer.
  void send(Outgoing&& message) { send_(std::move(message)); }
  /// Sends a notification that belongs to a request of the client.
  void notify_about(const rpc::Id& request, std::string_view method, nlohmann::json params) {
    send_({.text = rpc::make_notification(method, std::move(params)), .about = request});
  }
  /// From now on, sends nothing.
  void silence();

  /// The revision of `initialize`; empty until that was answered.
  const std::string& legacy_revision() const { return legacy_revision_; }
  void set_legacy_revision(std::string_view revision) { legacy_revision_ = revision; }
  /// The client's capabilities in `initialize`; null until then.
  const nlohmann::json& client_capabilities() const { return client_capabilities_; }
  void set_client_capabilities(nlohmann::json capabilities) {
    client_capabilities_ = std::move(capabilities);
  }
  /// The client's `clientInfo` in `initialize`; null until then.
  const nlohmann::json& client_info() const { return client_info_; }
  void set_client_info(nlohmann::json info) { client_info_ = std::move(info); }
  /// The revision to pass to fit_result(): the legacy revision, or "" in the modern era.
  std::string revision_of(Era era) const { return era == Era::Modern ? "" : legacy_revision_; }

  /// The client is about to use tools. Only the first call has an effect.
  void ready();
  bool is_ready() const { return !on_ready_; }

  /// `serverInfo` for results that repeat it.
  nlohmann::json server_info() const;
  /// `serverInfo` for people: with title and icon, as far as the era's revision has them.
  nlohmann::json presentation(Era era) const;
  /// The result with the members that its era requires in all results. A result that asks for input keeps
  /// that type.
  nlohmann::json complete(Era era, nlohmann::json result) const;

 private:
  asio::io_context& context_;
  std::shared_ptr<const SessionOptions> options_;
  std::function<void(Outgoing&&)> send_;
  std::function<void()> on_ready_;  // empty once called
  rpc::Peer peer_;
  CallSlots call_slots_;
  std::string client_name_;
  std::shared_ptr<TaskStore> tasks_;
  std::string legacy_revision_;
  nlohmann::json client_capabilities_, client_info_;
};

/// The settings of an extension in the `capabilities` of a client; null if it is not declared.
nlohmann::json declared_extension(const nlohmann::json& capabilities, const char* extension);

/// `_meta.progressToken`, or null if missing or malformed. `params` must be an object.
nlohmann::json progress_token(const nlohmann::json& params);

rpc::RpcError invalid_params(std::string message);

}  // namespace leanbridge::mcp
