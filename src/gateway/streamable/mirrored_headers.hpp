#pragma once
/// The headers of the modern era that repeat parts of a message, so that proxies can route without reading
/// it. They must agree with the message (streamable-http, Server Validation). Pure.

#include "core/rpc/message.hpp"
#include "http/server.hpp"
#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace leanbridge::streamable {

inline constexpr int kHeaderMismatch = -32020;

/// A header's value, decoded if it has the form `=?base64?...?=`; nullopt if its base64 is wrong.
std::optional<std::string> decoded_value(std::string_view value);

/// How the headers contradict the message; nullopt: they do not. `input_schema`: the called tool's, or null
/// if it is unknown or no tool is called.
std::optional<std::string> header_mismatch(const http::IncomingRequest& head, const rpc::Request& message,
                                           const nlohmann::json& input_schema);

}  // namespace leanbridge::streamable
