#pragma once
/// JSON-RPC 2.0 messages: text to typed message, and back. Knows neither MCP nor LSP, nor any I/O.

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace leanbridge::rpc {

/// A string or a number, kept with its JSON type: 0, "0" and 0.0 are three ids. Integers may be any int64 or
/// uint64. Fractions are legal JSON-RPC though discouraged, and are kept. There is no null id: where an id
/// may be missing, it is std::optional<Id>.
class Id {
 public:
  template <std::integral Integer>
    requires(!std::same_as<Integer, bool> && !std::same_as<Integer, char>)
  explicit Id(Integer value) : value_(canonical(value)) {}
  explicit Id(double value) : value_(value) {}
  explicit Id(std::string value) : value_(std::move(value)) {}
  explicit Id(const char* value) : value_(std::string(value)) {}

  /// nullopt for null, booleans, arrays and objects.
  static std::optional<Id> from_json(const nlohmann::json& json);
  nlohmann::json to_json() const;
  /// As in JSON: `7`, `"seven"`. For logs.
  std::string to_string() const;

  std::size_t hash() const;
  friend bool operator==(const Id&, const Id&) = default;

 private:
  using Value = std::variant<std::int64_t, std::uint64_t, double, std::string>;

  template <std::integral Integer>
  static Value canonical(Integer value) {  // uint64 only for what int64 cannot hold: 1 is one value, not two
    if (std::in_range<std::int64_t>(value)) return static_cast<std::int64_t>(value);
    return static_cast<std::uint64_t>(value);
  }

  Value value_;
};

}  // namespace leanbridge::rpc

template <>
struct std::hash<leanbridge::rpc::Id> {
  std::size_t operator()(const leanbridge::rpc::Id& id) const noexcept { return id.hash(); }
};

namespace leanbridge::rpc {

inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternalError = -32603;
inline constexpr int kRequestCancelled = -32800;  ///< LSP 3.17, LSPErrorCodes
inline constexpr int kContentModified = -32801;   ///< LSP 3.17, LSPErrorCodes

/// The `error` member of a response. `data` is null when there is none.
struct RpcError {
  int code = kInternalError;
  std::string message;
  nlohmann::json data = nullptr;

  friend bool operator==(const RpcError&, const RpcError&) = default;
};

/// The `result` member of a response. A type of its own because json converts to and from nearly everything.
struct Success {
  nlohmann::json result;

  friend bool operator==(const Success&, const Success&) = default;
};

/// `params` is an array, an object, or null when the member is absent (or null).
struct Request {
  Id id;
  std::string method;
  nlohmann::json params;
};

struct Notification {
  std::string method;
  nlohmann::json params;
};

/// Without an id it is an error about a message whose id the peer could not read.
struct Response {
  std::optional<Id> id;
  std::variant<Success, RpcError> outcome;
};

/// A JSON array. Legal only in one MCP revision, so the owner of the connection decides: message_from_json()
/// on each element, or a refusal. Elements may be anything; an empty batch is an invalid message already.
struct Batch {
  std::vector<nlohmann::json> elements;
};

using Message = std::variant<Request, Notification, Response, Batch>;

/// Why a text is no message. To be sent back with make_error(id, {code, message}) if `answerable`: a
/// malformed *response* must not be answered, since the peer would take our error for an answer to its own
/// request.
struct InvalidMessage {
  int code;  ///< kParseError: not JSON, bad UTF-8, too deep. kInvalidRequest: JSON, but no message.
  std::string message;  ///< one sentence for the log and for the peer
  std::optional<Id> id;
  bool answerable = true;
};

/// Deeper values are refused: copying, comparing and dumping a json recurses, and the depth is the peer's
/// choice.
inline constexpr std::size_t kMaxNesting = 512;

/// Reads one message. What has a `method` is a request (with an id) or a notification (without); only what
/// has none is a response: the ids of the two directions collide. `jsonrpc` must be "2.0"; unknown members
/// are ignored, and so is `"error": null` beside a result. Linear in the size of the text, never throws on
/// bad input.
tl::expected<Message, InvalidMessage> parse_message(std::string_view text,
                                                    std::size_t max_nesting = kMaxNesting);

/// The same for a value that is parsed already (an element of a batch); never yields a Batch.
tl::expected<Message, InvalidMessage> message_from_json(nlohmann::json value);

/// Serialisers: compact JSON on a single line, without a line ending. Invalid UTF-8 in any string becomes
/// U+FFFD. `params` null means that the member is left out (LSP's `exit` wants it so).
std::string make_request(const Id& id, std::string_view method, nlohmann::json params);
std::string make_notification(std::string_view method, nlohmann::json params);
std::string make_result(const Id& id, nlohmann::json result);
/// Without an id the member is left out, as MCP wants it (JSON-RPC would say null).
std::string make_error(const std::optional<Id>& id, RpcError error);

/// Compact JSON with invalid UTF-8 replaced: how every json leaves this program.
std::string dump(const nlohmann::json& value);

}  // namespace leanbridge::rpc
