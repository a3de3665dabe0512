#pragma once
/// What it takes to route a JSON-RPC message without reading all of it.

#include "message.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::rpc {

struct MessageOutline {
  std::optional<Id> id;
  std::string method;  ///< empty: a response
};

/// The outlines of a line: one, or those of a batch, in order; none if it is not JSON. Says what
/// parse_message() says, where that accepts the message. Builds nothing of the rest, so that a long answer
/// costs little.
std::vector<MessageOutline> outlines_of(std::string_view line);

}  // namespace leanbridge::rpc
