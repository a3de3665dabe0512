// An MCP session that gets arbitrary lines answers each request once, with valid JSON-RPC.

#include "core/base/json.hpp"
#include "core/rpc/outline.hpp"
#include "served.hpp"

#include <map>

namespace leanbridge::fuzz {
namespace {

using nlohmann::json;

struct Tally {
  int mentioned = 0;  // objects with this id
  int requests = 0;   // those of them that are valid requests
  int answers = 0;    // sent
  bool open = false;  // cancelled, or a request that stays open: needs no answer
};

// Keeps what was said in both directions, by id.
class Conversation {
 public:
  void heard(std::string_view line) {
    const json value = json::parse(line, nullptr, false);
    if (value.is_object()) return heard_message(value);
    if (!value.is_array() || revision_ != mcp::kRevisionWithBatches) return;
    for (const json& element : value)
      if (element.is_object()) heard_message(element);
  }

  void said(const std::string& text) {
    require(text.find('\n') == std::string::npos, "a message is one line");
    const json message = json::parse(text, nullptr, false);
    require(message.is_object() && text_member(message, "jsonrpc") == "2.0", "what is sent is JSON-RPC");
    if (message.contains("method")) {
      require(!message.contains("id") && message["method"].is_string(), "the session asks nothing");
      return;
    }
    require(message.contains("result") != message.contains("error"), "an answer has a result or an error");
    if (message.contains("error"))
      require(message["error"]["code"].is_number_integer() && message["error"]["message"].is_string(),
              "an error has a code and a message");
    else if (message["result"].is_object() && message["result"].contains("protocolVersion"))
      revision_ = text_member(message["result"], "protocolVersion");
    if (message.contains("id")) ++ids_[message["id"].dump()].answers;
  }

  void check() const {
    for (const auto& [id, tally] : ids_) {
      require(tally.answers <= tally.mentioned, "nothing is answered twice");
      require(tally.open || tally.answers >= tally.requests, "every request is answered");
    }
  }

 private:
  void heard_message(const json& message) {
    const std::string method = text_member(message, "method");
    const json params = message.value("params", json());
    if (method == "notifications/cancelled" && params.is_object() && params.contains("requestId"))
      ids_[key(params["requestId"])].open = true;
    if (!message.contains("id") || !(message["id"].is_string() || message["id"].is_number())) return;
    Tally& tally = ids_[key(message["id"])];
    ++tally.mentioned;
    tally.open = tally.open || method == "subscriptions/listen";
    const bool well_formed = message.contains("method") && message["method"].is_string() &&
                             message.value("jsonrpc", json()) == "2.0" &&
                             (params.is_null() || params.is_structured());
    if (well_formed) ++tally.requests;
  }
  static std::string key(const json& id) { return id.dump(-1, ' ', false, json::error_handler_t::replace); }

  std::map<std::string, Tally> ids_;
  std::string revision_;
};

// A relay routes by outlines: they must say what the server will read.
void check_outlines(std::string_view line) {
  const auto message = rpc::parse_message(line);
  if (!message || std::holds_alternative<rpc::Batch>(*message)) return;
  const auto outlines = rpc::outlines_of(line);
  require(outlines.size() == 1, "a message has one outline");
  const auto is = [&](const std::optional<rpc::Id>& id, const std::string& method) {
    return outlines[0].id == id && outlines[0].method == method;
  };
  if (const auto* request = std::get_if<rpc::Request>(&*message))
    require(is(request->id, request->method), "the outline of a request");
  else if (const auto* notification = std::get_if<rpc::Notification>(&*message))
    require(is(std::nullopt, notification->method), "the outline of a notification");
  else
    require(is(std::get<rpc::Response>(*message).id, ""), "the outline of a response");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view lines = text_of(data, size);
  if (too_deep(lines)) return 0;  // refused before the id is read; the unit tests cover that
  asio::io_context context{1};
  waits = std::make_shared<Waits>();
  Conversation conversation;
  const auto session = std::make_shared<mcp::Session>(
      context, registry(), options(), [&](std::string&& text) { conversation.said(text); }, [] {});
  while (!lines.empty()) {
    const std::string_view line = next_line(lines);
    check_outlines(line);
    conversation.heard(line);
    asio::post(context, [&] { session->receive(line); });
    settle(context);
  }
  waits->ended = true;
  waits->changed.notify_all();
  settle(context);
  conversation.check();
  session->close();
  settle(context);
  require(session->calls_under_way() == 0, "no call is left at the end");
  return 0;
}

}  // namespace leanbridge::fuzz
