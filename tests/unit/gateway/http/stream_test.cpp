// Answers that are read while they arrive.
#include "gateway/support/fake_http.hpp"
#include "http/client.hpp"
#include "support/loop.hpp"

using namespace leanbridge;
using namespace leanbridge::test;
using FailureKind = http::Failure::Kind;

namespace {

struct StreamFixture {
  NoProxies no_proxies;
  Loop loop;
  FakeHttp server{loop.context};
  std::optional<http::Client> client;
  std::vector<int> heads;
  std::string heard;
  std::size_t pieces = 0;

  StreamFixture() { client.emplace(loop.context, http::ClientOptions()); }
  http::StreamEvents events() {
    http::StreamEvents events;
    events.on_headers = [this](const http::Response& head) {
      CHECK(heard.empty());
      CHECK(head.body.empty());
      heads.push_back(head.status);
    };
    events.on_bytes = [this](std::string_view bytes) {
      heard += bytes;
      ++pieces;
    };
    return events;
  }
  auto start(io::CancelScope scope = patient()) {
    http::Request request;
    request.url = server.url() + "/x";
    return loop.start(client->stream(std::move(request), events(), std::move(scope)));
  }
};

}  // namespace

TEST_CASE("A stream: headers first, then all bytes, then the end", "[http]") {
  StreamFixture f;
  f.server.answer({404, "it is not here", {{"X-Thing", "a"}}});
  auto running = f.start();
  const auto answer = f.loop.finish(running);
  REQUIRE(answer);
  CHECK(answer->status == 404);
  CHECK(answer->header("x-thing") == "a");
  CHECK(f.heads == std::vector<int>{404});
  CHECK(f.heard == "it is not here");
}

TEST_CASE("A stream is heard before it ends, and its scope ends it", "[http]") {
  StreamFixture f;
  HttpReply reply{200, "first second"};
  reply.fault = HttpReply::Fault::Hang;
  reply.sent = 5;
  f.server.answer(reply);
  const auto cancel = std::make_shared<io::CancelSource>();
  auto running = f.start(patient(cancel));
  REQUIRE(f.loop.until([&] { return f.heard == "first"; }));
  CHECK_FALSE(running.done());
  cancel->cancel();
  CHECK(f.loop.finish(running).error().kind == FailureKind::Cancelled);
  CHECK(f.loop.until([&] { return f.server.disconnections() == 1; }));
}

TEST_CASE("A stream larger than any bound comes whole, in pieces", "[http]") {
  StreamFixture f;
  HttpReply huge{200, ""};
  huge.filler = 40u << 20;
  f.server.answer(huge);
  auto running = f.start();
  REQUIRE(f.loop.finish(running));
  CHECK(f.heard.size() == 40u << 20);
  CHECK(f.pieces > 100);
}

TEST_CASE("Of a redirect nothing is heard", "[http]") {
  StreamFixture f;
  f.server.on_request([&](const HttpRequest& request) {
    if (request.target == "/x") return HttpReply{307, "go there", {{"Location", "/y"}}};
    return HttpReply{200, "here"};
  });
  auto running = f.start();
  REQUIRE(f.loop.finish(running));
  CHECK(f.heads == std::vector<int>{200});
  CHECK(f.heard == "here");
}

TEST_CASE("A stream that breaks off says so, after what came", "[http]") {
  StreamFixture f;
  HttpReply reply{200, "first second"};
  reply.fault = HttpReply::Fault::Cut;
  reply.sent = 5;
  f.server.answer(reply);
  auto running = f.start();
  CHECK(f.loop.finish(running).error().kind == FailureKind::Truncated);
  CHECK(f.heard == "first");
}

TEST_CASE("Streams nobody waits for any more end with the client", "[http]") {
  StreamFixture f;
  HttpReply reply{200, "first second"};
  reply.fault = HttpReply::Fault::Hang;
  reply.sent = 5;
  f.server.answer(reply);
  auto running = f.start();
  REQUIRE(f.loop.until([&] { return f.heard == "first"; }));
  f.client.reset();
  CHECK(f.loop.finish(running).error().kind == FailureKind::Cancelled);
}
