#pragma once
/// One request of the modern era, with a session of its own: no state outlives it.

#include "endpoint.hpp"
#include "reply.hpp"

#include <memory>
#include <string>

namespace leanbridge::streamable {

/// The HTTP status of an answer.
int modern_status(int error_code);

class ModernCall : public std::enable_shared_from_this<ModernCall> {
 public:
  ModernCall(std::shared_ptr<Endpoint> endpoint, std::shared_ptr<http::Exchange> exchange, std::string client,
             bool counts);

  void start(rpc::Request request);
  void list_changed(mcp::Session::List list) { session_->list_changed(list); }
  bool is_listener() const { return !counts_; }
  /// Cancels the request; unsent messages are lost.
  void close();

 private:
  void send(mcp::Outgoing&& message);
  void begin_events();
  void over();

  std::shared_ptr<Endpoint> endpoint_;  // null: it is over
  Reply reply_;
  std::string client_;
  bool counts_;  ///< whether it is among the calls; a listener is not
  std::shared_ptr<mcp::Session> session_;
  io::Timer patience_;
};

}  // namespace leanbridge::streamable
