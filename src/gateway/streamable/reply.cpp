#include "reply.hpp"

#include "access.hpp"

namespace leanbridge::streamable {

http::OutgoingResponse json_response(int status, std::string json) {
  return {.status = status, .fields = {{"content-type", "application/json"}}, .body = std::move(json)};
}

Reply::Reply(std::shared_ptr<http::Exchange> exchange, http::Fields fields)
    : exchange_(std::move(exchange)),
      fields_(std::move(fields)),
      takes_events_(accepts(exchange_->request(), "text/event-stream")) {}

void Reply::whole(int status, std::string json) {
  form_ = ReplyForm::Json;
  http::OutgoingResponse response = json_response(status, std::move(json));
  response.fields.insert(response.fields.end(), fields_.begin(), fields_.end());
  exchange_->respond(std::move(response));
}

void Reply::begin_events() {
  form_ = ReplyForm::Events;
  http::OutgoingResponse head{.fields = {{"content-type", "text/event-stream"},
                                         {"cache-control", "no-store"},
                                         {"x-accel-buffering", "no"}}};
  head.fields.insert(head.fields.end(), fields_.begin(), fields_.end());
  exchange_->begin(std::move(head));
}

}  // namespace leanbridge::streamable
