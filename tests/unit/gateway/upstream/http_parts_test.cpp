// What the HTTP transports are made of: events, mirroring headers, addresses.
#include "gateway/upstream/transport/authorized_request.hpp"
#include "gateway/upstream/transport/http_headers.hpp"
#include "gateway/upstream/transport/sse_parser.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::upstream {

using nlohmann::json;

namespace {

// The events of a text that comes in pieces of that size, as `type|data;`.
std::string parsed(const std::string& text, std::size_t piece) {
  SseParser parser(1000);
  std::string events;
  for (std::size_t i = 0; i < text.size(); i += piece) {
    parser.feed(std::string_view(text).substr(i, piece));
    for (;;) {
      const auto event = parser.next();
      if (parser.take_oversize()) {
        events += "OVERSIZE;";
        continue;
      }
      if (!event) break;
      events += event->type + "|" + event->data + ";";
    }
  }
  return events;
}

}  // namespace

TEST_CASE("Server-sent events, in pieces of any size", "[upstream][http]") {
  const auto check = [](const std::string& text, const std::string& expected) {
    for (const std::size_t piece : {1u, 2u, 3u, 7u, 10'000u}) {
      INFO(piece);
      CHECK(parsed(text, piece) == expected);
    }
  };
  check("data: a\n\n", "message|a;");
  check(
      "\xEF\xBB\xBF"
      "data:a\r\n\r\ndata:b\r\rdata:c\n\n",
      "message|a;message|b;message|c;");
  check("event: endpoint\ndata: /x?y=1\n\n", "endpoint|/x?y=1;");
  check(": comment\ndata: a\ndata:  b\ndata\nunknown: x\n\n", "message|a\n b\n;");
  check("id: 7\ndata:\n\nid: 8\ndata\n\n\n\n", "");
  check("data: not ended\n", "");
  check("data: " + std::string(5000, 'x') + "\n\ndata: after\n\n", "OVERSIZE;message|after;");
  check("data: " + std::string(600, 'x') + "\ndata: " + std::string(600, 'y') + "\n\ndata: after\n\n",
        "OVERSIZE;message|after;");
  check("data: «λ» 😀\n\n", "message|«λ» 😀;");
  // The limit also applies to lines, whatever they contain.
  check(":" + std::string(2000, 'x') + "\ndata: a\n\ndata: after\n\n", "OVERSIZE;message|after;");
  check("data: " + std::string(994, 'x') + "\n\n", "message|" + std::string(994, 'x') + ";");
  check("data: " + std::string(995, 'x') + "\n\n", "OVERSIZE;");
}

TEST_CASE("The id and the pause of events", "[upstream][http]") {
  SseParser parser(1000);
  parser.feed("id: 1\nretry: 250\ndata: a\n\nid: 2\n");
  CHECK(parser.next());
  CHECK(parser.last_id() == "1");
  CHECK(parser.retry() == std::chrono::milliseconds(250));
  parser.feed("\nretry: soon\nretry: 99999999999999999999\n\n");
  CHECK_FALSE(parser.next());
  CHECK(parser.last_id() == "2");
  CHECK(parser.retry() == std::chrono::milliseconds(250));
}

TEST_CASE("What is not safe in a header is encoded", "[upstream][http]") {
  CHECK(header_value("get-sum") == "get-sum");
  CHECK(header_value("a b") == "a b");
  CHECK(header_value(" a") == "=?base64?IGE=?=");
  CHECK(header_value("x₁") == "=?base64?eOKCgQ==?=");
  CHECK(header_value("a\r\nb") == "=?base64?YQ0KYg==?=");
  CHECK(header_value("=?base64?YQ==?=").starts_with("=?base64?"));
  CHECK(header_value("=?base64?YQ==?=") != "=?base64?YQ==?=");
}

TEST_CASE("Which arguments a schema wants mirrored", "[upstream][http]") {
  const json region = {{"type", "string"}, {"x-mcp-header", "Region"}};
  const json size = {{"type", "integer"}, {"x-mcp-header", "Size"}};
  const json inner = {{"type", "object"}, {"properties", {{"size", size}}}};
  const json schema = {{"type", "object"},
                       {"properties", {{"region", region}, {"box", inner}, {"x", {{"type", "string"}}}}}};
  const auto found = mirrored_arguments(schema).value();
  REQUIRE(found.size() == 2);
  const MirroredArguments all = {{"t", found}};
  const json call = {
      {"method", "tools/call"},
      {"params", {{"name", "t"}, {"arguments", {{"region", "eu\n"}, {"box", {{"size", 42}}}}}}}};
  using Headers = std::vector<std::pair<std::string, std::string>>;
  CHECK(mirroring_headers(call, all) == Headers{{"Mcp-Method", "tools/call"},
                                                {"Mcp-Name", "t"},
                                                {"Mcp-Param-Size", "42"},
                                                {"Mcp-Param-Region", "=?base64?ZXUK?="}});
  const json absent = {{"method", "tools/call"},
                       {"params", {{"name", "t"}, {"arguments", {{"region", nullptr}}}}}};
  CHECK(mirroring_headers(absent, all).size() == 2);
  CHECK(mirroring_headers({{"method", "tools/list"}}, all) == Headers{{"Mcp-Method", "tools/list"}});

  const auto refused = [](json property) {
    const json with = {{"type", "object"}, {"properties", {{"a", std::move(property)}}}};
    return !mirrored_arguments(with).has_value();
  };
  CHECK(refused({{"type", "string"}, {"x-mcp-header", ""}}));
  CHECK(refused({{"type", "string"}, {"x-mcp-header", "a b"}}));
  CHECK(refused({{"type", "string"}, {"x-mcp-header", 3}}));
  CHECK(refused({{"type", "object"}, {"x-mcp-header", "A"}}));
  CHECK(refused({{"type", "number"}, {"x-mcp-header", "A"}}));
  CHECK_FALSE(refused({{"type", "integer"}, {"x-mcp-header", "A"}}));
  CHECK(refused({{"type", "array"}, {"items", region}}));
  CHECK_FALSE(refused({{"type", "string"}, {"default", {{"x-mcp-header", "A"}}}}));
  const json lower = {{"type", "string"}, {"x-mcp-header", "rEgion"}};
  CHECK_FALSE(mirrored_arguments({{"properties", {{"a", region}, {"b", lower}}}}));
}

TEST_CASE("Where messages of HTTP+SSE go", "[upstream][http]") {
  const std::string base = "http://h:81/a/sse?k=v";
  CHECK(resolve_endpoint(base, "/messages?id=1").value() == "http://h:81/messages?id=1");
  CHECK(resolve_endpoint(base, "messages").value() == "http://h:81/a/messages");
  CHECK(resolve_endpoint(base, "?id=1").value() == "http://h:81/a/sse?id=1");
  CHECK(resolve_endpoint(base, "http://h:81/x").value() == "http://h:81/x");
  CHECK(resolve_endpoint(base, "/r?to=http://evil/").value() == "http://h:81/r?to=http://evil/");
  CHECK(resolve_endpoint("http://h", "m").value() == "http://h/m");
  CHECK_FALSE(resolve_endpoint(base, "http://evil:81/x"));
  CHECK_FALSE(resolve_endpoint(base, "https://h:81/x"));
  CHECK_FALSE(resolve_endpoint(base, "//evil/x"));
  CHECK_FALSE(resolve_endpoint(base, "http://h:82/x"));
}

}  // namespace leanbridge::upstream
