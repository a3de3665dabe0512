#include "message.hpp"

#include "core/base/ascii.hpp"
#include "core/base/json.hpp"

#include <cstdint>
#include <utility>

namespace leanbridge::rpc {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxReason = 300;

tl::unexpected<InvalidMessage> invalid(std::string reason, std::optional<Id> id, bool answerable = true) {
  return tl::unexpected(
      InvalidMessage{kInvalidRequest, "Invalid request: " + std::move(reason), std::move(id), answerable});
}

tl::unexpected<InvalidMessage> unparsable(std::string reason) {
  return tl::unexpected(InvalidMessage{kParseError, "Parse error: " + std::move(reason), std::nullopt, true});
}

/// Moves a member out of an object; returns null if there is none.
json take(json& object, const char* name) {
  const auto member = object.find(name);
  return member == object.end() ? json() : std::move(*member);
}

/// Whether a malformed message was meant as a request is unknown; it counts as a response if it has a member
/// of one.
bool is_answerable(const json& object) {
  return object.contains("method") ||
         !(object.contains("id") || object.contains("result") || object.contains("error"));
}

tl::expected<Message, InvalidMessage> call_from_json(json& object, std::optional<Id> id) {
  json method = take(object, "method");
  if (!method.is_string()) return invalid("'method' is not a string.", std::move(id));
  json params = take(object, "params");
  if (!params.is_null() && !params.is_structured())
    return invalid("'params' is neither an object nor an array.", std::move(id));
  auto& name = method.get_ref<std::string&>();
  if (!object.contains("id")) return Notification{std::move(name), std::move(params)};
  if (!id) return invalid("'id' is neither a string nor a number.", std::nullopt);
  return Request{std::move(*id), std::move(name), std::move(params)};
}

/// Lenient: whatever the form of the error, the request that it answers has failed.
RpcError error_from_json(json error) {
  json code = take(error, "code");
  json message = take(error, "message");
  RpcError result;
  if (code.is_number_integer() && std::in_range<int>(code.get<std::int64_t>())) result.code = code.get<int>();
  result.message = message.is_string() ? message.get<std::string>() : std::string("error without a message");
  result.data = take(error, "data");
  return result;
}

tl::expected<Message, InvalidMessage> response_from_json(json& object, std::optional<Id> id) {
  json error = take(object, "error");
  if (error.is_object()) return Response{std::move(id), error_from_json(std::move(error))};
  if (!error.is_null()) return invalid("'error' is not an object.", std::move(id), false);
  if (!object.contains("result") || !id) {
    return invalid("no 'method', and not a response with an 'id' and a 'result' or an 'error'.",
                   std::move(id), is_answerable(object));
  }
  return Response{std::move(id), Success{take(object, "result")}};
}

json envelope(const std::optional<Id>& id) {
  json message{{"jsonrpc", "2.0"}};
  if (id) message["id"] = id->to_json();
  return message;
}

std::string call(const std::optional<Id>& id, std::string_view method, json params) {
  json message = envelope(id);
  message["method"] = method;
  if (!params.is_null()) message["params"] = std::move(params);
  return dump(message);
}

}  // namespace

std::optional<Id> Id::from_json(const json& value) {
  switch (value.type()) {
    case json::value_t::number_integer:
      return Id(value.get<std::int64_t>());
    case json::value_t::number_unsigned:
      return Id(value.get<std::uint64_t>());
    case json::value_t::number_float:
      return Id(value.get<double>());
    case json::value_t::string:
      return Id(value.get<std::string>());
    default:
      return std::nullopt;
  }
}

json Id::to_json() const {
  return std::visit([](const auto& value) { return json(value); }, value_);
}

std::string Id::to_string() const {
  return dump(to_json());
}

std::size_t Id::hash() const {
  return std::hash<Value>{}(value_);
}

tl::expected<Message, InvalidMessage> message_from_json(json value) {
  if (!value.is_object()) return invalid("not an object.", std::nullopt);
  const auto id_member = value.find("id");
  std::optional<Id> id = id_member == value.end() ? std::nullopt : Id::from_json(*id_member);
  const auto version = value.find("jsonrpc");
  if (version == value.end() || *version != "2.0")
    return invalid("'jsonrpc' is not \"2.0\".", std::move(id), is_answerable(value));
  return value.contains("method") ? call_from_json(value, std::move(id))
                                  : response_from_json(value, std::move(id));
}

tl::expected<Message, InvalidMessage> parse_message(std::string_view text, std::size_t max_nesting) {
  if (nests_deeper_than(text, max_nesting))
    return unparsable("nested deeper than " + std::to_string(max_nesting) + " levels.");
  json value;
  try {
    value = json::parse(text);
  } catch (const json::exception& error) {
    return unparsable(
        without_long_numbers(error.what()).substr(0, kMaxReason));  // what() quotes a token of any length
  }
  if (!value.is_array()) return message_from_json(std::move(value));
  if (value.empty()) return invalid("an empty batch.", std::nullopt);
  return Batch{std::move(value.get_ref<json::array_t&>())};
}

std::string make_request(const Id& id, std::string_view method, json params) {
  return call(id, method, std::move(params));
}

std::string make_notification(std::string_view method, json params) {
  return call(std::nullopt, method, std::move(params));
}

std::string make_result(const Id& id, json result) {
  json message = envelope(id);
  message["result"] = std::move(result);
  return dump(message);
}

std::string make_result_text(const Id& id, const std::string& result) {
  return R"({"jsonrpc":"2.0","id":)" + id.to_string() + R"(,"result":)" + result + "}";
}

std::string make_error(const std::optional<Id>& id, RpcError error) {
  json member{{"code", error.code}, {"message", std::move(error.message)}};
  if (!error.data.is_null()) member["data"] = std::move(error.data);
  json message = envelope(id);
  message["error"] = std::move(member);
  return dump(message);
}

std::string dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace leanbridge::rpc
