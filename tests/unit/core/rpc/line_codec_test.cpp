#include "core/rpc/framing.hpp"
#include <catch2/catch.hpp>

#include <random>
#include <vector>

namespace leanbridge::rpc {
namespace {

using Line = LineCodec::Line;
using Oversize = LineCodec::Oversize;
using Frames = std::vector<LineCodec::Frame>;

void drain(LineCodec& codec, Frames& frames) {
  while (auto frame = codec.next()) frames.push_back(std::move(*frame));
}

Frames decode_lines(std::initializer_list<std::string_view> chunks,
                    std::size_t max_line = LineCodec::kDefaultMaxLine) {
  LineCodec codec(max_line);
  Frames frames;
  for (const std::string_view chunk : chunks) {
    codec.feed(chunk);
    drain(codec, frames);
  }
  return frames;
}

}  // namespace

TEST_CASE("lines end in LF or CRLF, and empty ones are skipped", "[rpc]") {
  CHECK(decode_lines({"one\ntwo\r\n\n\r\nthree\n"}) == Frames{Line{"one"}, Line{"two"}, Line{"three"}});
  CHECK(decode_lines({"a\rb\n"}) == Frames{Line{"a\rb"}});
  CHECK(decode_lines({"unfinished"}).empty());
  CHECK(decode_lines({""}).empty());
  CHECK(decode_lines({"bad \xFF utf-8\n"}) == Frames{Line{"bad \xFF utf-8"}});  // another layer checks that
}

TEST_CASE("every split of a line stream gives the same lines", "[rpc]") {
  const std::string stream = "{\"a\":1}\n\r\n{\"∀\":\"𝓝\"}\r\n\nlast line too long\nx\n";
  const Frames expected{Line{"{\"a\":1}"}, Line{"{\"∀\":\"𝓝\"}"}, Oversize{14}, Line{"x"}};
  const std::string_view view = stream;
  for (std::size_t i = 0; i <= view.size(); ++i) {
    CAPTURE(i);
    REQUIRE(decode_lines({view.substr(0, i), view.substr(i)}, 14) == expected);
    for (std::size_t j = i; j <= view.size(); ++j) {
      REQUIRE(decode_lines({view.substr(0, i), view.substr(i, j - i), view.substr(j)}, 14) == expected);
    }
  }
  LineCodec codec(14);
  Frames frames;
  for (const char c : stream) {
    codec.feed({&c, 1});
    drain(codec, frames);
  }
  CHECK(frames == expected);
}

TEST_CASE("the limit counts the line without its ending", "[rpc]") {
  CHECK(decode_lines({"1234\n"}, 4) == Frames{Line{"1234"}});
  CHECK(decode_lines({"1234\r\n"}, 4) == Frames{Line{"1234"}});
  CHECK(decode_lines({"1234\r", "\n"}, 4) == Frames{Line{"1234"}});
  CHECK(decode_lines({"12345\n"}, 4) == Frames{Oversize{4}});
  CHECK(decode_lines({"12345", "\nok\n"}, 4) == Frames{Oversize{4}, Line{"ok"}});
  CHECK(decode_lines({"12345678", "9999", "99\r", "\nok\n"}, 4) == Frames{Oversize{4}, Line{"ok"}});
  CHECK(decode_lines({"12345678\n12345678\n"}, 4) == Frames{Oversize{4}, Oversize{4}});
}

TEST_CASE("an oversized line is reported early and not kept", "[rpc]") {
  LineCodec codec(1000);
  codec.feed(std::string(2000, 'x'));
  CHECK(codec.next() == LineCodec::Frame(Oversize{1000}));
  for (int i = 0; i < 100; ++i) {
    codec.feed(std::string(2000, 'x'));
    CHECK_FALSE(codec.next().has_value());
    CHECK(codec.unfinished_bytes() == 0);
  }
  codec.feed("\nnext\npart");
  CHECK(codec.next() == LineCodec::Frame(Line{"next"}));
  CHECK_FALSE(codec.next().has_value());
  CHECK(codec.unfinished_bytes() == 4);
}

TEST_CASE("a line of 64 MB in small chunks takes linear time", "[rpc]") {
  LineCodec codec;
  const std::string chunk(std::size_t{64} << 10U, 'y');
  codec.feed("first\n");  // so that there is something to move away
  for (int i = 0; i < 1023; ++i) {
    codec.feed(chunk);
    if (i == 0) CHECK(codec.next() == LineCodec::Frame(Line{"first"}));
    REQUIRE_FALSE(codec.next().has_value());
  }
  codec.feed("\n");
  const auto frame = codec.next();
  REQUIRE(frame.has_value());
  CHECK(std::get<Line>(*frame).text.size() == 1023 * chunk.size());
  CHECK_FALSE(codec.next().has_value());
}

TEST_CASE("random lines in random chunks", "[rpc][property]") {
  std::mt19937 engine(5);
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(engine);
  };
  for (int round = 0; round < 200; ++round) {
    std::string stream;
    Frames expected;
    for (std::size_t n = below(20); n > 0; --n) {
      const std::string line(below(60), static_cast<char>('a' + below(26)));
      stream += line + (below(2) == 0 ? "\n" : "\r\n");
      if (line.size() > 40)
        expected.emplace_back(Oversize{40});
      else if (!line.empty())
        expected.emplace_back(Line{line});
    }
    LineCodec codec(40);
    Frames frames;
    for (std::size_t at = 0; at < stream.size();) {
      const std::size_t size = std::min(1 + below(50), stream.size() - at);
      codec.feed(std::string_view(stream).substr(at, size));
      at += size;
      if (below(3) != 0) drain(codec, frames);
    }
    drain(codec, frames);
    CAPTURE(stream);
    REQUIRE(frames == expected);
  }
}

TEST_CASE("encode ends the message by one LF", "[rpc]") {
  CHECK(LineCodec::encode("{}") == "{}\n");
}

}  // namespace leanbridge::rpc
