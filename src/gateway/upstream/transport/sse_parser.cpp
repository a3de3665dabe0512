#include "sse_parser.hpp"

#include <algorithm>

namespace leanbridge::upstream {

namespace {
constexpr std::size_t kDiscardFrom = 64u << 10;  // bytes already read; the buffer is moved only after so many
constexpr std::size_t kMaxRetryDigits = 8;
}  // namespace

std::optional<std::string_view> SseParser::next_line() {
  if (at_start_) {
    constexpr std::string_view kBom = "\xEF\xBB\xBF";
    const std::string_view begun = std::string_view(buffer_).substr(0, kBom.size());
    if (begun.size() < kBom.size() && kBom.starts_with(begun)) return std::nullopt;
    if (begun == kBom) taken_ = kBom.size();
    at_start_ = false;
  }
  // The `\n` of a `\r\n` may arrive later.
  if (after_cr_ && taken_ < buffer_.size()) {
    if (buffer_[taken_] == '\n') ++taken_;
    after_cr_ = false;
  }
  const std::size_t end = buffer_.find_first_of("\r\n", taken_ + scanned_);
  if (end == std::string::npos) {
    scanned_ = buffer_.size() - taken_;
    if (scanned_ > max_event_) {
      skipping_ = in_long_line_ = true;
      scanned_ = 0;
      taken_ = buffer_.size();
    }
    return std::nullopt;
  }
  const std::string_view line(buffer_.data() + taken_, end - taken_);
  after_cr_ = buffer_[end] == '\r';
  taken_ = end + 1;
  scanned_ = 0;
  return line;
}

std::optional<SseEvent> SseParser::next() {
  std::optional<SseEvent> event;
  while (auto line = next_line()) {
    // The end of a line that was too large, or all of it if it arrived at once: either way the event is
    // discarded.
    if (std::exchange(in_long_line_, false) || line->size() > max_event_) {
      skipping_ = true;
      continue;
    }
    if (!line->empty()) {
      field(*line);
      continue;
    }
    if (skipping_) {
      oversize_ = true;
    } else {
      if (!id_.empty()) last_id_ = id_;
      if (has_data_ && !data_.empty()) event = SseEvent{type_.empty() ? "message" : type_, std::move(data_)};
    }
    forget();
    if (event || oversize_) break;
  }
  if (taken_ == buffer_.size() || taken_ > kDiscardFrom) {
    buffer_.erase(0, taken_);
    taken_ = 0;
  }
  return event;
}

void SseParser::forget() {
  type_.clear();
  data_.clear();
  id_.clear();
  has_data_ = false;
  skipping_ = false;
}

void SseParser::field(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == 0) return;  // a comment
  const std::string_view name = line.substr(0, colon);
  std::string_view value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (name == "data") {
    if (skipping_ || data_.size() + value.size() >= max_event_) {
      skipping_ = true;
      data_.clear();
      return;
    }
    if (has_data_) data_ += '\n';
    data_ += value;
    has_data_ = true;
  } else if (name == "event") {
    type_ = value.substr(0, 256);
  } else if (name == "id") {
    if (value.find('\0') == std::string_view::npos && value.size() <= 4096) id_ = value;
  } else if (name == "retry") {
    const bool digits = !value.empty() && value.size() <= kMaxRetryDigits &&
                        std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; });
    if (digits) retry_ = std::chrono::milliseconds(std::stol(std::string(value)));
  }
}

}  // namespace leanbridge::upstream
