// The same things can go wrong with every service, with the same consequences.

#include "backend_fixture.hpp"
#include "core/text/untrusted.hpp"

#include <ctime>

namespace leanbridge::search {

namespace {

using Make = std::unique_ptr<Backend> (*)(Network, const Config&);

std::unique_ptr<Backend> make_explore(Network network, const Config& config) {
  return make_leanexplore_api(network, config);
}

struct Case {
  const char* name;
  Make make;
  Endpoint Config::*endpoint;
};

const std::vector<Case> kAll = {
    {"leansearch", make_leansearch, &Config::leansearch},
    {"loogle", make_loogle, &Config::loogle},
    {"leanfinder", make_leanfinder, &Config::leanfinder},
    {"state_search", make_state_search, &Config::state_search},
    {"hammer", make_hammer, &Config::hammer},
    {"leanexplore", make_explore, &Config::leanexplore},
};

std::string http_date(std::chrono::system_clock::time_point time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  char text[64];
  std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", std::gmtime(&seconds));
  return text;
}

}  // namespace

TEST_CASE("What nobody sees is in no result, whatever the service wrote", "[search][backends]") {
  Service s;
  const auto backend = make_loogle(s.network, s.config);
  const std::string dirty = "a\x1b[31mb\x7f\xe2\x80\xae\xf3\xa0\x81\x81";
  const json hit = {{"name", "Nat." + dirty}, {"type", dirty}, {"module", dirty}, {"doc", dirty}};
  s.server.answer({200, json({{"hits", json::array({hit})}, {"count", 1}, {"header", dirty}}).dump()});
  const Found found = s.found(*backend, "_ + _");
  REQUIRE(found.hits.size() == 1);
  CHECK(found.hits[0].name == "Nat.ab");
  CHECK(found.hits[0].signature == "ab");
  CHECK(found.hits[0].docstring == "ab");
  s.server.answer({400, json({{"error", dirty}}).dump()});
  CHECK(text::is_clean(s.problem(*backend).message));
}

TEST_CASE("A status has its class, whatever the service", "[search][backends]") {
  for (const Case& one : kAll) {
    Service s;
    s.config.leanexplore_key = Secret("key");
    const auto backend = one.make(s.network, s.config);
    INFO(one.name);
    CHECK(backend->name() == one.name);
    const std::vector<std::pair<int, Failure>> classes = {
        {400, Failure::Invalid},     {406, Failure::Invalid},     {422, Failure::Invalid},
        {405, Failure::Unavailable}, {410, Failure::Unavailable}, {401, Failure::Auth},
        {403, Failure::Auth},        {429, Failure::Unavailable}, {502, Failure::Unavailable},
        {503, Failure::Unavailable}, {504, Failure::Unavailable}, {501, Failure::ServerError},
        {304, Failure::ServerError}};
    for (const auto& [status, failure] : classes) {
      INFO(status);
      s.server.answer({status, "<html>sorry</html>"});
      const Problem problem = s.problem(*backend);
      CHECK(problem.failure == failure);
      CHECK(problem.rate_limited == (status == 429));
      CHECK_FALSE(problem.retry_after);
      CHECK(problem.message.find(std::to_string(status)) != std::string::npos);
      CHECK(problem.message.find("html") == std::string::npos);
      if (failure == Failure::Invalid || status == 405 || status == 410) CHECK_FALSE(problem.hint.empty());
    }
    if (one.endpoint != &Config::leanexplore) {  // which says by it that it has no such declaration
      s.server.answer({404, ""});
      const Problem moved = s.problem(*backend);
      CHECK(moved.failure == Failure::Unavailable);
      CHECK(falls_back(moved));
      CHECK(moved.hint.find("may have moved") != std::string::npos);
    }
    s.server.answer({500, ""});
    CHECK(s.problem(*backend).failure ==
          (backend->name() == "hammer" ? Failure::Unavailable : Failure::ServerError));
  }
}

TEST_CASE("Retry-After is obeyed, in seconds or as a date", "[search][backends]") {
  Service s;
  const auto backend = make_leansearch(s.network, s.config);
  s.server.answer({429, "", {{"Retry-After", "17"}}});
  CHECK(s.problem(*backend).retry_after == std::chrono::seconds(17));
  s.server.answer(
      {503, "", {{"Retry-After", http_date(std::chrono::system_clock::now() + std::chrono::seconds(3600))}}});
  const auto later = s.problem(*backend).retry_after;
  REQUIRE(later);
  CHECK(*later > std::chrono::seconds(3500));
  CHECK(*later <= std::chrono::seconds(3600));
  s.server.answer(
      {503, "", {{"Retry-After", http_date(std::chrono::system_clock::now() - std::chrono::hours(1))}}});
  CHECK(s.problem(*backend).retry_after == std::chrono::seconds(0));
  s.server.answer({429, "", {{"Retry-After", "99999999999"}}});
  CHECK(s.problem(*backend).retry_after == std::chrono::hours(24));
  s.server.answer({429, "", {{"Retry-After", "soon"}}});
  CHECK_FALSE(s.problem(*backend).retry_after);
}

TEST_CASE("What is no answer is a failure of the server", "[search][backends]") {
  for (const Case& one : kAll) {
    Service s;
    const auto backend = one.make(s.network, s.config);
    for (const char* body :
         {"", "<html>", "[[{\"result\"", "\xff\xfe", "7", "\"text\"", "null", "true", "[7]", "[[7]]", "[{}]",
          "{\"results\": 5}", "{\"results\": [5]}", "{\"results\": [{}]}", "{\"hits\": {}}"}) {
      // An answer without any hit, in a list or a table that this service does not read.
      INFO(one.name << ": " << body);
      s.server.answer({200, body});
      const auto outcome = s.ask(*backend, "⊢ True");
      if (outcome)
        CHECK(outcome->hits.empty());
      else
        CHECK(outcome.error().failure == Failure::ServerError);
      if (!outcome) CHECK(outcome.error().message.find("⊢") == std::string::npos);
    }
    s.server.answer({200, "<html>"});
    CHECK(s.problem(*backend).failure == Failure::ServerError);
    s.server.answer({200, "\"text\""});
    CHECK(s.problem(*backend).failure == Failure::ServerError);
    s.server.answer({200, std::string(200'000, '[')});
    CHECK(s.problem(*backend).failure == Failure::ServerError);
  }
}

TEST_CASE("Trouble on the way is unavailability, and lateness a timeout", "[search][backends]") {
  for (const Case& one : kAll) {
    Service s;
    INFO(one.name);
    auto backend = one.make(s.network, s.config);
    HttpReply cut{200, "[[]]"};
    cut.fault = HttpReply::Fault::Cut;
    cut.sent = 2;
    s.server.answer(cut);
    CHECK(s.problem(*backend).failure == Failure::Unavailable);
    HttpReply slow{200, "[[]]"};
    slow.fault = HttpReply::Fault::Hang;
    slow.sent = 2;
    s.server.answer(slow);
    CHECK(s.problem(*backend, "⊢ True", io::CancelScope(std::chrono::milliseconds(20))).failure ==
          Failure::Timeout);
    auto cancel = std::make_shared<io::CancelSource>();
    cancel->cancel();
    CHECK(s.problem(*backend, "⊢ True", patient(cancel)).failure == Failure::Cancelled);
    HttpReply huge{200, ""};
    huge.filler = 100u << 20;
    s.server.answer(huge);
    CHECK(s.problem(*backend).failure == Failure::ServerError);
    s.server.answer({302, "", {{"Location", "/path"}}});
    CHECK(s.problem(*backend).failure == Failure::ServerError);

    (s.config.*one.endpoint).timeout = std::chrono::milliseconds(20);
    backend = one.make(s.network, s.config);
    s.server.answer(slow);
    CHECK(s.problem(*backend).failure == Failure::Timeout);
    (s.config.*one.endpoint).timeout = std::chrono::seconds(30);
    (s.config.*one.endpoint).url = url_of_nobody();
    CHECK(s.problem(*one.make(s.network, s.config)).failure == Failure::Unavailable);
  }
}

TEST_CASE("An unknown host and an unknown certificate are unavailability", "[search][backends]") {
  Service s;
  const TestFolder folder;
  const std::string certificate = (folder / "cert.pem").string(), key = (folder / "key.pem").string();
  write_certificate(certificate, key);
  FakeHttp secure(s.loop.context, certificate, key);
  http::Client anywhere(s.loop.context, http::ClientOptions{});
  for (const Case& one : kAll) {
    INFO(one.name);
    (s.config.*one.endpoint).url = "http://nowhere.invalid";
    CHECK(s.problem(*one.make(Network{anywhere, s.pool}, s.config)).failure == Failure::Unavailable);
    (s.config.*one.endpoint).url = secure.url();
    CHECK(s.problem(*one.make(s.network, s.config)).failure == Failure::Unavailable);
  }
}

TEST_CASE("Headers and keys go to their service only, and into no message", "[search][backends]") {
  for (const Case& one : kAll) {
    Service s;
    INFO(one.name);
    FakeHttp other(s.loop.context);
    (s.config.*one.endpoint).headers = {{"X-Token", Secret("token-12345")}};
    s.config.leanexplore_key = Secret("key-12345");
    const auto backend = one.make(s.network, s.config);
    s.server.answer({403, R"({"error": "token-12345 and key-12345 are no good"})"});
    const Problem problem = s.problem(*backend);
    CHECK(s.last().header("x-token") == "token-12345");
    CHECK(problem.message.find("token-12345") == std::string::npos);
    if (backend->name() == "leanexplore") {
      CHECK(s.last().header("authorization") == "Bearer key-12345");
      CHECK(problem.message.find("key-12345") == std::string::npos);
    } else {
      CHECK(s.last().header("authorization").empty());
    }
    s.server.answer({302, "", {{"Location", other.url()}}});
    other.answer({200, "7"});
    s.problem(*backend);
    REQUIRE(other.requests().size() == 1);
    CHECK(other.requests()[0].header("x-token").empty());
    CHECK(other.requests()[0].header("authorization").empty());
  }
}

TEST_CASE("With the network off, or switched off by itself, a service is not asked", "[search][backends]") {
  for (const Case& one : kAll) {
    Service s;
    INFO(one.name);
    s.config.leanexplore_key = Secret("key");
    s.config.offline = true;
    // A service on this machine does not count as the network.
    CHECK_FALSE(one.make(s.network, s.config)->disabled_because());
    Config defaults;
    defaults.offline = true;
    defaults.leanexplore_key = Secret("key");
    const auto off = one.make(s.network, defaults);
    CHECK(off->disabled_because());
    CHECK(s.problem(*off).failure != Failure::Cancelled);
    (s.config.*one.endpoint).enabled = false;
    CHECK(one.make(s.network, s.config)->disabled_because());
    CHECK(s.server.requests().empty());
  }
}

}  // namespace leanbridge::search
