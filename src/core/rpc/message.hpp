#pragma once
/// JSON-RPC 2.0 messages: parsing and serialising. Independent of MCP and LSP; no I/O.

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

/// The id of a request: a string or a number, kept with its JSON type, so 0, "0" and 0.0 are three ids.
/// Integers may be any int64 or uint64. Fractions are legal though discouraged in JSON-RPC, and are kept.
/// There is no null id: where an id may be missing, use std::optional<Id>.
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
  /// The id as JSON text, such as `7` or `"seven"`, for logs.
  std::string to_string() const;

  std::size_t hash() const;
  friend bool operator==(const Id&, const Id&) = default;

 private:
  using Value = std::variant<std::int64_t, std::uint64_t, double, std::string>;

  // uint64 only for what int64 cannot hold, so that equal ids compare equal.
  template <std::integral Integer>
  static Value canonical(Integer value) {
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

/// The `result` member of a response. A separate type because json converts to and from nearly everything.
struct Success {
  nlohmann::json result;

  friend bool operator==(const Success&, const Success&) = default;
};

/// `params` is an array, an object, or null if the member is absent (or null).
struct Request {
  Id id;
  std::string method;
  nlohmann::json params;
};

struct Notification {
  std::string method;
  nlohmann::json params;
};

/// A response without an id is an error about a message whose id the peer could not read.
struct Response {
  std::optional<Id> id;
  std::variant<Success, RpcError> outcome;
};

/// A JSON array of messages. Only one MCP revision allows batches, so the owner of the connection decides:
/// pass each element to message_from_json(), or refuse the batch. Its elements may be of any type; an empty
/// batch is an invalid message.
struct Batch {
  std::vector<nlohmann::json> elements;
};

using Message = std::variant<Request, Notification, Response, Batch>;

/// Why a text is not a valid message. If `answerable`, reply with make_error(id, {code, message}). Never
/// answer a malformed response: the peer would read our error as the answer to a request of its own.
struct InvalidMessage {
  int code;             ///< kParseError: not JSON, bad UTF-8, too deep. kInvalidRequest: JSON, not a message.
  std::string message;  ///< one sentence for the log and for the peer
  std::optional<Id> id;
  bool answerable = true;
};

/// Limit on nesting. Copying, comparing and dumping a json recurse, and the peer chooses the depth.
inline constexpr std::size_t kMaxNesting = 512;

/// Parses one message. A message with a `method` is a request (with an id) or a notification (without); only
/// one without a `method` is a response, since ids of the two directions collide. `jsonrpc` must be "2.0".
/// Unknown members are ignored, as is `"error": null` beside a result. Linear in the size of the text; never
/// throws on bad input.
tl::expected<Message, InvalidMessage> parse_message(std::string_view text,
                                                    std::size_t max_nesting = kMaxNesting);

/// Reads a message from parsed JSON, such as an element of a batch; never returns a Batch.
tl::expected<Message, InvalidMessage> message_from_json(nlohmann::json value);

/// Serialisers: compact JSON on a single line, without a line ending. Invalid UTF-8 in a string becomes
/// U+FFFD. Null `params` omits the member, as LSP's `exit` requires.
std::string make_request(const Id& id, std::string_view method, nlohmann::json params);
std::string make_notification(std::string_view method, nlohmann::json params);
std::string make_result(const Id& id, nlohmann::json result);
/// Does the same as make_result() for a result that is JSON text already.
std::string make_result_text(const Id& id, const std::string& result);
/// Without an id the member is omitted, as MCP requires (JSON-RPC would send null).
std::string make_error(const std::optional<Id>& id, RpcError error);

/// Compact JSON with invalid UTF-8 replaced. All JSON that leaves this program is written by this function.
std::string dump(const nlohmann::json& value);

}  // namespace leanbridge::rpc
