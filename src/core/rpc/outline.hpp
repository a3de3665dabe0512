#pragma once
/// Reads the members of a JSON-RPC message that are needed to route it, without building the rest.

#include "message.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::rpc {

struct MessageOutline {
  std::optional<Id> id;
  std::string method;  ///< empty: it is a response
};

/// The outlines of a line: one, or those of a batch, in order; none if it is not JSON. Agrees with
/// parse_message() on messages that it accepts. Builds no values of other members, so that a long answer
/// costs little.
std::vector<MessageOutline> outlines_of(std::string_view line);

}  // namespace leanbridge::rpc
