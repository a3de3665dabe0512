#pragma once
/// One connection of a client: reads a request, lets the handler answer it, and reads the next one.

#include "core/base/files.hpp"
#include "http/server.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace leanbridge::http {

/// Limits the bytes of request bodies in memory: bodies that are arriving, and bodies that wait to be read.
/// Belongs to the loop's thread.
class BodyBudget : public std::enable_shared_from_this<BodyBudget> {
 public:
  BodyBudget(std::size_t max_all, std::size_t max_client) : max_all_(max_all), max_client_(max_client) {}

  enum class Taken { Yes, TooMuchForAll, TooMuchForClient };
  /// `share` gives the bytes back when its last copy ends.
  Taken take(const std::string& client, std::size_t bytes, std::shared_ptr<const void>& share) {
    const auto known = by_client_.find(client);
    const std::size_t own = known == by_client_.end() ? 0 : known->second;
    if (own + bytes > max_client_) return Taken::TooMuchForClient;
    if (all_ + bytes > max_all_) return Taken::TooMuchForAll;
    all_ += bytes;
    by_client_[client] += bytes;
    share = std::shared_ptr<const void>(this, [self = shared_from_this(), client, bytes](const void*) {
      self->all_ -= bytes;
      const auto held = self->by_client_.find(client);
      if ((held->second -= bytes) == 0) self->by_client_.erase(held);
    });
    return Taken::Yes;
  }

 private:
  std::size_t max_all_, max_client_;
  std::size_t all_ = 0;
  std::map<std::string, std::size_t> by_client_;
};

/// Keeps itself alive until it is closed.
class Connection {
 public:
  virtual ~Connection() = default;
  /// Ends the connection after the present request, or at once if there is none.
  virtual void drain() = 0;
  virtual void close() = 0;
};

/// `on_end` is called once, when the connection is closed. Takes over the socket.
std::shared_ptr<Connection> serve_connection(asio::io_context& context, Descriptor socket, std::string client,
                                             const ServerLimits& limits, std::shared_ptr<BodyBudget> bodies,
                                             std::shared_ptr<const ServerHandlers> handlers,
                                             std::function<void()> on_end);

}  // namespace leanbridge::http
