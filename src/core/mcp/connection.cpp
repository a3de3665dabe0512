#include "connection.hpp"

#include "core/base/json.hpp"
#include "provider.hpp"

#include <string>
#include <utility>

namespace leanbridge::mcp {

using nlohmann::json;

Result<CallSlot> CallSlots::take() {
  if (*taken_ >= limit_)
    return fail(ErrorKind::RateLimited, std::to_string(*taken_) + " calls are already in progress.",
                "Wait for some of them to finish, then call again.");
  return CallSlot(taken_);
}

Connection::Connection(asio::io_context& context, std::shared_ptr<const SessionOptions> options,
                       std::function<void(Outgoing&&)> send, std::function<void()> on_ready,
                       rpc::Peer::Handlers handlers)
    : context_(context),
      options_(std::move(options)),
      send_(std::move(send)),
      on_ready_(std::move(on_ready)),
      peer_(
          rpc::Dialect::mcp(), [this](std::string&& text) { send_({.text = std::move(text)}); },
          [&] {
            handlers.send_answer = [this](const rpc::Id& id, int error_code, std::string&& text) {
              send_({.text = std::move(text), .about = id, .is_answer = true, .error_code = error_code});
            };
            return std::move(handlers);
          }(),
          rpc::Peer::Limits{.first_request = options_->first_request}),
      call_slots_(options_->max_calls),
      tasks_(options_->tasks ? options_->tasks : std::make_shared<TaskStore>()) {}

void Connection::silence() {
  send_ = [](Outgoing&&) {};
}

void Connection::ready() {
  if (auto once = std::exchange(on_ready_, nullptr)) once();
}

json Connection::server_info() const {
  return {{"name", options_->name}, {"version", options_->version}};
}

json Connection::presentation(Era era) const {
  const std::string revision = revision_of(era);  // empty in the modern era
  json info = server_info();
  if (!options_->title.empty() && (revision.empty() || revision >= kRevisionWithTitles))
    info["title"] = options_->title;
  if (!options_->icon.empty() && (revision.empty() || revision >= kRevisionWithIcons)) {
    json icon = {{"src", options_->icon}, {"mimeType", "image/svg+xml"}};
    icon["sizes"] = json::array({"any"});
    info["icons"] = json::array({std::move(icon)});
  }
  return info;
}

json Connection::complete(Era era, json result) const {
  if (era == Era::Legacy) return result;
  if (!asks_for_input(result)) result["resultType"] = "complete";
  result["_meta"][kMetaServerInfo] = server_info();
  return result;
}

json declared_extension(const json& capabilities, const char* extension) {
  return member(member(capabilities, "extensions"), extension);
}

json progress_token(const json& params) {
  if (!params.contains("_meta") || !params["_meta"].is_object()) return nullptr;
  const json token = params["_meta"].value("progressToken", json());
  return token.is_string() || token.is_number_integer() ? token : json();
}

rpc::RpcError invalid_params(std::string message) {
  return {rpc::kInvalidParams, std::move(message), nullptr};
}

}  // namespace leanbridge::mcp
