#pragma once
/// Handles incoming text for all transports.

#include "core/text/untrusted.hpp"
#include "gateway/upstream/transport.hpp"

#include <string>
#include <string_view>

namespace leanbridge::upstream {

/// The largest message from a server, in bytes. Its answer is serialised again for our client, whose queue
/// (io::OutgoingQueue::kDefaultLimit) must hold several.
inline constexpr std::size_t kMaxMessage = 16u << 20;

/// Passes the message, or each element of a batch, to on_message. False if the text is not a JSON-RPC
/// message.
inline bool deliver(std::string_view text, const Transport::Events& events) {
  auto message = rpc::parse_message(text);
  if (!message) return false;
  const auto on_message = events.on_message;  // the receiver may release the transport and its events
  auto* batch = std::get_if<rpc::Batch>(&*message);
  if (!batch) {
    on_message(std::move(*message));
    return true;
  }
  for (nlohmann::json& element : batch->elements)
    if (auto single = rpc::message_from_json(std::move(element))) on_message(std::move(*single));
  return true;
}

/// A text made safe for a message or a log: text::cleaned_line().
inline std::string printable(std::string_view text) {
  return text::cleaned_line(text);
}

/// The beginning of a text that may be long.
inline std::string shown(std::string_view text) {
  return printable(text.substr(0, 200));
}

/// printable() for text by or about a server, which may quote the server's configuration.
inline std::string printable(const ServerConfig& server, std::string_view text) {
  return printable(server.in_written_form(std::string(text)));
}

/// The end of a text: at most 3 lines and 600 bytes.
inline std::string last_lines(const std::string& text) {
  constexpr int kLines = 3;
  constexpr std::size_t kBytes = 600;
  std::size_t end = text.find_last_not_of("\r\n ");
  if (end == std::string::npos) return "";
  std::size_t start = end + 1;
  for (int lines = 0; start > 0 && end + 1 - start < kBytes; --start)
    if (text[start - 1] == '\n' && ++lines == kLines) break;
  return text.substr(start, end + 1 - start);
}

}  // namespace leanbridge::upstream
