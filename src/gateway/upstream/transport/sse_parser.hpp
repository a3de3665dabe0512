#pragma once
/// Server-sent events (WHATWG HTML, 9.2): bytes in, events out. Sans-I/O.

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace leanbridge::upstream {

struct SseEvent {
  std::string type;  ///< "message" if none was given
  std::string data;  ///< lines joined by `\n`; never empty
};

/// Feed bytes as they arrive, then call next() until it returns nothing. Keeps at most one unfinished event,
/// up to the limit; a larger event is discarded up to its end.
class SseParser {
 public:
  explicit SseParser(std::size_t max_event) : max_event_(max_event) {}

  void feed(std::string_view bytes) { buffer_ += bytes; }
  std::optional<SseEvent> next();
  /// Returns true once after an event above the limit.
  bool take_oversize() { return std::exchange(oversize_, false); }

  /// The id of the last complete event that had one, or "".
  const std::string& last_id() const { return last_id_; }
  /// The delay before reconnecting that the server requested.
  const std::optional<std::chrono::milliseconds>& retry() const { return retry_; }

 private:
  std::optional<std::string_view> next_line();
  void field(std::string_view line);
  void forget();

  std::size_t max_event_;
  std::string buffer_;
  std::size_t taken_ = 0;    // bytes of buffer_ already read
  std::size_t scanned_ = 0;  // bytes after taken_ without a line ending
  bool at_start_ = true;
  bool after_cr_ = false;
  bool skipping_ = false;      // inside an event that was too large
  bool in_long_line_ = false;  // inside a line whose beginning was discarded
  bool oversize_ = false;
  std::string type_, data_, id_;
  bool has_data_ = false;
  std::string last_id_;
  std::optional<std::chrono::milliseconds> retry_;
};

}  // namespace leanbridge::upstream
