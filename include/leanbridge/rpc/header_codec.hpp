#pragma once
/// `Content-Length: N\r\n\r\n` and N bytes: the framing of LSP's base protocol.

#include <tl/expected.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

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

}  // namespace leanbridge::rpc
