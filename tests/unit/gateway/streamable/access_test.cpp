// The checks of a request's head: each lets the honest one through and refuses the other.

#include "gateway/streamable/access.hpp"

#include "support/test_folder.hpp"
#include <catch2/catch.hpp>

#include <algorithm>

namespace leanbridge::streamable::test {

using namespace leanbridge::test;

namespace {

http::IncomingRequest request(std::string method = "POST", std::string target = "/mcp") {
  http::IncomingRequest head;
  head.method = std::move(method);
  head.target = std::move(target);
  head.fields = {{"host", "127.0.0.1:8765"},
                 {"content-type", "application/json"},
                 {"accept", "application/json, text/event-stream"}};
  head.client = "127.0.0.1";
  return head;
}

http::IncomingRequest with(http::IncomingRequest head, const std::string& name, std::string value) {
  std::erase_if(head.fields, [&](const auto& field) { return field.first == name; });
  head.fields.emplace_back(name, std::move(value));
  return head;
}

int status_of(const http::IncomingRequest& head, const AccessPolicy& policy = {}) {
  const auto refused = refuse(head, policy);
  return refused ? refused->status : 0;
}

AccessPolicy with_token(std::string token = "0123456789abcdef") {
  AccessPolicy policy;
  policy.tokens.emplace_back(std::move(token));
  return policy;
}

}  // namespace

TEST_CASE("A request from this machine is served", "[streamable][access]") {
  CHECK(status_of(request()) == 0);
  for (const char* host : {"localhost", "LOCALHOST:1", "[::1]:80", "127.0.0.1"})
    CHECK(status_of(with(request(), "host", host)) == 0);
  for (const char* origin : {"http://localhost:6274", "https://127.0.0.1", "http://[::1]:5"})
    CHECK(status_of(with(request(), "origin", origin)) == 0);
}

TEST_CASE("A Host or Origin of elsewhere is refused", "[streamable][access]") {
  for (const char* host :
       {"evil.example.com", "localhost.evil.com", "127.0.0.1.evil.com:80", "", "[::2]", "localhost:80@evil"})
    CHECK(status_of(with(request(), "host", host)) == 403);
  for (const char* origin : {"http://evil.example.com", "null", "file://", "http://localhost.evil.com",
                             "ftp://localhost", "http://evil.com/localhost"})
    CHECK(status_of(with(request(), "origin", origin)) == 403);
}

TEST_CASE("A further host may be allowed", "[streamable][access]") {
  AccessPolicy policy = with_token();
  policy.local_hosts_only = false;
  policy.hosts = {"lean.example.org"};
  const auto head = with(request(), "authorization", "Bearer 0123456789abcdef");
  CHECK(status_of(with(head, "host", "Lean.Example.org:443"), policy) == 0);
  CHECK(status_of(with(with(head, "host", "lean.example.org"), "origin", "https://lean.example.org"),
                  policy) == 0);
  CHECK(status_of(with(head, "host", "other.example.org"), policy) == 403);
  CHECK(status_of(with(request("GET", "/readyz"), "host", "10.0.0.7:8765"), policy) == 0);
  policy.hosts.clear();  // then the token alone protects
  CHECK(status_of(with(head, "host", "other.example.org"), policy) == 0);
  CHECK(status_of(with(head, "origin", "https://other.example.org"), policy) == 403);
}

TEST_CASE("Without the token nothing but probes is answered", "[streamable][access]") {
  const AccessPolicy policy = with_token();
  for (const char* given : {"", "Bearer", "Bearer wrong", "Bearer 0123456789abcdefg",
                            "Basic 0123456789abcdef", "Bearer 0123456789abcde"})
    CHECK(status_of(with(request(), "authorization", given), policy) == 401);
  CHECK(status_of(request("GET", "/metrics"), policy) == 401);
  CHECK(status_of(request("GET", "/status"), policy) == 401);
  CHECK(status_of(request("GET", "/healthz"), policy) == 0);
  CHECK(status_of(request("GET", "/readyz"), policy) == 0);
  CHECK(status_of(with(request(), "authorization", "bearer  0123456789abcdef "), policy) == 0);
}

TEST_CASE("A refusal names the scheme and repeats nothing", "[streamable][access]") {
  const auto refused = refuse(with(request(), "authorization", "Bearer very-secret-guess"), with_token());
  REQUIRE(refused);
  CHECK(refused->body.find("guess") == std::string::npos);
  const auto challenge = std::find_if(refused->fields.begin(), refused->fields.end(),
                                      [](const auto& field) { return field.first == "www-authenticate"; });
  REQUIRE(challenge != refused->fields.end());
  CHECK(challenge->second == "Bearer realm=\"leanbridge\", error=\"invalid_token\"");
}

TEST_CASE("Each of several tokens is known by its number", "[streamable][access]") {
  AccessPolicy policy = with_token();
  policy.tokens.emplace_back("fedcba9876543210");
  CHECK(token_of(with(request(), "authorization", "Bearer 0123456789abcdef"), policy) == 1);
  CHECK(token_of(with(request(), "authorization", "Bearer fedcba9876543210"), policy) == 2);
  CHECK(token_of(request(), policy) == 0);
}

TEST_CASE("What a page may send without asking is refused", "[streamable][access]") {
  for (const char* type : {"text/plain", "", "application/x-www-form-urlencoded", "multipart/form-data"})
    CHECK(status_of(with(request(), "content-type", type)) == 415);
  CHECK(status_of(with(request(), "content-type", "Application/JSON; charset=utf-8")) == 0);
}

TEST_CASE("Paths and methods that are not offered are refused", "[streamable][access]") {
  CHECK(status_of(request("GET", "/")) == 404);
  CHECK(status_of(request("POST", "/mcp/x")) == 404);
  CHECK(status_of(request("POST", "/mcp?x=1")) == 0);
  CHECK(status_of(request("PUT")) == 405);
  CHECK(status_of(request("OPTIONS")) == 405);
  CHECK(status_of(request("POST", "/metrics")) == 405);
  CHECK(status_of(request("DELETE")) == 0);
}

TEST_CASE("A field that decides something comes once", "[streamable][access]") {
  for (const char* name :
       {"authorization", "origin", "content-type", "mcp-session-id", "mcp-name", "mcp-method"}) {
    auto head = request();
    head.fields.emplace_back(name, "a");
    head.fields.emplace_back(name, "b");
    CHECK(status_of(head) == 400);
  }
}

TEST_CASE("Accept is read as a list", "[streamable][access]") {
  CHECK(accepts(with(request(), "accept", "text/html;q=1, Text/Event-Stream;q=0.5"), "text/event-stream"));
  CHECK(accepts(with(request(), "accept", "*/*"), "text/event-stream"));
  CHECK(accepts(with(request(), "accept", "text/*"), "text/event-stream"));
  CHECK_FALSE(accepts(with(request(), "accept", "application/json"), "text/event-stream"));
  CHECK(status_of(with(request(), "accept", "text/html")) == 406);
}

TEST_CASE("Tokens are read from a file", "[streamable][access]") {
  const TestFolder folder;
  const auto file = folder.write("tokens", "# of the team\n\n0123456789abcdef\n  fedcba9876543210  \n");
  const auto tokens = read_tokens(file.string());
  REQUIRE(tokens);
  CHECK(*tokens == std::vector{Secret("0123456789abcdef"), Secret("fedcba9876543210")});
  for (const char* content : {"", "# none\n", "short\n", "with a space in it\n"})
    CHECK(read_tokens(folder.write("bad", content).string()).error().kind == ErrorKind::InvalidArgument);
  CHECK(read_tokens((folder / "missing").string()).error().kind == ErrorKind::InvalidArgument);
}

}  // namespace leanbridge::streamable::test
