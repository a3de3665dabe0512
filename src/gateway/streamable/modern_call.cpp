#include "modern_call.hpp"

#include "mirrored_headers.hpp"

namespace leanbridge::streamable {

int modern_status(int error_code) {
  switch (error_code) {
    case rpc::kMethodNotFound:
      return 404;
    case rpc::kInvalidParams:
    case rpc::kInvalidRequest:
    case kHeaderMismatch:
    case mcp::kMissingClientCapability:
    case mcp::kUnsupportedProtocolVersion:
      return 400;
    default:
      return 200;
  }
}

ModernCall::ModernCall(std::shared_ptr<Endpoint> endpoint, std::shared_ptr<http::Exchange> exchange,
                       std::string client, bool counts)
    : endpoint_(std::move(endpoint)),
      reply_(std::move(exchange), {}),
      client_(std::move(client)),
      counts_(counts),
      patience_(endpoint_->context()) {}

void ModernCall::start(rpc::Request request) {
  const std::weak_ptr<ModernCall> weak = weak_from_this();
  session_ = endpoint_->hooks().make_session([weak](mcp::Outgoing&& message) {
    if (const auto self = weak.lock()) self->send(std::move(message));
  });
  session_->set_client(client_);
  // In this era, closing the stream cancels the request.
  reply_.exchange()->on_closed = [weak] {
    if (const auto self = weak.lock()) self->close();
  };
  if (reply_.takes_events()) {
    patience_.expires_after(endpoint_->limits().patience);
    patience_.async_wait([weak](const boost::system::error_code& error) {
      const auto self = weak.lock();
      if (!error && self && self->endpoint_ && self->reply_.form() == ReplyForm::Undecided)
        self->begin_events();
    });
  }
  session_->receive(std::move(request));
}

void ModernCall::begin_events() {
  reply_.begin_events();
  endpoint_->keep_open(reply_.exchange());
}

void ModernCall::send(mcp::Outgoing&& message) {
  if (!endpoint_) return;
  if (message.is_answer && reply_.form() == ReplyForm::Undecided) {
    reply_.whole(modern_status(message.error_code), std::move(message.text));
    return over();
  }
  if (!reply_.takes_events()) return;  // only the answer can be sent
  if (reply_.form() == ReplyForm::Undecided) begin_events();
  reply_.write("event: message\ndata: " + message.text + "\n\n");
  if (!message.is_answer || !endpoint_) return;
  reply_.end();
  over();
}

void ModernCall::close() {
  if (!endpoint_) return;
  session_->close();
  if (reply_.form() == ReplyForm::Events) reply_.end();
  if (reply_.form() == ReplyForm::Undecided)
    reply_.exchange()->respond({.status = 503, .fields = {{"retry-after", "1"}}, .close = true});
  over();
}

// The session may be calling this function, so it is released later.
void ModernCall::over() {
  const auto endpoint = std::exchange(endpoint_, nullptr);
  patience_.cancel();
  if (counts_) endpoint->call_ended(client_);
  asio::post(endpoint->context(), [endpoint, self = shared_from_this()] { endpoint->modern_ended(self); });
}

}  // namespace leanbridge::streamable
