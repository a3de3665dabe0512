#include "leanbridge/rpc/line_codec.hpp"

#include <cassert>

namespace leanbridge::rpc {

void LineCodec::feed(std::string_view bytes) {
  buffer_.append(bytes);
}

std::optional<LineCodec::Frame> LineCodec::next() {
  for (;;) {
    const std::size_t newline = buffer_.find('\n', scanned_);
    if (newline == std::string::npos) {
      scanned_ = buffer_.size();
      // One byte more than the limit may still be the `\r` of an acceptable line.
      const bool too_long = scanned_ - taken_ > max_line_ + 1;
      if (skipping_ || too_long) taken_ = scanned_;
      discard_taken();
      if (!too_long || skipping_) return std::nullopt;
      skipping_ = true;
      return Oversize{max_line_};
    }
    std::string_view line = std::string_view(buffer_).substr(taken_, newline - taken_);
    taken_ = scanned_ = newline + 1;
    if (skipping_) {
      skipping_ = false;
      continue;
    }
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty()) continue;
    if (line.size() > max_line_) return Oversize{max_line_};
    return Line{std::string(line)};
  }
}

/// Called only when all complete lines were taken: what is left to move is at most one unfinished line, and
/// it is moved only once, so the total is linear.
void LineCodec::discard_taken() {
  buffer_.erase(0, taken_);
  scanned_ -= taken_;
  taken_ = 0;
  constexpr std::size_t kKeepCapacity = std::size_t{1} << 20U;
  if (buffer_.empty() && buffer_.capacity() > kKeepCapacity)
    buffer_.shrink_to_fit();  // assigning would keep it
}

std::string LineCodec::encode(std::string message) {
  assert(message.find('\n') == std::string::npos);
  message.push_back('\n');
  return message;
}

}  // namespace leanbridge::rpc
