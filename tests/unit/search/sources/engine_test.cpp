#include "search/sources/engine.hpp"

#include "scripted_backend.hpp"
#include <catch2/catch.hpp>

#include <algorithm>

namespace leanbridge::search {

using namespace test;
using namespace std::chrono_literals;
using Strings = std::vector<std::string>;

namespace {

struct EngineFixture {
  Loop loop;
  Cache cache;
  std::map<std::string, std::shared_ptr<ScriptedBackend>> backends;
  std::vector<index::Lookup> lookups;
  index::Matches local;
  std::chrono::milliseconds index_takes{0};
  std::string generation;  // "": the index has none, and none of its answers is kept
  std::optional<Engine> engine;

  explicit EngineFixture(Strings names = {"leansearch", "loogle", "leanexplore", "leanfinder",
                                          "state_search"},
                         Clock::duration patience = kPatience) {
    std::vector<std::shared_ptr<Source>> sources;
    for (const std::string& name : names) {
      backends[name] = std::make_shared<ScriptedBackend>(name);
      sources.push_back(std::make_shared<Source>(backends[name], SourceOptions{}, cache));
    }
    LocalSource index;
    index.find = [this](index::Lookup lookup, io::CancelScope) { return look_up(std::move(lookup)); };
    index.generation = [this](std::filesystem::path, io::CancelScope) { return generation_now(); };
    index.cache = &cache;
    engine.emplace(std::move(sources), std::move(index), patience);
  }
  asio::awaitable<std::string> generation_now() { co_return generation; }
  asio::awaitable<Result<index::Matches>> look_up(index::Lookup lookup) {
    lookups.push_back(std::move(lookup));
    co_await io::sleep_for(index_takes, patient());
    co_return local;
  }
  void index_has(Strings names) {
    for (const std::string& name : names) {
      index::Match found;
      found.name = name;
      local.found.push_back(found);
    }
  }
  SearchAnswer search(std::string_view text, io::CancelScope scope = patient()) {
    SearchRequest request;
    request.query = analyse(text);
    auto answer = loop.run(engine->search(std::move(request), scope));
    REQUIRE(answer);
    return *answer;
  }
};

Strings names_of(const SearchAnswer& answer) {
  Strings names;
  for (const Theorem& theorem : answer.results) names.push_back(theorem.name);
  return names;
}

const SourceReport& report(const SearchAnswer& answer, const std::string& source,
                           const std::string& fallback_for = "") {
  const auto found =
      std::find_if(answer.sources.begin(), answer.sources.end(), [&](const SourceReport& each) {
        return each.source == source && each.fallback_for.value_or("") == fallback_for;
      });
  REQUIRE(found != answer.sources.end());
  return *found;
}

}  // namespace

TEST_CASE("all sources are asked, each in its form, and joined", "[search][engine]") {
  EngineFixture f;
  f.backends["leansearch"]->answer({"Nat.add_comm", "x.y"});
  f.backends["leanfinder"]->answer({"Nat.add_comm"});
  f.backends["loogle"]->answer({"Nat.add_comm"});
  f.index_has({"Nat.add_comm"});
  const auto answer = f.search("commutativity of addition: a + b = b + a");
  CHECK(f.backends["loogle"]->asked.at(0).text == "?a + ?b = ?b + ?a");
  CHECK(f.backends["leansearch"]->asked.at(0).text == "commutativity of addition: a + b = b + a");
  CHECK(f.backends["state_search"]->asked.empty());
  CHECK(names_of(answer) == Strings{"Nat.add_comm", "x.y"});
  CHECK(answer.results[0].ranks.size() == 4);
  CHECK_FALSE(report(answer, "leansearch").failure);
  CHECK(report(answer, "leansearch").count == 2);
  CHECK(report(answer, "local").count == 1);
  CHECK(answer.forms.at("loogle") == "?a + ?b = ?b + ?a");
  CHECK_FALSE(answer.forms.contains("state_search"));
  for (const SourceReport& each : answer.sources) CHECK_FALSE(each.fallback_for.has_value());
}

TEST_CASE("a goal goes to the sources of premises, too", "[search][engine]") {
  EngineFixture f;
  const auto answer = f.search("n : Nat\n⊢ n + 0 = n");
  CHECK(f.backends["state_search"]->asked.at(0).text == "n : Nat\n⊢ n + 0 = n");
  CHECK(f.backends["loogle"]->asked.at(0).text == "⊢ (?n : Nat) + 0 = ?n");
}

TEST_CASE("what the index has said is kept for as long as it stays the same", "[search][engine]") {
  EngineFixture f;
  f.generation = "1";
  f.index_has({"a.b"});
  f.local.found[0].signature = ": True";
  f.local.found[0].file = "A.lean";
  f.local.found[0].line = 7;
  f.local.found[0].approximate = true;
  for (int i = 0; i < 4; ++i) f.backends["leanfinder"]->failures.push_back(problem(Failure::Unavailable));
  const auto first = f.search("words about a thing");
  REQUIRE(f.lookups.size() == 1);
  CHECK_FALSE(report(first, "local").cached);
  const auto again = f.search("words about a thing");
  CHECK(f.lookups.size() == 1);
  CHECK(report(again, "local").cached);
  CHECK(report(again, "local", "leanfinder").cached);
  REQUIRE(names_of(again) == names_of(first));
  CHECK(again.results[0].signature == ": True");
  CHECK(again.results[0].line == 7);
  CHECK(again.results[0].type_from == Trust::Printed);
  CHECK(again.results[0].confidence == first.results[0].confidence);
  f.search("other words");
  CHECK(f.lookups.size() == 2);
  f.generation = "2";
  f.local.found[0].name = "c.d";
  CHECK(names_of(f.search("words about a thing")) == Strings{"c.d"});
  CHECK(f.lookups.size() == 3);
}

TEST_CASE("what an index says that is not whole, or has no name for its state, is not kept",
          "[search][engine]") {
  EngineFixture f;
  f.index_has({"a.b"});
  for (int i = 0; i < 2; ++i) CHECK_FALSE(report(f.search("words"), "local").cached);
  f.generation = "1";
  f.local.complete = false;
  for (int i = 0; i < 2; ++i) CHECK_FALSE(report(f.search("words"), "local").cached);
  CHECK(f.lookups.size() == 4);
}

TEST_CASE("a slow source does not hold the answer", "[search][engine]") {
  EngineFixture f;
  f.backends["leanfinder"]->held = true;
  f.backends["leansearch"]->answer({"a.b"});
  f.index_has({"c.d"});
  const auto answer = f.search("some words about a thing", io::CancelScope(50ms));
  CHECK(report(answer, "leanfinder").failure == Failure::Late);
  CHECK_FALSE(report(answer, "local", "leanfinder").failure);
  CHECK(names_of(answer).size() == 2);
  f.backends["leanfinder"]->release();
  f.loop.settle();
  CHECK(report(f.search("some words about a thing"), "leanfinder").cached);
}

TEST_CASE("a silent source holds up an answer only until the index has answered and patience is over",
          "[search][engine]") {
  EngineFixture f({"leansearch", "leanfinder"}, 30ms);
  f.backends["leanfinder"]->held = true;
  f.backends["leansearch"]->answer({"a.b"});
  f.index_has({"c.d"});
  f.index_takes = 90ms;
  const auto start = Clock::now();
  const auto answer = f.search("some words about a thing");
  const auto took = Clock::now() - start;
  CHECK(took >= 90ms);
  CHECK(took < 5s);
  CHECK(report(answer, "leanfinder").failure == Failure::Late);
  CHECK_FALSE(report(answer, "local").failure);
  CHECK(names_of(answer).size() == 2);
  CHECK(searched_line(answer.sources) == "local, leansearch (leanfinder late)");
  // Its late answer serves the next search.
  f.backends["leanfinder"]->answer({"e.f"});
  f.backends["leanfinder"]->release();
  f.loop.settle();
  const auto next = f.search("some words about a thing");
  CHECK(report(next, "leanfinder").cached);
  CHECK(names_of(next).size() == 3);
}

TEST_CASE("the end of a call does not end what a late source is still doing", "[search][engine]") {
  EngineFixture f({"leanfinder"}, 10ms);
  f.backends["leanfinder"]->held = true;
  const auto cancel = std::make_shared<io::CancelSource>();
  f.search("some words about a thing", patient(cancel));
  cancel->cancel();  // as the session does after its answer
  f.loop.settle();
  CHECK(f.backends["leanfinder"]->cancelled == 0);
  f.backends["leanfinder"]->release();
  f.loop.settle();
  CHECK(report(f.search("some words about a thing"), "leanfinder").cached);
}

TEST_CASE("prose goes to the index as it is, and not to Loogle", "[search][engine]") {
  EngineFixture f({"loogle"});
  f.index_has({"Nat.add_comm", "Int.sub_self"});
  const auto answer = f.search("the addition of natural numbers commutes");
  REQUIRE(f.lookups.size() == 1);
  CHECK(f.lookups[0].words == "the addition of natural numbers commutes");
  CHECK(f.backends["loogle"]->asked.empty());
  CHECK(report(answer, "loogle").failure == Failure::Skipped);
}

TEST_CASE("what falls back and what is only reported", "[search][engine]") {
  EngineFixture f({"leansearch", "loogle"});
  f.index_has({"c.d"});
  const auto [failure, falls] = GENERATE(table<Failure, bool>({{Failure::Timeout, true},
                                                               {Failure::Unavailable, true},
                                                               {Failure::Invalid, false},
                                                               {Failure::ServerError, false},
                                                               {Failure::Auth, false}}));
  f.backends["leansearch"]->failures = {problem(failure, "why"), problem(failure, "why")};
  const auto answer = f.search("words about things");
  CHECK(report(answer, "leansearch").failure == failure);
  CHECK(report(answer, "leansearch").error == "why");
  const auto stands_in =
      std::count_if(answer.sources.begin(), answer.sources.end(),
                    [](const SourceReport& each) { return each.fallback_for == "leansearch"; });
  CHECK(stands_in == (falls ? 1 : 0));
  CHECK(names_of(answer) == Strings{"c.d"});
}

TEST_CASE("Loogle is stood in for by type, the others by words", "[search][engine]") {
  EngineFixture f({"leansearch", "loogle"});
  SearchRequest request;
  request.query = analyse("commutativity of addition a + b = b + a");
  request.sources = {"loogle", "leansearch"};
  f.backends["loogle"]->failures = {problem(Failure::Unavailable)};
  f.backends["leansearch"]->failures = {problem(Failure::Unavailable)};
  f.index_has({"c.d"});
  const auto answer = f.loop.run(f.engine->search(request, patient()));
  REQUIRE(answer);
  REQUIRE(f.lookups.size() == 2);
  CHECK(f.lookups[0].words == "commutativity addition");
  CHECK(f.lookups[1].constants == Strings{"HAdd.hAdd", "Eq"});
  CHECK(report(*answer, "local", "loogle").count == 1);
  CHECK(report(*answer, "local", "leansearch").count == 1);
  CHECK(answer->results.at(0).only_fallback);
}

TEST_CASE("only the sources that are named", "[search][engine]") {
  EngineFixture f;
  f.index_has({"c.d"});
  SearchRequest request;
  request.query = analyse("words about things");
  request.sources = {"leansearch"};
  f.backends["leansearch"]->answer({"a.b"});
  auto answer = f.loop.run(f.engine->search(request, patient()));
  REQUIRE(answer);
  CHECK(names_of(*answer) == Strings{"a.b"});
  CHECK(answer->sources.size() == 1);
  CHECK(f.backends["leanfinder"]->asked.empty());
  request.sources = {"moogle"};
  answer = f.loop.run(f.engine->search(request, patient()));
  REQUIRE_FALSE(answer);
  CHECK(answer.error().kind == ErrorKind::InvalidArgument);
}

TEST_CASE("a source without a form, or without a key, is not asked", "[search][engine]") {
  EngineFixture f({"loogle", "leanexplore"});
  f.backends["leanexplore"]->disabled = problem(Failure::Disabled, "no API key");
  const auto answer = f.search("words about things");
  CHECK(report(answer, "loogle").failure == Failure::Skipped);
  CHECK(report(answer, "leanexplore").failure == Failure::Disabled);
  CHECK_FALSE(report(answer, "local", "leanexplore").failure);
  CHECK(f.backends["loogle"]->asked.empty());
}

namespace {

asio::awaitable<Outcome<Found>> found_at_once(Outcome<Found> found) {
  co_return found;
}

LiveSource live(std::string name, Outcome<Found> found) {
  return {std::move(name), [found](io::CancelScope) { return found_at_once(found); }};
}

}  // namespace

TEST_CASE("Lean itself is a source of a search", "[search][engine]") {
  EngineFixture f;
  f.index_has({"x.local"});
  Found closing;
  closing.hits.emplace_back();
  closing.hits.back().name = "x.closing";
  closing.note = "exact x.closing";
  closing.closes_goal = true;
  const Problem late = problem(Failure::Timeout, "Lean did not answer.");
  SearchRequest request;
  request.query = analyse("n : Nat\n⊢ n + 0 = n");
  request.live = {live(kProofSearch, closing), live("other", tl::unexpected(late))};
  const auto answer = f.loop.run(f.engine->search(request, patient()));
  REQUIRE(answer);
  CHECK(answer->results.at(0).name == "x.closing");
  CHECK(report(*answer, kProofSearch).note == "exact x.closing");
  CHECK(report(*answer, "other").failure == Failure::Timeout);
  request.sources = {"local"};
  const auto without = f.loop.run(f.engine->search(request, patient()));
  REQUIRE(without);
  CHECK(names_of(*without) == Strings{"x.local"});
}

TEST_CASE("what the index says of a pattern is told", "[search][engine]") {
  EngineFixture f({"loogle"});
  f.index_has({"x.near"});
  f.local.nearest = true;
  CHECK(report(f.search("?a + ?b = ?b + ?a"), "local").note->find("No type fits") != std::string::npos);
  f.local.nearest = false;
  f.local.bounded = true;
  CHECK(report(f.search("?a * ?b = ?b * ?a"), "local").note->find("Only a part") != std::string::npos);
  CHECK(f.lookups.back().patterns == Strings{"?a * ?b = ?b * ?a"});
}

TEST_CASE("cancelled, and nothing to ask", "[search][engine]") {
  EngineFixture f;
  f.backends["leanfinder"]->held = true;
  const auto cancel = std::make_shared<io::CancelSource>();
  SearchRequest request;
  request.query = analyse("words about things");
  auto running = f.loop.start(f.engine->search(request, patient(cancel)));
  REQUIRE(f.loop.until([&] { return f.backends["leanfinder"]->asked.size() == 1; }));
  cancel->cancel();
  CHECK(f.loop.finish(running).error().kind == ErrorKind::Cancelled);
  REQUIRE(f.loop.until([&] { return f.backends["leanfinder"]->cancelled == 1; }));
  EngineFixture none{Strings{}};
  CHECK(none.search("").results.empty());
}

TEST_CASE("one silent source: the index answers after patience, if it has found something",
          "[search][engine]") {
  EngineFixture f({"leansearch"}, 20ms);
  f.backends["leansearch"]->held = true;
  f.backends["leansearch"]->answer({"a.b"});
  const auto ask = [&](const std::string& text) {
    return f.engine->ask("leansearch", question(text), analyse("words about things"), "", patient());
  };
  f.index_has({"c.d"});
  const auto start = Clock::now();
  const auto local = f.loop.run(ask("1"));
  CHECK(Clock::now() - start < 5s);
  REQUIRE(local);
  CHECK(local->source == "local");
  CHECK(local->fallback_for == "leansearch");
  CHECK(local->problem.find("not answered yet") != std::string::npos);

  f.local.found.clear();
  auto running = f.loop.start(ask("2"));
  REQUIRE(f.loop.until([&] { return f.lookups.size() == 2; }));
  f.backends["leansearch"]->release();
  const auto own = f.loop.finish(running);
  REQUIRE(own);
  CHECK(own->source == "leansearch");
  CHECK(f.loop.run(ask("1"))->cached);
}

TEST_CASE("one source, and the index in its stead", "[search][engine]") {
  EngineFixture f({"loogle"});
  f.index_has({"c.d", "e.f"});
  const Query query = analyse("a + b = b + a");
  const auto ask = [&](const std::string& text) {
    return f.loop.run(f.engine->ask("loogle", question(text), query, "/project", patient()));
  };
  f.backends["loogle"]->answer({"Nat.add_comm"});
  auto answer = ask("1");
  REQUIRE(answer);
  CHECK(answer->source == "loogle");
  CHECK(answer->fallback_for.empty());
  CHECK(ask("1")->cached);

  f.backends["loogle"]->failures = {problem(Failure::Unavailable, "no route")};
  answer = ask("2");
  REQUIRE(answer);
  CHECK(answer->source == "local");
  CHECK(answer->fallback_for == "loogle");
  CHECK(answer->problem == "no route");
  CHECK(answer->found.hits.size() == 2);
  CHECK(f.lookups.back().project == "/project");

  f.backends["loogle"]->failures = {problem(Failure::Invalid, "unknown identifier")};
  answer = ask("3");
  REQUIRE_FALSE(answer);
  CHECK(answer.error().failure == Failure::Invalid);

  f.backends["loogle"]->held = true;
  auto late = f.loop.run(f.engine->ask("loogle", question("4"), query, "", io::CancelScope(100ms)));
  REQUIRE(late);
  CHECK(late->fallback_for == "loogle");
  CHECK(f.loop.run(f.engine->ask("leansearch", question("5"), query, "", patient()))->fallback_for ==
        "leansearch");
}

}  // namespace leanbridge::search
