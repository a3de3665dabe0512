#pragma once
/// The answer to a POST: JSON if the message's answer comes first and soon, a stream of events otherwise.

#include "http/server.hpp"

#include <memory>
#include <string>
#include <utility>

namespace leanbridge::streamable {

enum class ReplyForm { Undecided, Json, Events };

/// An error as JSON-RPC, with the message's id or without one.
http::OutgoingResponse json_response(int status, std::string json);

class Reply {
 public:
  Reply(std::shared_ptr<http::Exchange> exchange, http::Fields fields);

  ReplyForm form() const { return form_; }
  const std::shared_ptr<http::Exchange>& exchange() const { return exchange_; }
  /// Whether the client takes events; otherwise only the answer can be sent.
  bool takes_events() const { return takes_events_; }
  bool open() const { return !exchange_->closed() && !exchange_->ended(); }

  void whole(int status, std::string json);
  void begin_events();
  bool write(std::string events) { return exchange_->write(std::move(events)); }
  void end() { exchange_->end(); }

 private:
  std::shared_ptr<http::Exchange> exchange_;
  http::Fields fields_;
  ReplyForm form_ = ReplyForm::Undecided;
  bool takes_events_;
};

}  // namespace leanbridge::streamable
