#include "core/base/percent.hpp"
#include "gateway/support/fake_http.hpp"
#include "http/client.hpp"
#include "support/loop.hpp"
#include "support/test_folder.hpp"

using namespace leanbridge;
using namespace leanbridge::test;
using FailureKind = http::Failure::Kind;

namespace {

struct Fixture {
  NoProxies no_proxies;
  Loop loop;
  FakeHttp server{loop.context};
  std::optional<http::Client> client;

  Fixture() { client.emplace(loop.context, options()); }
  static http::ClientOptions options() {
    http::ClientOptions options;
    options.user_agent = "leanbridge/test";
    return options;
  }
  static http::Request get(std::string url) {
    http::Request request;
    request.url = std::move(url);
    return request;
  }
  auto send(http::Request request, io::CancelScope scope = patient()) {
    return loop.run(client->send(std::move(request), std::move(scope)));
  }
  FailureKind failure(http::Request request, io::CancelScope scope = patient()) {
    const auto answer = send(std::move(request), std::move(scope));
    REQUIRE_FALSE(answer);
    INFO(answer.error().message);
    CHECK(answer.error().message.find("secret") == std::string::npos);
    return answer.error().kind;
  }
};

// "packed", by gzip.
const std::string kGzip(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x2b\x48\x4c\xce\x4e\x4d\x01\x00\x10\xb4\xf6\x21\x06\x00\x00"
    "\x00",
    26);

}  // namespace

TEST_CASE("A request arrives as it was meant, and its answer comes back whole", "[http]") {
  Fixture f;
  f.server.answer({201, "caf\xc3\xa9", {{"X-Thing", "  a b "}}});
  http::Request request = Fixture::get(f.server.url() + "/p?q=1");
  request.method = "POST";
  request.body = std::string("a\0b", 3);
  request.headers = {{"Content-Type", "application/json"}, {"X-Empty", ""}};
  const auto answer = f.send(request);
  REQUIRE(answer);
  CHECK(answer->status == 201);
  CHECK(answer->body == "caf\xc3\xa9");
  CHECK(answer->header("x-thing") == "a b");
  CHECK(answer->header("x-missing").empty());
  REQUIRE(f.server.requests().size() == 1);
  const HttpRequest& seen = f.server.requests().front();
  CHECK(seen.method == "POST");
  CHECK(seen.target == "/p?q=1");
  CHECK(seen.body == std::string("a\0b", 3));
  CHECK(seen.header("user-agent") == "leanbridge/test");
  CHECK(seen.header("content-type") == "application/json");
}

TEST_CASE("Connections are used again, and many requests run at once", "[http]") {
  Fixture f;
  f.server.answer({200, "x"});
  for (int i = 0; i < 3; ++i) REQUIRE(f.send(Fixture::get(f.server.url())));
  CHECK(f.server.connections() == 1);
  std::vector<Running<tl::expected<http::Response, http::Failure>>> all;
  for (int i = 0; i < 20; ++i)
    all.push_back(f.loop.start(f.client->send(Fixture::get(f.server.url()), patient())));
  for (auto& one : all) CHECK(f.loop.finish(one));
}

TEST_CASE("Any status is an answer", "[http]") {
  Fixture f;
  for (const int status : {204, 304, 403, 404, 429, 500, 503}) {
    f.server.answer({status, ""});
    const auto answer = f.send(Fixture::get(f.server.url()));
    REQUIRE(answer);
    CHECK(answer->status == status);
  }
}

TEST_CASE("A body is unpacked, and the limit counts what comes out", "[http]") {
  Fixture f;
  f.server.answer({200, kGzip, {{"Content-Encoding", "gzip"}}});
  http::Request request = Fixture::get(f.server.url());
  auto answer = f.send(request);
  REQUIRE(answer);
  CHECK(answer->body == "packed");
  request.max_body = 6;
  // Even the compressed form is longer than this, so the declared length counts, too.
  CHECK(f.failure(request) == FailureKind::TooLarge);
}

TEST_CASE("An answer above the limit ends the transfer, declared or not", "[http]") {
  Fixture f;
  http::Request request = Fixture::get(f.server.url());
  request.max_body = 1000;
  HttpReply huge{200, ""};
  huge.filler = 100u << 20;
  f.server.answer(huge);
  CHECK(f.failure(request) == FailureKind::TooLarge);
  CHECK(f.loop.until([&] { return f.server.disconnections() == 1; }));
  f.server.answer({200, std::string(1000, 'x')});
  CHECK(f.send(request));
  f.server.answer({200, std::string(1001, 'x')});
  CHECK(f.failure(request) == FailureKind::TooLarge);
}

TEST_CASE("What the server leaves out is told from what it says", "[http]") {
  Fixture f;
  HttpReply cut{200, "0123456789"};
  cut.fault = HttpReply::Fault::Cut;
  cut.sent = 4;
  f.server.answer(cut);
  CHECK(f.failure(Fixture::get(f.server.url())) == FailureKind::Truncated);
  HttpReply silent;
  silent.silent = true;
  f.server.answer(silent);
  CHECK(f.failure(Fixture::get(f.server.url())) == FailureKind::Truncated);
}

TEST_CASE("A deadline ends a body that does not come, and the connection with it", "[http]") {
  Fixture f;
  HttpReply slow{200, "0123456789"};
  slow.fault = HttpReply::Fault::Hang;
  slow.sent = 4;
  f.server.answer(slow);
  CHECK(f.failure(Fixture::get(f.server.url()), io::CancelScope(std::chrono::milliseconds(50))) ==
        FailureKind::Timeout);
  f.server.answer({200, "x"});
  CHECK(f.send(Fixture::get(f.server.url())));
}

TEST_CASE("A cancellation ends the transfer at once", "[http]") {
  Fixture f;
  HttpReply slow{200, "0123456789"};
  slow.fault = HttpReply::Fault::Hang;
  f.server.answer(slow);
  auto cancel = std::make_shared<io::CancelSource>();
  auto running = f.loop.start(f.client->send(Fixture::get(f.server.url()), patient(cancel)));
  REQUIRE(f.loop.until([&] { return f.server.requests().size() == 1; }));
  CHECK_FALSE(running.done());
  cancel->cancel();
  const auto& answer = f.loop.finish(running);
  REQUIRE_FALSE(answer);
  CHECK(answer.error().kind == FailureKind::Cancelled);
  CHECK(f.loop.until([&] { return f.server.disconnections() == 1; }));
}

TEST_CASE("What cannot be reached is said by its kind", "[http]") {
  Fixture f;
  CHECK(f.failure(Fixture::get(url_of_nobody() + "/secret")) == FailureKind::Connect);
  CHECK(f.failure(Fixture::get("http://nowhere.invalid/secret?secret")) == FailureKind::Resolve);
  for (const char* url : {"", "file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1", "127.0.0.1",
                          "http://", "http://a b/"})
    CHECK(f.failure(Fixture::get(url)) == FailureKind::BadUrl);
}

TEST_CASE("A look-up that hangs holds up neither the call nor the end", "[http]") {
  Fixture f;
  auto hanging = f.loop.start(f.client->send(Fixture::get("http://hanging.invalid/"), patient()));
  REQUIRE(f.loop.until([] { return hanging_lookups() > 0; }));
  SECTION("others go on, and a cancellation") {
    f.server.answer({200, "x"});
    CHECK(f.send(Fixture::get(f.server.url())));
    CHECK(f.failure(Fixture::get("http://hanging.invalid/"),
                    io::CancelScope(std::chrono::milliseconds(20))) == FailureKind::Timeout);
  }
  f.client.reset();
  const auto& answer = f.loop.finish(hanging);
  REQUIRE_FALSE(answer);
  CHECK(answer.error().kind == FailureKind::Cancelled);
}

TEST_CASE("Redirects are followed, but not for ever and not with secrets to others", "[http]") {
  Fixture f;
  FakeHttp other(f.loop.context);
  other.answer({200, "there"});
  http::Request request = Fixture::get(f.server.url() + "/a");
  request.headers = {{"Authorization", "Bearer secret"}, {"X-API-Key", "secret"}, {"accept", "text/plain"}};
  SECTION("within an origin everything goes along") {
    f.server.on_request([](const HttpRequest& seen) {
      return seen.target == "/a" ? HttpReply{302, "", {{"Location", "/b?c"}}} : HttpReply{200, "here"};
    });
    const auto answer = f.send(request);
    REQUIRE(answer);
    CHECK(answer->body == "here");
    CHECK(f.server.requests().back().target == "/b?c");
    CHECK(f.server.requests().back().header("x-api-key") == "secret");
  }
  SECTION("to another origin no header of ours but Accept") {
    f.server.answer({307, "", {{"Location", other.url() + "/c"}}});
    const auto answer = f.send(request);
    REQUIRE(answer);
    CHECK(answer->body == "there");
    const HttpRequest& seen = other.requests().front();
    CHECK(seen.method == "GET");
    CHECK(seen.header("authorization").empty());
    CHECK(seen.header("x-api-key").empty());
    CHECK(seen.header("accept") == "text/plain");
  }
  SECTION("what was asked does not go to another origin") {
    request.method = "POST";
    request.body = "{}";
    for (const int status : {307, 308}) {
      f.server.answer({status, "", {{"Location", other.url() + "/c"}}});
      CHECK(f.failure(request) == FailureKind::Redirects);
    }
    CHECK(other.requests().empty());
    f.server.on_request([](const HttpRequest& seen) {
      return seen.target == "/a" ? HttpReply{307, "", {{"Location", "/b"}}} : HttpReply{200, seen.body};
    });
    CHECK(f.send(request)->body == "{}");
  }
  SECTION("a request that stays at its origin goes nowhere else, by no status") {
    request.same_origin = true;
    for (const int status : {301, 302, 303, 307, 308}) {
      f.server.answer({status, "", {{"Location", other.url() + "/c"}}});
      CHECK(f.failure(request) == FailureKind::Redirects);
    }
    CHECK(other.requests().empty());
  }
  SECTION("303 makes a POST a GET") {
    f.server.answer({303, "", {{"Location", other.url()}}});
    request.method = "POST";
    request.body = "{}";
    REQUIRE(f.send(request));
    CHECK(other.requests().front().method == "GET");
    CHECK(other.requests().front().body.empty());
  }
  SECTION("a loop ends") {
    f.server.answer({302, "", {{"Location", "/a"}}});
    CHECK(f.failure(request) == FailureKind::Redirects);
    CHECK(f.server.requests().size() == 4);
  }
  SECTION("to a file it does not go") {
    f.server.answer({302, "", {{"Location", "file:///etc/passwd"}}});
    CHECK(f.failure(request) == FailureKind::Redirects);
  }
}

TEST_CASE("Certificates are checked", "[http]") {
  Fixture f;
  const TestFolder folder;
  const std::string certificate = (folder / "cert.pem").string(), key = (folder / "key.pem").string();
  write_certificate(certificate, key);
  FakeHttp secure(f.loop.context, certificate, key);
  secure.answer({200, "safe"});
  CHECK(f.failure(Fixture::get(secure.url())) == FailureKind::Tls);
  // One side speaks TLS and the other does not, either way round.
  CHECK_FALSE(f.send(Fixture::get("https" + f.server.url().substr(4)),
                     io::CancelScope(std::chrono::milliseconds(100))));

  const Variable other("CURL_CA_BUNDLE", std::nullopt), trust("SSL_CERT_FILE", certificate);
  f.client.emplace(f.loop.context, Fixture::options());
  const auto trusted = f.send(Fixture::get(secure.url()));
  f.server.answer({200, "plain"});
  secure.answer({302, "", {{"Location", f.server.url()}}});
  const FailureKind downgrade = f.failure(Fixture::get(secure.url()));
  INFO((trusted ? "" : trusted.error().message));
  REQUIRE(trusted);
  CHECK(trusted->body == "safe");
  CHECK(downgrade == FailureKind::Redirects);
}

TEST_CASE("With the network off only this machine is asked", "[http]") {
  Fixture f;
  FakeHttp other(f.loop.context);
  http::ClientOptions options;
  options.loopback_only = true;
  f.client.emplace(f.loop.context, options);
  f.server.answer({200, "x"});
  CHECK(f.send(Fixture::get(f.server.url())));
  CHECK(f.failure(Fixture::get("https://example.org/secret")) == FailureKind::BadUrl);
  f.server.answer({302, "", {{"Location", "http://127.0.0.1.example.org/"}}});
  CHECK(f.failure(Fixture::get(f.server.url())) == FailureKind::BadUrl);
}

TEST_CASE("Origins and encodings", "[http]") {
  const auto origin = http::origin_of("HTTPS://user:pw@Example.ORG/x?y");
  REQUIRE(origin);
  CHECK(origin->place() == "example.org:443");
  CHECK_FALSE(origin->loopback());
  CHECK(http::origin_of("http://[::1]:81/")->loopback());
  CHECK(http::origin_of("http://localhost")->loopback());
  CHECK_FALSE(http::origin_of("http://127.0.0.1.example.org")->loopback());
  CHECK_FALSE(http::origin_of(std::string("https://a.example\0.b.example/", 29)));
  CHECK(percent_encoded("a b+\xe2\x8a\xa2~") == "a%20b%2B%E2%8A%A2~");
}
