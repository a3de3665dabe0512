#pragma once
/// One connection of a client: reads a request, lets the handler answer it, and reads the next one.

#include "body_budget.hpp"
#include "core/base/files.hpp"
#include "http/server.hpp"

#include <functional>
#include <memory>
#include <string>

namespace leanbridge::http {

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
