#include "core/rpc/framing.hpp"
#include <catch2/catch.hpp>

#include <random>
#include <vector>

namespace leanbridge::rpc {
namespace {

using Kind = FramingError::Kind;

struct Decoded {
  std::vector<std::string> bodies;
  std::optional<FramingError> error;

  friend bool operator==(const Decoded&, const Decoded&) = default;
};

void drain(HeaderCodec& codec, Decoded& decoded) {
  for (;;) {
    auto body = codec.next();
    if (!body) {
      decoded.error = body.error();
      return;
    }
    if (!*body) return;
    decoded.bodies.push_back(std::move(**body));
  }
}

Decoded decode(std::initializer_list<std::string_view> chunks,
               std::size_t max_body = HeaderCodec::kDefaultMaxBody) {
  HeaderCodec codec(max_body);
  Decoded decoded;
  for (const std::string_view chunk : chunks) {
    codec.feed(chunk);
    drain(codec, decoded);
  }
  return decoded;
}

}  // namespace

TEST_CASE("bodies come out as they were framed", "[rpc]") {
  CHECK(HeaderCodec::encode("{\"∀\":1}") == "Content-Length: 9\r\n\r\n{\"∀\":1}");
  const std::string stream =
      HeaderCodec::encode("one") + HeaderCodec::encode("") + HeaderCodec::encode("two\r\n\r\n");
  CHECK(decode({stream}).bodies == std::vector<std::string>{"one", "", "two\r\n\r\n"});
}

TEST_CASE("headers in any case, with any company", "[rpc]") {
  const std::vector<std::string> one{"{}"};
  for (const std::string_view header :
       {"content-length: 2\r\n\r\n", "CONTENT-LENGTH:2\r\n\r\n", "Content-Length: \t 2 \r\n\r\n",
        "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\n\r\n",
        "Content-Length: 2\r\nX-Other:\r\n\r\n", "Content-Length: 2\r\nContent-Length: 2\r\n\r\n",
        "Content-Length: 002\r\n\r\n"}) {
    CAPTURE(header);
    const Decoded decoded = decode({header, "{}"});
    CHECK(decoded.bodies == one);
    CHECK_FALSE(decoded.error.has_value());
  }
}

TEST_CASE("every split of a framed stream gives the same bodies", "[rpc]") {
  const std::string stream = HeaderCodec::encode("{\"a\":\"𝓝\"}") +
                             "content-type: x\r\ncontent-length: 4\r\n\r\n\r\n\r\n" +
                             HeaderCodec::encode("z");
  const std::vector<std::string> expected{"{\"a\":\"𝓝\"}", "\r\n\r\n", "z"};
  const std::string_view view = stream;
  for (std::size_t i = 0; i <= view.size(); ++i) {
    CAPTURE(i);
    for (std::size_t j = i; j <= view.size(); ++j) {
      const Decoded decoded = decode({view.substr(0, i), view.substr(i, j - i), view.substr(j)});
      REQUIRE(decoded.bodies == expected);
      REQUIRE_FALSE(decoded.error.has_value());
    }
  }
  HeaderCodec codec;
  Decoded decoded;
  for (const char c : stream) {
    codec.feed({&c, 1});
    drain(codec, decoded);
  }
  CHECK(decoded == Decoded{expected, std::nullopt});
}

TEST_CASE("text where a header is due is garbage, and is quoted", "[rpc]") {
  for (const std::string_view text :
       {"info: downloading component 'lean'\n", "no such toolchain\r\n", "{\"jsonrpc\":\"2.0\"}", " indented",
        "∀\n", "\n", "\r\n\r\n", "X-Only: 1\r\n\r\n", "Content-Length: -1\r\n\r\n",
        "Content-Length: 2x\r\n\r\n", "Content-Length:\r\n\r\n",
        "Content-Length: 2\r\nContent-Length: 3\r\n\r\n", "Content-Length: 2\n\n{}", ": 2\r\n\r\n",
        "Content Length: 2\r\n\r\n"}) {
    CAPTURE(text);
    const Decoded decoded = decode({text});
    REQUIRE(decoded.error.has_value());
    CHECK(decoded.error->kind == Kind::Garbage);
    CHECK(decoded.error->excerpt == text);
    CHECK(decoded.error->describe() == "expected a message header but read: " + std::string(text));
  }
}

TEST_CASE("garbage between two messages fails for good", "[rpc]") {
  HeaderCodec codec;
  codec.feed(HeaderCodec::encode("one") + "panic!\xFF\n" + HeaderCodec::encode("two"));
  CHECK(codec.next().value() == std::optional<std::string>("one"));
  const auto error = codec.next();
  REQUIRE_FALSE(error.has_value());
  CHECK(error.error().excerpt.substr(0, 9) == "panic!\uFFFD");
  codec.feed(HeaderCodec::encode("three"));
  CHECK(codec.next().error() == error.error());
  CHECK(codec.unfinished_excerpt().empty());
}

TEST_CASE("an excerpt is short and valid UTF-8", "[rpc]") {
  std::string text = "x";
  for (int i = 0; i < 1000; ++i) text += "é";
  const Decoded decoded = decode({text + "\n"});
  REQUIRE(decoded.error.has_value());
  CHECK(decoded.error->excerpt.size() < HeaderCodec::kMaxExcerpt + 4);
  CHECK(decoded.error->excerpt.substr(0, 3) == "xé");
}

TEST_CASE("sizes are bounded", "[rpc]") {
  CHECK(decode({"Content-Length: 10\r\n\r\n0123456789"}, 10).bodies.size() == 1);
  CHECK(decode({"Content-Length: 11\r\n\r\n"}, 10).error->kind == Kind::BodyTooLarge);
  CHECK(decode({"Content-Length: 99999999999999999999999999\r\n\r\n"}).error->kind == Kind::BodyTooLarge);
  CHECK(decode({"X: " + std::string(10'000, 'a')}).error->kind == Kind::HeaderTooLong);
  std::string many;
  for (int i = 0; i < 2000; ++i) many += "X-Y: 1\r\n";
  CHECK(decode({many}).error->kind == Kind::HeaderTooLong);
}

TEST_CASE("what a stream ends with can be told", "[rpc]") {
  HeaderCodec codec;
  CHECK(codec.unfinished_excerpt().empty());
  codec.feed(HeaderCodec::encode("{}") + "Content-Length: 5\r\n\r\nabc");
  CHECK(codec.next().value() == std::optional<std::string>("{}"));
  CHECK(codec.next().value() == std::optional<std::string>());
  CHECK(codec.unfinished_excerpt() == "Content-Length: 5\r\n\r\nabc");
  codec.feed("de");
  CHECK(codec.next().value() == std::optional<std::string>("abcde"));
  CHECK(codec.unfinished_excerpt().empty());
  codec.feed("command not found");
  CHECK(codec.next().value() == std::optional<std::string>());
  CHECK(codec.unfinished_excerpt() == "command not found");
}

TEST_CASE("random bodies in random chunks, the largest of 5 MB", "[rpc][property]") {
  std::mt19937 engine(6);
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(engine);
  };
  for (int round = 0; round < 100; ++round) {
    std::string stream;
    std::vector<std::string> expected;
    for (std::size_t n = below(10); n > 0; --n) {
      expected.emplace_back(round == 0 ? 5'000'000 : below(200), "a\r\n:"[below(4)]);
      stream += HeaderCodec::encode(expected.back());
    }
    HeaderCodec codec;
    Decoded decoded;
    for (std::size_t at = 0; at < stream.size();) {
      const std::size_t size = std::min(1 + below(round == 0 ? 65536 : 150), stream.size() - at);
      codec.feed(std::string_view(stream).substr(at, size));
      at += size;
      if (below(3) != 0) drain(codec, decoded);
    }
    drain(codec, decoded);
    REQUIRE_FALSE(decoded.error.has_value());
    REQUIRE(decoded.bodies == expected);
  }
}

TEST_CASE("text before the first header is skipped where that is allowed, and only there", "[rpc]") {
  const auto read = [](std::string_view stream, std::size_t step) {
    HeaderCodec codec(HeaderCodec::kDefaultMaxBody, HeaderCodec::Preamble::Skip);
    Decoded decoded;
    for (std::size_t at = 0; at < stream.size(); at += step) {
      codec.feed(stream.substr(at, step));
      drain(codec, decoded);
    }
    return std::pair(decoded, codec.preamble_excerpt());
  };
  const std::string spoken = HeaderCodec::encode("one") + HeaderCodec::encode("two");
  for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::size_t{1} << 20U}) {
    CAPTURE(step);
    for (const std::string_view printed :
         {"", "Attempting to download 7000 file(s)\n", "Content-Length: many\r\n", "a\r\n\r\nb: c\r\n",
          "no line break", "\rDownloaded: 1\rDownloaded: 2 ", "\xff\n"}) {
      CAPTURE(printed);
      const auto [decoded, said] = read(std::string(printed) + spoken, step);
      CHECK(decoded.bodies == std::vector<std::string>{"one", "two"});
      CHECK_FALSE(decoded.error.has_value());
    }
    const auto [decoded, said] = read("first\nsecond\n" + HeaderCodec::encode("one") + "third\n", step);
    CHECK(decoded.bodies == std::vector<std::string>{"one"});
    CHECK(said == "first\nsecond");
    REQUIRE(decoded.error.has_value());
    CHECK(decoded.error->kind == Kind::Garbage);
    CHECK(decoded.error->excerpt.starts_with("t"));
  }
  CHECK(decode({"first\n" + spoken}).error.has_value());
}

TEST_CASE("the text before the first header is bounded", "[rpc]") {
  const bool has_lines = GENERATE(true, false);
  HeaderCodec codec(HeaderCodec::kDefaultMaxBody, HeaderCodec::Preamble::Skip);
  const std::string piece = std::string((1 << 16) - 1, 'x') + (has_lines ? '\n' : '\r');
  Decoded decoded;
  std::size_t fed = 0;
  for (; !decoded.error && fed < 2 * HeaderCodec::kMaxPreamble; fed += piece.size()) {
    codec.feed(piece);
    drain(codec, decoded);
    CHECK(codec.unfinished_excerpt().size() <= HeaderCodec::kMaxExcerpt);
  }
  CHECK(fed > HeaderCodec::kMaxPreamble);
  REQUIRE(decoded.error.has_value());
  CHECK(decoded.error->kind == Kind::Garbage);
  codec.feed(HeaderCodec::encode("one"));
  CHECK_FALSE(codec.next().has_value());
}

}  // namespace leanbridge::rpc
