// LeanExplore's service in both versions, brought into one form.

#include "backend_fixture.hpp"

namespace leanbridge::search {

namespace {

Question about(std::string text, std::vector<std::string> packages = {}, std::size_t limit = 10) {
  Question question;
  question.text = std::move(text);
  question.packages = std::move(packages);
  question.limit = limit;
  return question;
}

}  // namespace

TEST_CASE("LeanExplore v2: search, statement, dependencies", "[search][backends]") {
  Service s;
  s.config.leanexplore_key = Secret("key-12345");
  const auto explore = make_leanexplore_api(s.network, s.config);
  s.answer("leanexplore/v2_search.json");
  const auto answer = s.loop.run(explore->ask(about("a bar", {"Demo.Foo", "Demo/Other"}), patient()));
  REQUIRE(answer);
  CHECK(s.last().target == "/api/v2/search?q=a%20bar&limit=40&packages=Demo");
  CHECK(s.last().header("authorization") == "Bearer key-12345");
  REQUIRE(answer->hits.size() == 1);
  CHECK(to_result_item(answer->hits[0]) ==
        json({{"id", 7001},
              {"primary_declaration", {{"lean_name", "Foo.bar_comm"}}},
              {"source_file", "Demo/Foo/Basic.lean"},
              {"range_start_line", 12},
              {"statement_text", "theorem Foo.bar_comm (a b : Foo) : bar a b = bar b a := by\n  rfl"},
              {"informal_description", "**Commutativity of bar.** For all a and b."}}));
  const Theorem hit = answer->hits[0];
  CHECK(hit.signature == "(a b : Foo) : bar a b = bar b a");
  CHECK(hit.kind == "theorem");
  CHECK(hit.module == "Demo.Foo.Basic");
  CHECK(hit.informal_name == "Commutativity of bar.");
  CHECK(hit.informal == "For all a and b.");
  CHECK(hit.id == 7001);
  CHECK(names(s.found(*explore, "bar")) == Names{"Foo.bar_comm", "Foo.bar"});
  CHECK(names(s.found(*explore, "bar", 1)) == Names{"Foo.bar_comm"});

  s.server.on_request([](const HttpRequest& request) {
    if (request.target == "/api/v2/declarations/7001")
      return HttpReply{200, fixture("leanexplore/v2_declaration.json")};
    if (request.target.starts_with("/api/v2/search?q=Foo.bar&"))
      return HttpReply{200, fixture("leanexplore/v2_search.json")};
    if (request.target.starts_with("/api/v2/search?q=Eq&")) return HttpReply{503, ""};
    return HttpReply{404, R"({"msg": "Not found"})"};
  });
  const auto one = s.loop.run(explore->get_by_id(7001, patient()));
  REQUIRE(one);
  CHECK(names(*one) == Names{"Foo.bar_comm"});
  const auto none = s.loop.run(explore->get_by_id(7, patient()));
  REQUIRE(none);
  CHECK(none->hits.empty());
  const auto dependencies = s.loop.run(explore->get_dependencies(7001, patient()));
  REQUIRE(dependencies);
  REQUIRE(dependencies->total == 2u);
  CHECK(dependencies->hits.at(0).id == 7002);
  CHECK(dependencies->hits.at(1).name == "Eq");
  CHECK_FALSE(dependencies->hits.at(1).id);
  const auto no_dependencies = s.loop.run(explore->get_dependencies(7, patient()));
  REQUIRE(no_dependencies);
  CHECK_FALSE(no_dependencies->total);
}

TEST_CASE("LeanExplore is asked without a key, too; if it wants one, others can answer",
          "[search][backends]") {
  Service s;
  CHECK_FALSE(make_leanexplore_api(s.network, Config())->disabled_because());
  const auto without = make_leanexplore_api(s.network, s.config);
  s.answer("leanexplore/v2_search.json");
  CHECK(names(s.found(*without, "bar", 1)) == Names{"Foo.bar_comm"});
  CHECK(s.last().header("authorization").empty());
  s.server.answer({401, R"({"msg": "Invalid or missing API key"})"});
  const Problem refused = s.problem(*without);
  CHECK(refused.failure == Failure::Unavailable);
  CHECK(refused.hint.find("LEANEXPLORE_API_KEY") != std::string::npos);
  s.config.leanexplore_key = Secret("wrong");
  CHECK(s.problem(*make_leanexplore_api(s.network, s.config)).failure == Failure::Auth);
}

TEST_CASE("An item has what is known, and nothing else", "[search][backends]") {
  Theorem item;
  item.name = "Foo.bar";
  CHECK(to_result_item(item) == json({{"primary_declaration", {{"lean_name", "Foo.bar"}}},
                                      {"source_file", ""},
                                      {"range_start_line", 0},
                                      {"statement_text", ""}}));
  item.id = 7;
  item.docstring = "Text.";
  CHECK(to_result_item(item)["id"] == 7);
  CHECK(to_result_item(item)["docstring"] == "Text.");
}

}  // namespace leanbridge::search
