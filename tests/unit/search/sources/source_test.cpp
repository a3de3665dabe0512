#include "search/sources/source.hpp"

#include "core/base/log.hpp"
#include "scripted_backend.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::search {

using namespace test;
using namespace std::chrono_literals;

namespace {

struct SourceFixture {
  Loop loop;
  Cache cache;
  std::shared_ptr<ScriptedBackend> backend = std::make_shared<ScriptedBackend>("loogle");
  std::optional<Source> source;

  explicit SourceFixture(SourceOptions options = {}) { make(options); }
  void make(SourceOptions options) { source.emplace(backend, options, cache); }
  Reply ask(std::string text) { return loop.run(source->ask(question(std::move(text)), patient())); }
};

Failure failure_of(const Reply& reply) {
  REQUIRE_FALSE(reply.value);
  return reply.value.error().failure;
}

}  // namespace

TEST_CASE("an answer is kept, with all of its fields", "[search][source]") {
  SourceFixture f;
  Theorem full = hit("a.b", ": P");
  full.kind = "theorem";
  full.module = "M";
  full.docstring = "d";
  full.informal = "i";
  full.informal_name = "n";
  full.file = "/f";
  full.line = 7;
  full.score = 0.5;
  full.id = 9;
  f.backend->found = {{full}, {"s"}, "note", 12};
  const Reply first = f.ask("q");
  const Reply second = f.ask("q");
  CHECK_FALSE(first.cached);
  CHECK(second.cached);
  CHECK(f.backend->asked.size() == 1);
  for (const Reply& reply : {first, second}) {
    REQUIRE(reply.value);
    const Theorem& got = reply.value->hits.at(0);
    CHECK(std::tie(got.name, got.kind, got.signature, got.module, got.docstring, got.informal_name,
                   got.informal, got.file, got.line, got.score, got.id) ==
          std::tie(full.name, full.kind, full.signature, full.module, full.docstring, full.informal_name,
                   full.informal, full.file, full.line, full.score, full.id));
    CHECK(reply.value->suggestions == std::vector<std::string>{"s"});
    CHECK(reply.value->note == "note");
    CHECK(reply.value->total == 12u);
  }
}

TEST_CASE("everything that changes the answer is in the key", "[search][source]") {
  SourceFixture f;
  f.ask("q");
  Question other = question("q");
  SECTION("limit") {
    other.limit = 11;
  }
  SECTION("packages") {
    other.packages = {"Mathlib"};
  }
  SECTION("version") {
    other.version = "v1";
  }
  SECTION("text") {
    other.text = "Q";
  }
  SECTION("where it is") {
    f.backend->address = "http://localhost";
  }
  f.loop.run(f.source->ask(other, patient()));
  CHECK(f.backend->asked.size() == 2);
}

TEST_CASE("a time-out is tried once more, nothing else is", "[search][source]") {
  SourceFixture f;
  f.backend->answer({"a"});
  f.backend->failures = {problem(Failure::Timeout)};
  CHECK(f.ask("1").value);
  CHECK(f.backend->asked.size() == 2);
  f.backend->failures = {problem(Failure::Timeout), problem(Failure::Timeout)};
  CHECK(failure_of(f.ask("2")) == Failure::Timeout);
  CHECK(f.backend->asked.size() == 4);
  for (const Failure failure :
       {Failure::Unavailable, Failure::Invalid, Failure::ServerError, Failure::Auth}) {
    f.backend->asked.clear();
    f.backend->failures = {problem(failure)};
    CHECK(failure_of(f.ask(std::string("3") + wire::name_of(failure))) == failure);
    CHECK(f.backend->asked.size() == 1);
  }
}

TEST_CASE("failures are not kept", "[search][source]") {
  SourceFixture f;
  const Failure failure =
      GENERATE(Failure::Timeout, Failure::Unavailable, Failure::Invalid, Failure::ServerError, Failure::Auth);
  f.backend->failures = {problem(failure), problem(failure)};
  CHECK_FALSE(f.ask("q").value);
  f.backend->failures.clear();
  CHECK(f.ask("q").value);
}

TEST_CASE("equal questions at once are one request", "[search][source]") {
  SourceFixture f;
  f.backend->held = true;
  f.backend->answer({"a"});
  auto one = f.loop.start(f.source->ask(question("q"), patient()));
  auto two = f.loop.start(f.source->ask(question("q"), patient()));
  auto other = f.loop.start(f.source->ask(question("r"), patient()));
  REQUIRE(f.loop.until([&] { return f.backend->asked.size() == 2; }));
  f.backend->release();
  CHECK(f.loop.finish(one).value->hits.size() == 1);
  CHECK(f.loop.finish(two).value->hits.size() == 1);
  CHECK(f.loop.finish(other).value);
  CHECK(f.backend->asked.size() == 2);
}

TEST_CASE("cancelling one does not cancel the other; cancelling all does", "[search][source]") {
  SourceFixture f;
  f.backend->held = true;
  const auto cancel_one = std::make_shared<io::CancelSource>(),
             cancel_two = std::make_shared<io::CancelSource>();
  auto one = f.loop.start(f.source->ask(question("q"), patient(cancel_one)));
  auto two = f.loop.start(f.source->ask(question("q"), patient(cancel_two)));
  REQUIRE(f.loop.until([&] { return f.backend->asked.size() == 1; }));
  f.loop.settle();
  cancel_one->cancel();
  CHECK(failure_of(f.loop.finish(one)) == Failure::Cancelled);
  f.loop.settle();
  CHECK(f.backend->cancelled == 0);
  SECTION("the other has its answer") {
    f.backend->release();
    CHECK(f.loop.finish(two).value);
  }
  SECTION("the other is cancelled, too") {
    cancel_two->cancel();
    CHECK(failure_of(f.loop.finish(two)) == Failure::Cancelled);
    REQUIRE(f.loop.until([&] { return f.backend->cancelled == 1; }));
    CHECK(f.source->health().failures.empty());
    f.backend->release();
    CHECK(f.ask("q").value);
  }
}

TEST_CASE("what comes too late for one is there for the next", "[search][source]") {
  SourceFixture f;
  f.backend->held = true;
  f.backend->answer({"a"});
  auto early = f.loop.start(f.source->ask(question("q"), io::CancelScope(20ms)));
  CHECK(failure_of(f.loop.finish(early)) == Failure::Late);
  f.backend->release();
  f.loop.settle();
  const Reply reply = f.ask("q");
  CHECK(reply.cached);
  CHECK(f.backend->asked.size() == 1);
}

TEST_CASE("what fails is left alone, and one success forgets it", "[search][source]") {
  SourceFixture f;
  for (int i = 0; i < Breaker::kMaxFailures; ++i)
    f.backend->failures.push_back(problem(Failure::Unavailable, "no route"));
  CHECK(f.source->health().status == HealthStatus::Unused);
  f.ask("0");
  CHECK(f.source->health().status == HealthStatus::Degraded);
  for (int i = 1; i < Breaker::kMaxFailures; ++i) f.ask(std::to_string(i));
  CHECK(f.source->health().status == HealthStatus::Down);
  const Reply refused = f.ask("more");
  CHECK(failure_of(refused) == Failure::Unavailable);
  CHECK(refused.value.error().message.find("no route") != std::string::npos);
  CHECK(refused.value.error().retry_after);
  CHECK(f.backend->asked.size() == Breaker::kMaxFailures);
  CHECK(f.source->health().refused == 1);
}

TEST_CASE("a question that is wrong says nothing against the service", "[search][source]") {
  SourceFixture f;
  for (int i = 0; i < 10; ++i) {
    f.backend->failures = {problem(Failure::Invalid)};
    CHECK(failure_of(f.ask(std::to_string(i))) == Failure::Invalid);
  }
  CHECK(f.source->health().status == HealthStatus::Ok);
  CHECK(f.source->health().failures.at("invalid") == 10);
}

TEST_CASE("limits hold at the shared address, and only there", "[search][source]") {
  SourceFixture f;
  SourceOptions options;
  options.limit = {2, 30s};
  f.backend->shared = GENERATE(true, false);
  f.make(options);
  int answered = 0;
  for (int i = 0; i < 5; ++i) {
    const Reply reply = f.ask(std::to_string(i));
    answered += reply.value ? 1 : 0;
    if (!reply.value) CHECK(reply.value.error().rate_limited);
  }
  CHECK(answered == (f.backend->shared ? 2 : 5));
  CHECK(f.ask("0").cached);  // costs no call
}

TEST_CASE("a second attempt counts as a request, too", "[search][source]") {
  SourceFixture f;
  SourceOptions options;
  options.limit = {3, 30s};
  f.backend->shared = true;
  f.make(options);
  for (int i = 0; i < 10; ++i) f.backend->failures.push_back(problem(Failure::Timeout));
  CHECK(failure_of(f.ask("1")) == Failure::Timeout);
  CHECK(f.backend->asked.size() == 2);
  CHECK(failure_of(f.ask("2")) == Failure::Timeout);  // no call is left to try it again
  CHECK(f.backend->asked.size() == 3);
  const Reply refused = f.ask("3");
  CHECK(failure_of(refused) == Failure::Unavailable);
  CHECK(refused.value.error().rate_limited);
  CHECK(f.backend->asked.size() == 3);
}

TEST_CASE("not asked without what it needs", "[search][source]") {
  SourceFixture f;
  f.backend->disabled = problem(Failure::Disabled, "no API key");
  CHECK(failure_of(f.ask("q")) == Failure::Disabled);
  CHECK(f.backend->asked.empty());
  CHECK(f.source->health().status == HealthStatus::Disabled);
}

TEST_CASE("another request of the same backend", "[search][source]") {
  SourceFixture f;
  int calls = 0;
  const Request request = [&](io::CancelScope) -> asio::awaitable<Outcome<Found>> {
    ++calls;
    co_return Found{{hit("a.b")}};
  };
  for (int i = 0; i < 2; ++i) {
    const auto answer = f.loop.run(f.source->perform({"id", 7}, request, patient()));
    REQUIRE(answer.value);
    CHECK(answer.value->hits.at(0).name == "a.b");
    CHECK(answer.cached == (i == 1));
  }
  CHECK(calls == 1);
}

TEST_CASE("the same failure again is no warning", "[search][source]") {
  const leanbridge::test::TestFolder folder;
  const std::filesystem::path file = folder / "log";
  SourceFixture f;
  const auto warnings = [&] {
    const std::string text = leanbridge::test::content_of(file);
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find("warning", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  log::configure("warning", file.string());
  for (const char* why : {"no internet", "no internet", "no route"})
    f.backend->failures.push_back(problem(Failure::Unavailable, why));
  for (const char* text : {"a", "b"}) f.ask(text);
  CHECK(warnings() == 1);
  f.ask("c");
  log::configure("off", "");
  CHECK(warnings() == 2);
}

}  // namespace leanbridge::search
