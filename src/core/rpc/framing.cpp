#include "framing.hpp"

#include "message.hpp"
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <utility>

namespace leanbridge::rpc {
namespace {

/// Whether it may be in the name of a header (RFC 9110, section 5.6.2).
bool is_token_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool equals_ignoring_case(std::string_view a, std::string_view lower) {
  return std::equal(a.begin(), a.end(), lower.begin(), lower.end(), [](char x, char y) {
    return (x >= 'A' && x <= 'Z' ? static_cast<char>(x - 'A' + 'a') : x) == y;
  });
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string as_utf8(std::string_view bytes) {
  // Serialises and parses again: dump() replaces invalid bytes.
  return nlohmann::json::parse(dump(nlohmann::json(bytes))).get<std::string>();
}

std::string excerpt_of(std::string_view bytes) {
  return as_utf8(bytes.substr(0, HeaderCodec::kMaxExcerpt));
}

/// Where `Content-Length: N\r` begins at the end of a line without its `\n`: the last line of printed text
/// need not have ended before the server begins to speak.
std::optional<std::size_t> header_at_the_end(std::string_view line) {
  if (!line.ends_with('\r')) return std::nullopt;
  line.remove_suffix(1);
  constexpr std::string_view kName = "content-length";
  const std::size_t colon = line.rfind(':');
  if (colon == std::string_view::npos || colon < kName.size()) return std::nullopt;
  const std::string_view length = trimmed(line.substr(colon + 1));
  const bool is_number = !length.empty() && length.find_first_not_of("0123456789") == std::string_view::npos;
  const std::size_t begin = colon - kName.size();
  if (!is_number || !equals_ignoring_case(line.substr(begin, kName.size()), kName)) return std::nullopt;
  return begin;
}

}  // namespace

std::string FramingError::describe() const {
  switch (kind) {
    case Kind::Garbage:
      return "expected a message header but read: " + excerpt;
    case Kind::HeaderTooLong:
      return "a message header does not end: " + excerpt;
    case Kind::BodyTooLarge:
      return "a message is larger than allowed: " + excerpt;
  }
  return excerpt;
}

void HeaderCodec::feed(std::string_view bytes) {
  if (!error_) buffer_.append(bytes);
}

tl::expected<std::optional<std::string>, FramingError> HeaderCodec::next() {
  if (error_) return tl::unexpected(*error_);
  if (in_preamble_) {
    const auto over = skip_preamble();
    if (!over) return tl::unexpected(over.error());
    if (!*over) return std::nullopt;
  }
  if (!in_body_) {
    const auto header = read_header();
    if (!header) return tl::unexpected(header.error());
    if (*header == Header::Incomplete) {
      discard_taken();
      return std::nullopt;
    }
    in_body_ = true;
  }
  if (buffer_.size() - line_start_ < *declared_length_) {
    discard_taken();
    return std::nullopt;
  }
  std::string body = buffer_.substr(line_start_, *declared_length_);
  taken_ = line_start_ = scanned_ = line_start_ + *declared_length_;
  declared_length_.reset();
  in_body_ = false;
  return body;
}

/// Returns true once a header begins.
tl::expected<bool, FramingError> HeaderCodec::skip_preamble() {
  std::size_t start = 0;
  for (std::size_t newline; (newline = buffer_.find('\n', std::max(start, scanned_))) != std::string::npos;) {
    const auto header = header_at_the_end(std::string_view(buffer_).substr(start, newline - start));
    if (header) {
      skip(start + *header);
      in_preamble_ = false;
      return true;
    }
    start = newline + 1;
  }
  // A progress bar is one line without an end: keeps only the part of it that may still contain a header.
  const std::size_t unfinished = buffer_.size() - start;
  skip(unfinished > 2 * kMaxHeaderBlock ? buffer_.size() - kMaxHeaderBlock : start);
  scanned_ = buffer_.size();
  if (skipped_ > kMaxPreamble) {
    buffer_ = std::exchange(preamble_end_, {}) + buffer_;
    return fail(FramingError::Kind::Garbage);
  }
  return false;
}

void HeaderCodec::skip(std::size_t bytes) {
  preamble_end_.append(buffer_, 0, bytes);
  if (preamble_end_.size() > kMaxExcerpt) preamble_end_.erase(0, preamble_end_.size() - kMaxExcerpt);
  buffer_.erase(0, bytes);
  skipped_ += bytes;
  scanned_ = 0;
}

/// Call it only after all complete messages were taken: the rest is part of one message and is moved only
/// once, so the total cost is linear.
void HeaderCodec::discard_taken() {
  buffer_.erase(0, taken_);
  line_start_ -= taken_;
  scanned_ -= taken_;
  taken_ = 0;
  constexpr std::size_t kKeepCapacity = std::size_t{1} << 20U;
  if (buffer_.empty() && buffer_.capacity() > kKeepCapacity)
    buffer_.shrink_to_fit();  // assigning an empty string would keep the memory
}

tl::expected<HeaderCodec::Header, FramingError> HeaderCodec::read_header() {
  for (;;) {
    const std::size_t newline = buffer_.find('\n', scanned_);
    const std::size_t known_end = newline == std::string::npos ? buffer_.size() : newline;
    if (known_end - taken_ > kMaxHeaderBlock) return fail(FramingError::Kind::HeaderTooLong);
    if (newline == std::string::npos) {
      scanned_ = buffer_.size();
      // If it cannot be a header name, fail now rather than wait for a line end that may never come.
      const std::string_view begun = std::string_view(buffer_).substr(line_start_);
      if (!begun.empty() && begun.front() != '\r' && !is_token_char(begun.front()))
        return fail(FramingError::Kind::Garbage);
      return Header::Incomplete;
    }
    std::string_view line = std::string_view(buffer_).substr(line_start_, newline - line_start_);
    if (line.empty() || line.back() != '\r') return fail(FramingError::Kind::Garbage);
    line.remove_suffix(1);
    if (!line.empty()) {
      if (auto ok = read_header_line(line); !ok) return tl::unexpected(ok.error());
    }
    line_start_ = scanned_ = newline + 1;
    if (line.empty()) {
      if (!declared_length_) return fail(FramingError::Kind::Garbage);
      return Header::Complete;
    }
  }
}

tl::expected<void, FramingError> HeaderCodec::read_header_line(std::string_view line) {
  const std::size_t colon = line.find(':');
  const std::string_view name = line.substr(0, std::min(colon, line.size()));
  const bool is_header =
      colon != std::string_view::npos && !name.empty() && std::ranges::all_of(name, is_token_char);
  if (!is_header) return fail(FramingError::Kind::Garbage);
  if (!equals_ignoring_case(name, "content-length")) return {};

  const std::string_view digits = trimmed(line.substr(colon + 1));
  std::size_t length = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), length);
  const bool is_number =
      !digits.empty() && end == digits.data() + digits.size() && status != std::errc::invalid_argument;
  if (!is_number || (declared_length_ && *declared_length_ != length))
    return fail(FramingError::Kind::Garbage);
  if (status == std::errc::result_out_of_range || length > max_body_)
    return fail(FramingError::Kind::BodyTooLarge);
  declared_length_ = length;
  return {};
}

tl::unexpected<FramingError> HeaderCodec::fail(FramingError::Kind kind) {
  error_ = FramingError{kind, excerpt_of(std::string_view(buffer_).substr(taken_))};
  buffer_.clear();
  buffer_.shrink_to_fit();
  taken_ = line_start_ = scanned_ = 0;
  return tl::unexpected(*error_);
}

std::string HeaderCodec::unfinished_excerpt() const {
  if (in_preamble_) return preamble_excerpt();
  return excerpt_of(std::string_view(buffer_).substr(taken_));
}

std::string HeaderCodec::preamble_excerpt() const {
  std::string text = preamble_end_ + (in_preamble_ ? buffer_ : std::string());
  while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
  if (text.size() > kMaxExcerpt) text.erase(0, text.size() - kMaxExcerpt);
  return as_utf8(text);
}

std::string HeaderCodec::encode(std::string_view body) {
  std::string message = "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
  message.append(body);
  return message;
}

// ---- LineCodec

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

/// Call it only after all complete lines were taken: the rest is at most one unfinished line and is moved
/// only once, so the total cost is linear.
void LineCodec::discard_taken() {
  buffer_.erase(0, taken_);
  scanned_ -= taken_;
  taken_ = 0;
  constexpr std::size_t kKeepCapacity = std::size_t{1} << 20U;
  if (buffer_.empty() && buffer_.capacity() > kKeepCapacity)
    buffer_.shrink_to_fit();  // assigning an empty string would keep the memory
}

std::string LineCodec::encode(std::string message) {
  assert(message.find('\n') == std::string::npos);
  message.push_back('\n');
  return message;
}

}  // namespace leanbridge::rpc
