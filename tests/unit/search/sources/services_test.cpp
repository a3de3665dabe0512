// Each service's answers, in the documented form and in earlier ones.

#include "backend_fixture.hpp"
#include "core/base/percent.hpp"
#include "search/sources/source.hpp"

namespace leanbridge::search {

TEST_CASE("Loogle: what is asked and what is read", "[search][backends]") {
  Service s;
  const auto loogle = make_loogle(s.network, s.config);
  CHECK(loogle->name() == "loogle");
  CHECK(loogle->remote());
  s.answer("loogle/hits.json");
  const Found found = s.found(*loogle, " #find Real.sin,\n\"x₁\" ");
  CHECK(s.last().method == "GET");
  CHECK(s.last().target == "/path?q=Real.sin%2C%20%22x%E2%82%81%22");
  CHECK(s.last().header("user-agent") == "leanbridge/test");
  CHECK(names(found) == Names{"Foo.bar_comm", "Foo.«odd name».x₁", "Foo.bar_zero"});
  CHECK(found.hits[0].signature == "(a b : Foo) : bar a b = bar b a");
  CHECK(found.hits[0].module == "Demo.Foo.Basic");
  CHECK(found.hits[0].docstring == "Bars commute.");
  CHECK(found.hits[1].module.empty());
  CHECK(found.total == 3u);
  CHECK(found.suggestions == Names{"Foo.bar _"});
  CHECK(found.note == "Found 3 declarations mentioning Foo.bar.");
  CHECK(names(s.found(*loogle, "x", 1)) == Names{"Foo.bar_comm"});
  CHECK(names(s.found(*loogle, "x", 10, {"Demo/Foo"})) == Names{"Foo.bar_comm", "Foo.«odd name».x₁"});
  s.answer("loogle/nothing.json");
  CHECK(s.found(*loogle, "x").hits.empty());
}

TEST_CASE("Loogle: an error of the query is the caller's, a crash is not", "[search][backends]") {
  Service s;
  const auto loogle = make_loogle(s.network, s.config);
  s.answer("loogle/unknown.json");
  const Problem unknown = s.problem(*loogle, "bar_comm");
  CHECK(unknown.failure == Failure::Invalid);
  CHECK(unknown.message.find("unknown identifier 'bar_comm' in the query") != std::string::npos);
  CHECK(unknown.suggestions == Names{"\"bar_comm\"", "Foo.bar_comm"});
  CHECK(to_error(unknown).hint.find("Foo.bar_comm") != std::string::npos);
  s.answer("loogle/crash.json");
  CHECK(s.problem(*loogle, "x").failure == Failure::Unavailable);
  s.answer("loogle/busy.json", 503, {{"Retry-After", "5"}});
  const Problem busy = s.problem(*loogle, "x");
  CHECK(busy.failure == Failure::Unavailable);
  CHECK(busy.retry_after == std::chrono::seconds(5));
  CHECK_FALSE(busy.rate_limited);
  s.server.answer({200, "{}"});
  CHECK(s.problem(*loogle, "x").failure == Failure::Invalid);
  const std::size_t asked = s.server.requests().size();
  CHECK(s.problem(*loogle, " \n").failure == Failure::Invalid);
  CHECK(s.server.requests().size() == asked);
}

TEST_CASE("only the public services have rate limits", "[search][backends]") {
  Service s;
  const auto all = {make_leansearch, make_loogle, make_leanfinder, make_hammer};
  for (const auto make : all) {
    const auto backend = make(s.network, Config());
    INFO(backend->name());
    CHECK(backend->is_shared());
    CHECK(shared_limit(backend->name()).calls > 0);
    CHECK_FALSE(make(s.network, s.config)->is_shared());
  }
}

TEST_CASE("LeanSearch: current and wrapped answers", "[search][backends]") {
  Service s;
  auto leansearch = make_leansearch(s.network, s.config);
  s.answer("leansearch/current.json");
  Found found = s.found(*leansearch, "odd \xff plus odd", 5);
  CHECK(s.last().method == "POST");
  CHECK(s.last().header("content-type") == "application/json");
  const json sent = json::parse(s.last().body);
  CHECK(sent["num_results"] == 5);
  CHECK(sent["query"].size() == 1);
  CHECK(names(found) == Names{"Odd.add_odd", "Odd.inst.3.«a b»"});
  CHECK(found.hits[0].signature == "∀ {a b : ℕ}, Odd a → Odd b → Even (a + b)");
  CHECK(found.hits[0].module == "Demo.Parity");
  CHECK(found.hits[0].kind == "theorem");
  CHECK(found.hits[0].informal_name == "Odd plus odd");
  CHECK(found.hits[1].signature == ": True");
  CHECK(found.hits[1].docstring == "Text.");
  CHECK(names(s.found(*leansearch, "x", 1)) == Names{"Odd.add_odd"});
  CHECK(s.found(*leansearch, "x", 9, {"Demo.Par"}).hits.empty());
  CHECK(json::parse(s.last().body)["num_results"] == 36);
  s.found(*leansearch, "x", 100'000);
  CHECK(json::parse(s.last().body)["num_results"] == 150);

  s.answer("leansearch/wrapped.json");
  found = s.found(*leansearch, "x");
  CHECK(names(found) == Names{"Odd.add_odd"});
  CHECK(found.hits[0].module == "Demo.Parity");
  for (const char* nothing : {"[[]]", "[]", "{\"results\": []}"}) {
    s.server.answer({200, nothing});
    CHECK(s.found(*leansearch, "x").hits.empty());
  }
  s.answer("leansearch/unprocessable.json", 422);
  const Problem refused = s.problem(*leansearch);
  CHECK(refused.failure == Failure::Invalid);
  CHECK(refused.message.find("less than 151") != std::string::npos);
}

TEST_CASE("Lean Finder: its answers, and which Mathlib", "[search][backends]") {
  Service s;
  const auto finder = make_leanfinder(s.network, s.config);
  s.answer("leanfinder/current.json");
  Found found = s.found(*finder, "bars commute", 5);
  CHECK(json::parse(s.last().body) ==
        json({{"inputs", "bars commute"}, {"top_k", 5}, {"version", "v4.28.0"}}));
  CHECK(names(found) == Names{"Foo.bar_comm", "Foo.baz"});
  CHECK(found.hits[0].module == "Demo.Foo.Basic");
  CHECK(found.hits[1].module == "Demo.Foo.Basic");
  CHECK(found.hits[0].informal_name == "Bars commute");
  CHECK(found.note == "Mathlib v4.28.0");
  Question other;
  other.text = "x";
  other.version = "v4.19.0";
  CHECK(s.loop.run(finder->ask(other, patient())));
  CHECK(json::parse(s.last().body)["version"] == "v4.19.0");

  s.answer("leanfinder/error.json");
  const Problem problem = s.problem(*finder);
  CHECK(problem.failure == Failure::ServerError);
  CHECK(problem.message.find("v9 is not indexed") != std::string::npos);
}

TEST_CASE("State Search: one goal, without its case", "[search][backends]") {
  Service s;
  const auto search = make_state_search(s.network, s.config);
  s.answer("state_search/hits.json");
  const Found found = s.found(*search, "case succ\nn : ℕ\n⊢ n + 0 = n\n\ncase other\n⊢ True", 7);
  CHECK(s.last().target == "/path?query=" + percent_encoded("n : ℕ\n⊢ n + 0 = n") + "&results=7&rev=v4.22.0");
  CHECK(names(found) == Names{"Nat.add_zero", "Nat.zero_add"});
  CHECK(found.hits[0].signature == "∀ (n : ℕ), n + 0 = n");
  CHECK(found.hits[0].module == "Demo.Nat");
  CHECK(found.note == "v4.22.0");
  const std::size_t asked = s.server.requests().size();
  for (const char* text : {"", "no goal", "case x"})
    CHECK(s.problem(*search, text).failure == Failure::Invalid);
  CHECK(s.server.requests().size() == asked);
  s.answer("state_search/bad_rev.json", 400);
  const Problem problem = s.problem(*search);
  CHECK(problem.failure == Failure::Invalid);
  CHECK(problem.message.find("rev v9 is unknown") != std::string::npos);
}

TEST_CASE("State Search is off unless it has a URL", "[search][backends]") {
  Service s;
  Config defaults;
  const auto off = make_state_search(s.network, defaults);
  REQUIRE(off->disabled_because());
  CHECK(off->disabled_because()->message.find("discontinued") != std::string::npos);
  defaults.offline = true;
  CHECK(make_state_search(s.network, defaults)->disabled_because()->failure == Failure::Disabled);
  const auto on = make_state_search(s.network, s.config);
  CHECK_FALSE(on->disabled_because());
  CHECK_FALSE(on->is_shared());
}

TEST_CASE("Answers of one address or version are not kept for another", "[search][backends]") {
  Service s;
  Config other = s.config;
  for (Endpoint Config::*endpoint : {&Config::leansearch, &Config::loogle, &Config::leanexplore,
                                     &Config::leanfinder, &Config::state_search, &Config::hammer})
    (other.*endpoint).url += "/elsewhere";
  for (const auto make : {make_leansearch, make_loogle, make_leanfinder, make_state_search, make_hammer}) {
    const auto backend = make(s.network, s.config);
    INFO(backend->name());
    CHECK_FALSE(backend->identity().empty());
    CHECK(backend->identity() != make(s.network, other)->identity());
  }
  CHECK(make_leanexplore_api(s.network, s.config)->identity() !=
        make_leanexplore_api(s.network, other)->identity());
  other = s.config;
  other.leanfinder_version = "v4.19.0";
  other.state_search_rev = "v4.16.0";
  for (const auto make : {make_leanfinder, make_state_search})
    CHECK(make(s.network, s.config)->identity() != make(s.network, other)->identity());
}

TEST_CASE("What is on another machine is offline, and only that", "[search][backends]") {
  Service s;
  s.config.offline = true;
  CHECK_FALSE(make_loogle(s.network, s.config)->disabled_because());  // on this machine
  s.config.loogle = Endpoint{"https://loogle.example.org/json", false};
  CHECK(make_loogle(s.network, s.config)->disabled_because()->failure == Failure::Offline);
  s.config.loogle.enabled = false;
  const auto disabled = make_loogle(s.network, s.config);
  REQUIRE(disabled->disabled_because());
  CHECK(disabled->disabled_because()->failure == Failure::Disabled);
}

TEST_CASE("Premises: state and number out, names back; an overload is no failure of the server",
          "[search][backends]") {
  Service s;
  const auto hammer = make_hammer(s.network, s.config);
  s.answer("hammer/hits.json");
  const Found found = s.found(*hammer, "n : ℕ\n⊢ n + 0 = n", 16, {"Demo"});
  const json sent = json::parse(s.last().body);
  CHECK(sent["state"] == "n : ℕ\n⊢ n + 0 = n");
  CHECK(sent["new_premises"] == json::array());
  CHECK(names(found) == Names{"Nat.add_zero", "Nat.succ_eq_add_one"});
  s.answer("hammer/overloaded.json", 500);
  CHECK(s.problem(*hammer).failure == Failure::Unavailable);
}

TEST_CASE("Items are lean-lsp-mcp's, field by field", "[search][backends]") {
  Theorem hit;
  hit.name = "A.b";
  hit.module = "M.N";
  hit.signature = "T";
  hit.informal_name = "title";
  hit.informal = "prose";
  CHECK(lean_lsp_mcp_item("leansearch", hit) ==
        json({{"name", "A.b"}, {"module_name", "M.N"}, {"kind", nullptr}, {"type", "T"}}));
  CHECK(lean_lsp_mcp_item("loogle", hit) == json({{"name", "A.b"}, {"type", "T"}, {"module", "M.N"}}));
  CHECK(lean_lsp_mcp_item("leanfinder", hit) == json({{"formal_name", "A.b"},
                                                      {"informal_name", "title"},
                                                      {"kind", ""},
                                                      {"type", "T"},
                                                      {"informal_description", "prose"},
                                                      {"path", "M.N"}}));
  hit.signature = "(n : Nat) : n = n";  // a type everywhere but in Loogle's own answers
  CHECK(lean_lsp_mcp_item("leansearch", hit)["type"] == "∀ (n : Nat), n = n");
  CHECK(lean_lsp_mcp_item("leanfinder", hit)["type"] == "∀ (n : Nat), n = n");
  CHECK(lean_lsp_mcp_item("loogle", hit)["type"] == hit.signature);
  CHECK(lean_lsp_mcp_item("state_search", hit) == json({{"name", "A.b"}}));
  CHECK(lean_lsp_mcp_item("hammer", hit) == json({{"name", "A.b"}}));
}

TEST_CASE("A long answer is read as a short one is", "[search][backends]") {
  Service s;
  const auto loogle = make_loogle(s.network, s.config);
  const auto reply = [](std::size_t padding) {
    json body = {{"header", std::string(padding, 'x')}, {"count", 1}};
    body["hits"] = {{{"name", "A.b"}, {"type", " : True"}, {"module", "M"}, {"doc", nullptr}}};
    return body.dump();
  };
  for (const std::size_t padding : {std::size_t{0}, std::size_t{1} << 20}) {
    s.server.answer(HttpReply{200, reply(padding), {}});
    CHECK(s.found(*loogle, "A").hits.at(0).name == "A.b");
    s.server.answer(HttpReply{200, reply(padding) + "]", {}});
    CHECK(s.problem(*loogle, "A").failure == Failure::ServerError);
  }
}

}  // namespace leanbridge::search
