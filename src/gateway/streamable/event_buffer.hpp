#pragma once
/// The events of one stream that a client may request again, with ids that name their stream (2025-11-25,
/// Resumability and Redelivery). Pure.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leanbridge::streamable {

struct EventId {
  std::uint64_t stream = 0;
  std::uint64_t event = 0;

  /// "STREAM-EVENT", in decimal.
  std::string text() const;
  /// nullopt for anything else.
  static std::optional<EventId> read(std::string_view text);

  friend bool operator==(const EventId&, const EventId&) = default;
};

class EventBuffer {
 public:
  static constexpr std::size_t kMaxEvents = 256;
  static constexpr std::size_t kMaxBytes = std::size_t{1} << 20;

  /// Keeps the newest events within these limits, and always the last one.
  explicit EventBuffer(std::uint64_t stream, std::size_t max_events = kMaxEvents,
                       std::size_t max_bytes = kMaxBytes)
      : stream_(stream), max_events_(max_events), max_bytes_(max_bytes) {}

  /// Adds the event with this JSON (one line), and returns it as it is sent.
  const std::string& add(std::string_view json);
  /// Adds an event without data, so that the client knows an id from the beginning, and how long to wait
  /// before it connects again.
  const std::string& add_priming(int retry_ms);

  /// The number of the newest event; 0: there is none yet.
  std::uint64_t latest() const { return next_ - 1; }
  std::size_t bytes() const { return bytes_; }
  /// The events after `event`; nullopt if some of them are no longer kept, or if there was no such event.
  std::optional<std::vector<std::string>> after(std::uint64_t event) const;
  std::vector<std::string> all() const { return {events_.begin(), events_.end()}; }

 private:
  const std::string& keep(std::string text);

  std::uint64_t stream_;
  std::size_t max_events_, max_bytes_;
  std::deque<std::string> events_;  // the newest is last
  std::uint64_t next_ = 1;
  std::size_t bytes_ = 0;
};

}  // namespace leanbridge::streamable
