#pragma once
/// Who is told that a resource or a list has changed. Legacy: resources/subscribe, for the whole connection;
/// modern: subscriptions/listen, a request that stays open until it is cancelled.

#include "connection.hpp"
#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace leanbridge::mcp {

/// Not held by what it has started: a watch may outlive it, and the connection.
class Subscriptions : public std::enable_shared_from_this<Subscriptions> {
 public:
  explicit Subscriptions(std::shared_ptr<Connection> connection) : connection_(std::move(connection)) {}

  void subscribe(Era era, const nlohmann::json& params, rpc::Responder responder);
  void unsubscribe(Era era, const nlohmann::json& params, rpc::Responder responder);
  void listen(Era era, const nlohmann::json& params, rpc::Responder responder);

  /// The provider's list has changed.
  void tools_changed();
  void prompts_changed();

  /// Requests that stay open to tell of changes.
  std::size_t listeners() const { return listeners_.size(); }
  /// Ends the legacy ones; the others end as requests do.
  void close();

 private:
  struct Listener {
    bool tools = false;
    bool prompts = false;
    nlohmann::json meta;
  };

  Result<Watch> watch_of(const std::string& uri) const;
  void start_watch(Watch watch, std::string uri, nlohmann::json meta, std::shared_ptr<io::CancelSource> end);
  void list_changed(const char* notification, bool Listener::*asked);

  std::shared_ptr<Connection> connection_;
  std::size_t watches_ = 0;
  std::map<std::string, std::shared_ptr<io::CancelSource>> subscriptions_;  // legacy, by URI
  std::map<std::uint64_t, Listener> listeners_;  // modern: who asked to be told that lists changed
  std::uint64_t next_listener_ = 0;
};

}  // namespace leanbridge::mcp
