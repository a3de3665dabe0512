#pragma once
/// What all transports do with a text that came in.

#include "leanbridge/text/untrusted.hpp"
#include "leanbridge/upstream/transport.hpp"

#include <string>
#include <string_view>

namespace leanbridge::upstream {

/// Bytes of one message from a server. Its answer is written out again to our client, whose queue is bounded
/// by io::OutgoingQueue::kDefaultLimit: several must fit into that.
inline constexpr std::size_t kMaxMessage = 16u << 20;

/// Gives the message, or each element of a batch, to on_message. False where the text is no JSON-RPC message.
inline bool deliver(std::string_view text, const Transport::Events& events) {
  auto message = rpc::parse_message(text);
  if (!message) return false;
  const auto on_message = events.on_message;  // the receiver may let go of the transport and its events
  auto* batch = std::get_if<rpc::Batch>(&*message);
  if (!batch) {
    on_message(std::move(*message));
    return true;
  }
  for (nlohmann::json& element : batch->elements)
    if (auto single = rpc::message_from_json(std::move(element))) on_message(std::move(*single));
  return true;
}

/// What may stand in a message or a log: text::cleaned_line().
inline std::string printable(std::string_view text) {
  return text::cleaned_line(text);
}

/// The same of what a server says, or what is said of it: it may quote what it was given.
inline std::string printable(const ServerConfig& server, std::string_view text) {
  return printable(server.in_written_form(std::string(text)));
}

}  // namespace leanbridge::upstream
