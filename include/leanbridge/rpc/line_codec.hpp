#pragma once
/// One message per line: the framing of MCP over stdio.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace leanbridge::rpc {

/// Splits a byte stream into lines. Feed bytes as they come, then take frames until there is none. Not
/// thread-safe. Linear in the number of bytes whatever the chunks; keeps at most one unfinished line (up to
/// the limit), plus what was fed and not yet taken. Knows nothing of JSON or UTF-8: that is parse_message().
class LineCodec {
 public:
  struct Line {
    std::string text;  ///< without `\n` or `\r\n`; never empty

    friend bool operator==(const Line&, const Line&) = default;
  };
  /// A line longer than the limit. It is thrown away up to its end, and the stream goes on with the next one.
  struct Oversize {
    std::size_t limit = 0;

    friend bool operator==(const Oversize&, const Oversize&) = default;
  };
  using Frame = std::variant<Line, Oversize>;

  static constexpr std::size_t kDefaultMaxLine = std::size_t{64} << 20U;

  /// `max_line`: greatest length in bytes of a line, its ending not counted.
  explicit LineCodec(std::size_t max_line = kDefaultMaxLine) : max_line_(max_line) {}

  void feed(std::string_view bytes);
  /// The next frame; nullopt: feed more. Empty lines are skipped. An Oversize is reported as soon as it is
  /// known.
  std::optional<Frame> next();

  /// Bytes received that belong to no complete line: at the end of the stream, a truncated message.
  std::size_t unfinished_bytes() const { return buffer_.size() - taken_; }

  /// The message and `\n`. Precondition: no `\n` inside (a compact JSON text has none; asserted).
  static std::string encode(std::string message);

 private:
  void discard_taken();

  std::size_t max_line_;
  std::string buffer_;
  std::size_t taken_ = 0;    // bytes of buffer_ already returned or thrown away
  std::size_t scanned_ = 0;  // bytes of buffer_ known to hold no `\n` after taken_
  bool skipping_ = false;    // inside an oversized line already reported
};

}  // namespace leanbridge::rpc
