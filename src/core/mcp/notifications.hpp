#pragma once
/// Notifications to the client: log messages, and changes of resources and lists.

#include "connection.hpp"
#include "lists.hpp"
#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace leanbridge::mcp {

/// The index of an RFC 5424 level word ("emergency" 0 ... "debug" 7), or nullopt for anything else.
std::optional<int> log_urgency(const nlohmann::json& word);

/// Log messages for the client. Legacy: from the level set by logging/setLevel. Modern: while a request is
/// under way that names a level in its `_meta`.
class ClientLog {
 public:
  explicit ClientLog(std::shared_ptr<Connection> connection) : connection_(std::move(connection)) {}

  /// logging/setLevel
  void set_level(Era era, const nlohmann::json& params, rpc::Responder responder);

  /// Registers a modern request and the level it names; null and unknown levels are ignored. Pass the result
  /// to end_request().
  std::uint64_t begin_request(const nlohmann::json& level);
  void end_request(std::uint64_t serial) { requested_levels_.erase(serial); }

  /// `level` is a word of RFC 5424; others are not sent.
  void log(std::string_view level, const std::string& text);

 private:
  std::shared_ptr<Connection> connection_;
  int legacy_level_ = 4;                           // index into RFC 5424's levels: warning
  std::map<std::uint64_t, int> requested_levels_;  // modern, of the requests under way
  std::uint64_t next_serial_ = 0;
};

/// Subscriptions to changes of resources and lists. Legacy: resources/subscribe, for the whole connection.
/// Modern: subscriptions/listen, a request that stays open until it is cancelled. Watches may outlive both
/// this object and the connection.
class Subscriptions : public std::enable_shared_from_this<Subscriptions> {
 public:
  explicit Subscriptions(std::shared_ptr<Connection> connection) : connection_(std::move(connection)) {}

  void subscribe(Era era, const nlohmann::json& params, rpc::Responder responder);
  void unsubscribe(Era era, const nlohmann::json& params, rpc::Responder responder);
  void listen(Era era, const nlohmann::json& params, rpc::Responder responder);

  /// The provider's list has changed.
  void list_changed(List list);

  /// The number of requests that stay open to report changes.
  std::size_t listeners() const { return listeners_.size(); }
  /// Ends the legacy subscriptions; modern ones end with their requests.
  void close();

 private:
  struct Listener {
    Lists lists;
    rpc::Id request;
  };

  Result<Watch> watch_of(const std::string& uri) const;
  /// `listener`: the modern request that reports the changes.
  void start_watch(Watch watch, std::string uri, std::optional<rpc::Id> listener,
                   std::shared_ptr<io::CancelSource> end);

  std::shared_ptr<Connection> connection_;
  std::size_t watches_ = 0;
  std::map<std::string, std::shared_ptr<io::CancelSource>> subscriptions_;  // legacy, by URI
  std::map<std::uint64_t, Listener> listeners_;                             // modern
  std::uint64_t next_listener_ = 0;
};

}  // namespace leanbridge::mcp
