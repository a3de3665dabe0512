#include "incoming.hpp"

#include "leanbridge/base/log.hpp"

namespace leanbridge::upstream {

using nlohmann::json;

bool deliver(std::string_view text, const Transport::Events& events) {
  auto message = rpc::parse_message(text);
  if (!message) return false;
  const auto on_message = events.on_message;  // the receiver may let go of the transport and its events
  auto* batch = std::get_if<rpc::Batch>(&*message);
  if (!batch) {
    on_message(std::move(*message));
    return true;
  }
  for (json& element : batch->elements)
    if (auto single = rpc::message_from_json(std::move(element))) on_message(std::move(*single));
  return true;
}

std::string last_lines(const std::string& text) {
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
