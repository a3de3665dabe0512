#pragma once
/// The two framings of JSON-RPC on a byte stream: LSP's base protocol (`Content-Length: N\r\n\r\n` and N
/// bytes) and MCP over stdio (one message per line).

#include <tl/expected.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace leanbridge::rpc {

/// Why a stream cannot be read any further.
struct FramingError {
  enum class Kind {
    Garbage,        ///< something else than a header block, typically a program printing text to stdout
    HeaderTooLong,  ///< a header block that does not end
    BodyTooLarge,   ///< a declared length above the limit
  };
  Kind kind;
  std::string excerpt;  ///< the beginning of the offending bytes, valid UTF-8, from at most kMaxExcerpt bytes

  /// One sentence that quotes the excerpt.
  std::string describe() const;

  friend bool operator==(const FramingError&, const FramingError&) = default;
};

/// Splits a byte stream into bodies. Feed bytes as they come, then take bodies until there is none. Not
/// thread-safe. Linear in the number of bytes whatever the chunks. Header names in any case; other headers
/// are ignored; every header line ends in `\r\n`. There is no resynchronisation: after the first error the
/// codec stays failed, takes no more bytes and returns the same error, because a stream that lost its place
/// can only be restarted.
class HeaderCodec {
 public:
  static constexpr std::size_t kDefaultMaxBody = std::size_t{256} << 20U;
  static constexpr std::size_t kMaxHeaderBlock = 8192;
  static constexpr std::size_t kMaxExcerpt = 400;

  /// `max_body`: greatest body in bytes.
  explicit HeaderCodec(std::size_t max_body = kDefaultMaxBody) : max_body_(max_body) {}

  void feed(std::string_view bytes);
  /// The next body; an empty optional: feed more.
  tl::expected<std::optional<std::string>, FramingError> next();

  /// Beginning of the bytes that belong to no complete message, valid UTF-8: at the end of the stream, what a
  /// program said before it died. Empty when the stream ended between two messages.
  std::string unfinished_excerpt() const;

  static std::string encode(std::string_view body);

 private:
  enum class Header { Incomplete, Complete };
  tl::expected<Header, FramingError> read_header();
  tl::expected<void, FramingError> read_header_line(std::string_view line);
  void discard_taken();
  tl::unexpected<FramingError> fail(FramingError::Kind kind);

  std::size_t max_body_;
  std::string buffer_;
  std::size_t taken_ = 0;       // bytes of buffer_ that belong to messages already returned
  std::size_t line_start_ = 0;  // inside a header block: start of the line being read
  std::size_t scanned_ = 0;     // inside a header block: bytes known to hold no `\n` after line_start_
  std::optional<std::size_t> declared_length_;  // from this block's Content-Length
  bool in_body_ = false;                        // the block is complete; the body starts at line_start_
  std::optional<FramingError> error_;
};

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
