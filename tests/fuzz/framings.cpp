// Both framings of JSON-RPC, and server-sent events: the messages of a stream do not depend on how it is cut
// into pieces.

#include "core/rpc/framing.hpp"
#include "core/text/utf8.hpp"
#include "fuzz.hpp"
#include "gateway/upstream/transport/sse_parser.hpp"

#include <optional>

namespace leanbridge::fuzz {
namespace {

// Small limits, so that inputs of a few kilobytes are below and above them.
constexpr std::size_t kMaxBody = 300;
constexpr std::size_t kMaxLine = 200;
constexpr std::size_t kMaxEvent = 200;

using Pieces = std::vector<std::string_view>;

// --- Content-Length

using Kind = rpc::FramingError::Kind;

struct Bodies {
  std::vector<std::string> bodies;
  std::optional<Kind>
      error;  // Garbage also stands for a header that is too long, since either may be noticed first
  std::string unfinished;

  friend bool operator==(const Bodies&, const Bodies&) = default;
};

Bodies read_bodies(const Pieces& pieces) {
  Bodies all;
  rpc::HeaderCodec codec(kMaxBody);
  for (const std::string_view piece : pieces) {
    codec.feed(piece);
    auto next = codec.next();
    for (; next && *next; next = codec.next()) {
      require((*next)->size() <= kMaxBody, "no body above the limit");
      all.bodies.push_back(std::move(**next));
    }
    if (next) continue;
    const Kind kind = next.error().kind == Kind::HeaderTooLong ? Kind::Garbage : next.error().kind;
    require(!all.error || all.error == kind, "the error stays the same");
    all.error = kind;
    require(!text::first_invalid_byte(next.error().describe()), "an error is valid UTF-8");
  }
  // After an error the result depends on what had arrived by then.
  if (!all.error) all.unfinished = codec.unfinished_excerpt();
  require(!text::first_invalid_byte(codec.unfinished_excerpt()), "an excerpt is valid UTF-8");
  return all;
}

void encode_bodies(const std::vector<std::string_view>& bodies) {
  std::string stream;
  std::size_t count = 0;
  for (const std::string_view body : bodies) {
    if (body.size() > kMaxBody) continue;
    stream += rpc::HeaderCodec::encode(body);
    ++count;
  }
  const Bodies read = read_bodies({stream});
  require(!read.error && read.bodies.size() == count && read.unfinished.empty(), "what was encoded is read");
  std::size_t i = 0;
  for (const std::string_view body : bodies)
    if (body.size() <= kMaxBody) require(read.bodies[i++] == body, "bodies are those that were encoded");
}

// --- lines

using Frames = std::vector<rpc::LineCodec::Frame>;

Frames read_lines(const Pieces& pieces) {
  Frames frames;
  rpc::LineCodec codec(kMaxLine);
  for (const std::string_view piece : pieces) {
    codec.feed(piece);
    while (auto frame = codec.next()) frames.push_back(std::move(*frame));
    require(codec.unfinished_bytes() <= kMaxLine + 1, "it keeps one unfinished line, up to the limit");
  }
  return frames;
}

// The same, written for clarity rather than speed.
Frames lines_of(std::string_view stream) {
  Frames frames;
  while (!stream.empty()) {
    const std::size_t end = stream.find('\n');
    const bool ended = end != std::string_view::npos;
    std::string_view line = stream.substr(0, end);
    if (ended && line.ends_with('\r')) line.remove_suffix(1);
    // One more byte may be the `\r` of a line that has not ended yet.
    if (line.size() > kMaxLine + (ended ? 0 : 1))
      frames.push_back(rpc::LineCodec::Oversize{kMaxLine});
    else if (ended && !line.empty())
      frames.push_back(rpc::LineCodec::Line{std::string(line)});
    if (!ended) break;
    stream.remove_prefix(end + 1);
  }
  return frames;
}

// --- server-sent events

struct Events {
  std::vector<std::pair<std::string, std::string>> events;
  std::string last_id;
  std::optional<std::chrono::milliseconds> retry;
  bool oversize = false;

  friend bool operator==(const Events&, const Events&) = default;
};

Events read_events(const Pieces& pieces) {
  Events all;
  upstream::SseParser parser(kMaxEvent);
  for (const std::string_view piece : pieces) {
    parser.feed(piece);
    bool oversize = false;
    do {  // the reader pauses after an event that was too large
      while (auto event = parser.next()) {
        require(!event->data.empty() && !event->type.empty(), "an event has data and a type");
        require(event->data.size() <= kMaxEvent, "no event above the limit");
        all.events.emplace_back(std::move(event->type), std::move(event->data));
      }
      oversize = parser.take_oversize();
      all.oversize = all.oversize || oversize;
    } while (oversize);
  }
  all.last_id = parser.last_id();
  all.retry = parser.retry();
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view stream = text_of(data, size);
  Choices choices(stream);
  const Pieces pieces = cut(stream, choices);
  const Pieces bytes = bytes_of(stream);

  const Bodies bodies = read_bodies({stream});
  require(read_bodies(pieces) == bodies && read_bodies(bytes) == bodies,
          "bodies do not depend on the chunks");
  encode_bodies(parts_of(stream));

  const Frames frames = lines_of(stream);
  require(read_lines({stream}) == frames, "lines are what stands between line feeds");
  require(read_lines(pieces) == frames && read_lines(bytes) == frames, "lines do not depend on the chunks");

  const Events events = read_events({stream});
  require(read_events(pieces) == events && read_events(bytes) == events,
          "events do not depend on the chunks");
  return 0;
}

}  // namespace leanbridge::fuzz
