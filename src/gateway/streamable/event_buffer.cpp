#include "event_buffer.hpp"

#include <charconv>

namespace leanbridge::streamable {

std::string EventId::text() const {
  return std::to_string(stream) + "-" + std::to_string(event);
}

std::optional<EventId> EventId::read(std::string_view text) {
  EventId id;
  const char* const last = text.data() + text.size();
  const auto stream = std::from_chars(text.data(), last, id.stream);
  if (stream.ec != std::errc() || stream.ptr == last || *stream.ptr != '-') return std::nullopt;
  const auto event = std::from_chars(stream.ptr + 1, last, id.event);
  if (event.ec != std::errc() || event.ptr != last) return std::nullopt;
  return id;
}

const std::string& EventBuffer::keep(std::string text) {
  bytes_ += text.size();
  events_.push_back(std::move(text));
  ++next_;
  while (events_.size() > 1 && (events_.size() > max_events_ || bytes_ > max_bytes_)) {
    bytes_ -= events_.front().size();
    events_.pop_front();
  }
  return events_.back();
}

const std::string& EventBuffer::add(std::string_view json) {
  std::string text = "id: " + EventId{stream_, next_}.text() + "\nevent: message\ndata: ";
  text += json;
  text += "\n\n";
  return keep(std::move(text));
}

const std::string& EventBuffer::add_priming(int retry_ms) {
  return keep("id: " + EventId{stream_, next_}.text() + "\nretry: " + std::to_string(retry_ms) +
              "\ndata: \n\n");
}

std::optional<std::vector<std::string>> EventBuffer::after(std::uint64_t event) const {
  const std::uint64_t oldest = next_ - events_.size();
  if (event >= next_ || event + 1 < oldest) return std::nullopt;
  const auto first = events_.begin() + static_cast<std::ptrdiff_t>(event + 1 - oldest);
  return std::vector<std::string>(first, events_.end());
}

}  // namespace leanbridge::streamable
