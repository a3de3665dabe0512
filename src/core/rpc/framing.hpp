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
    Garbage,        ///< no header block; typically a program printing text to stdout
    HeaderTooLong,  ///< a header block without an end
    BodyTooLarge,   ///< a declared length above the limit
  };
  Kind kind;
  std::string excerpt;  ///< the first kMaxExcerpt of the offending bytes, as valid UTF-8

  /// One sentence that quotes the excerpt.
  std::string describe() const;

  friend bool operator==(const FramingError&, const FramingError&) = default;
};

/// Splits a byte stream into message bodies. Feed bytes as they arrive, then call next() until it returns
/// nothing. Not thread-safe. Linear in the number of bytes however they are chunked. Header names may be in
/// any case; headers other than Content-Length are ignored; every header line ends in `\r\n`. There is no
/// resynchronisation: after the first error the codec stays failed, accepts no more bytes and returns the
/// same error, because only a restart can recover a stream that has lost its place.
///
/// A program may print text before it begins to speak: with Preamble::Skip, everything before the first
/// `Content-Length: N\r\n` is skipped, up to kMaxPreamble bytes. After that the rule is strict.
class HeaderCodec {
 public:
  static constexpr std::size_t kDefaultMaxBody = std::size_t{256} << 20U;
  static constexpr std::size_t kMaxHeaderBlock = 8192;
  static constexpr std::size_t kMaxExcerpt = 400;
  static constexpr std::size_t kMaxPreamble = std::size_t{16} << 20U;
  enum class Preamble { Refuse, Skip };

  /// `max_body`: largest body, in bytes.
  explicit HeaderCodec(std::size_t max_body = kDefaultMaxBody, Preamble preamble = Preamble::Refuse)
      : max_body_(max_body), in_preamble_(preamble == Preamble::Skip) {}

  void feed(std::string_view bytes);
  /// The next body, or an empty optional if more bytes are needed.
  tl::expected<std::optional<std::string>, FramingError> next();

  /// The beginning of the bytes after the last complete message, as valid UTF-8: at the end of the stream,
  /// the last words of a program that died. Empty if the stream ended between two messages.
  std::string unfinished_excerpt() const;
  /// The end of the text before the first header, as valid UTF-8 without the last line break.
  std::string preamble_excerpt() const;

  static std::string encode(std::string_view body);

 private:
  enum class Header { Incomplete, Complete };
  tl::expected<bool, FramingError> skip_preamble();
  void skip(std::size_t bytes);
  tl::expected<Header, FramingError> read_header();
  tl::expected<void, FramingError> read_header_line(std::string_view line);
  void discard_taken();
  tl::unexpected<FramingError> fail(FramingError::Kind kind);

  std::size_t max_body_;
  std::string buffer_;
  std::size_t taken_ = 0;                       // bytes of buffer_ in messages already returned
  std::size_t line_start_ = 0;                  // inside a header block: start of the line being read
  std::size_t scanned_ = 0;                     // inside a header block: no `\n` between line_start_ and here
  std::optional<std::size_t> declared_length_;  // from the Content-Length of this block
  bool in_body_ = false;                        // the block is complete; the body starts at line_start_
  bool in_preamble_;                            // no header yet, and text before it is skipped
  std::size_t skipped_ = 0;                     // bytes of the preamble
  std::string preamble_end_;                    // the last bytes of the preamble
  std::optional<FramingError> error_;
};

/// Splits a byte stream into lines. Feed bytes as they arrive, then call next() until it returns nothing. Not
/// thread-safe. Linear in the number of bytes however they are chunked; keeps at most one unfinished line (up
/// to the limit) plus the bytes that were fed and not yet taken. Checks neither JSON nor UTF-8:
/// parse_message() does.
class LineCodec {
 public:
  struct Line {
    std::string text;  ///< without `\n` or `\r\n`; never empty

    friend bool operator==(const Line&, const Line&) = default;
  };
  /// A line longer than the limit. It is discarded up to its end; the next line is read normally.
  struct Oversize {
    std::size_t limit = 0;

    friend bool operator==(const Oversize&, const Oversize&) = default;
  };
  using Frame = std::variant<Line, Oversize>;

  static constexpr std::size_t kDefaultMaxLine = std::size_t{64} << 20U;

  /// `max_line`: longest line in bytes, without its ending.
  explicit LineCodec(std::size_t max_line = kDefaultMaxLine) : max_line_(max_line) {}

  void feed(std::string_view bytes);
  /// The next frame, or nullopt if more bytes are needed. Empty lines are skipped. An Oversize is reported as
  /// soon as it is detected.
  std::optional<Frame> next();

  /// Bytes received after the last complete line: at the end of the stream, a truncated message.
  std::size_t unfinished_bytes() const { return buffer_.size() - taken_; }

  /// The message followed by `\n`. Precondition (asserted): the message contains no `\n`, as compact JSON
  /// never does.
  static std::string encode(std::string message);

 private:
  void discard_taken();

  std::size_t max_line_;
  std::string buffer_;
  std::size_t taken_ = 0;    // bytes of buffer_ already returned or discarded
  std::size_t scanned_ = 0;  // no `\n` between taken_ and here
  bool skipping_ = false;    // inside an oversized line that was reported
};

}  // namespace leanbridge::rpc
