// Other MCP servers as sources: which tool, which arguments, and what is read from answers of many shapes.

#include "search/sources/theorem.hpp"
#include "search/sources/upstream_backend.hpp"
#include "support/loop.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::search {

using nlohmann::json;

namespace {

json tool(const std::string& name, json properties, json required = json::array()) {
  return {{"name", name},
          {"inputSchema",
           {{"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}}}};
}

json in_text(const json& value) {
  return {{"content", json::array({{{"type", "text"}, {"text", value.dump()}}})}};
}

}  // namespace

TEST_CASE("Which tool of another server is asked", "[search][foreign]") {
  UpstreamTool wanted;
  wanted.service = "loogle";
  const json other = tool("other", json::object()), usual = tool("lean_loogle", json::object()),
             plain = tool("search", json::object());
  CHECK(choose_tool({other, plain, usual}, wanted)->at("name") == "lean_loogle");
  CHECK(choose_tool({other, plain}, wanted)->at("name") == "search");
  CHECK(choose_tool({other}, wanted)->at("name") == "other");  // the only one
  CHECK_FALSE(choose_tool({other, other}, wanted));
  wanted.tool = "other";
  CHECK(choose_tool({usual, other}, wanted)->at("name") == "other");
  CHECK_FALSE(choose_tool({usual}, wanted));
}

TEST_CASE("The arguments are those of the tool's schema", "[search][foreign]") {
  const json text = {{"type", "string"}};
  CHECK(*arguments_for(tool("t", {{"query", text}, {"limit", {{"type", "integer"}}}}), "x₁", 30) ==
        json({{"query", "x₁"}, {"limit", 30}}));
  CHECK(*arguments_for(tool("t", {{"query", text}, {"num_results", {{"maximum", 8}}}}), "x", 30) ==
        json({{"query", "x"}, {"num_results", 8}}));
  CHECK(*arguments_for(tool("t", {{"query", {{"type", "array"}, {"items", text}}}}), "x", 30) ==
        json({{"query", json::array({"x"})}}));
  CHECK(*arguments_for(tool("t", {{"wish", text}, {"other", text}}, {"wish"}), "x", 30) ==
        json({{"wish", "x"}}));
  CHECK_FALSE(arguments_for(tool("t", {{"wish", text}, {"other", text}}), "x", 30));
  CHECK_FALSE(arguments_for(json("nonsense"), "x", 30));
}

TEST_CASE("Answers of many shapes are read", "[search][foreign]") {
  const json item = {
      {"name", "Nat.add_comm"}, {"type", "∀ (n m : ℕ), n + m = m + n"}, {"module", "Init.Data.Nat.Basic"}};
  const json results[] = {
      {{"structuredContent", {{"items", json::array({item})}}}, {"content", json::array()}},
      {{"structuredContent", {{"result", json::array({item})}}}, {"content", json::array()}},
      in_text({{"results", json::array({item})}}),
      in_text(json::array({item})),
      in_text(json::array(
          {{{"query", "q"}, {"results", json::array({item})}}})),  // LeanExplore 0.3: a list of answers
      in_text(item),                                               // a text for each item
      in_text(json::array({json::array({{{"result",
                                          {{"name", {"Nat", "add_comm"}},
                                           {"type", item["type"]},
                                           {"module_name", {"Init", "Data", "Nat", "Basic"}}}},
                                         {"distance", 0.1}}})})),
  };
  for (const json& result : results) {
    INFO(result.dump());
    const auto hits = read_upstream_hits(result);
    REQUIRE(hits);
    REQUIRE(hits->size() == 1);
    CHECK(hits->front().name == "Nat.add_comm");
    CHECK(hits->front().signature == item["type"].get<std::string>());
    CHECK(hits->front().module == "Init.Data.Nat.Basic");
  }
  const auto old =
      read_upstream_hits(in_text({{"results", json::array({{{"primary_declaration", {{"lean_name", "A.b"}}},
                                                            {"source_file", "A/B.lean"},
                                                            {"range_start_line", 7},
                                                            {"informal_description", "said"}}})}}));
  REQUIRE(old);
  CHECK(old->front().name == "A.b");
  CHECK(old->front().module == "A.B");
  CHECK(old->front().line == 7);
  CHECK(old->front().informal == "said");
  SECTION("what nobody sees is left out") {
    const json dirty = {{"name",
                         "A.\xe2\x80\xae"
                         "b"},
                        {"type", "x\x1b[2J"}};
    for (const json& result : {in_text({{"results", json::array({dirty})}}),
                               json({{"structuredContent", {{"items", json::array({dirty})}}}})}) {
      const auto hits = read_upstream_hits(result);
      REQUIRE(hits);
      CHECK(hits->front().name == "A.b");
      CHECK(hits->front().signature == "x");
    }
  }
  SECTION("nothing found is an answer, prose is none") {
    CHECK(read_upstream_hits(in_text({{"results", json::array()}}))->empty());
    CHECK(read_upstream_hits(in_text(json::array()))->empty());
    CHECK_FALSE(read_upstream_hits(
        {{"content", json::array({{{"type", "text"}, {"text", "I found many things."}}})}}));
    CHECK_FALSE(read_upstream_hits(json("text")));
    CHECK_FALSE(read_upstream_hits({{"content", json::array({{{"type", "image"}, {"data", "AA=="}}})}}));
  }
}

TEST_CASE("A tool of another server as a source", "[search][foreign]") {
  json asked;
  json result = in_text(
      {{"results", json::array({{{"name", "A"}, {"module", "M.X"}}, {{"name", "B"}, {"module", "N"}}})}});
  UpstreamTool tool_of;
  tool_of.service = "leansearch";
  tool_of.server = "team";
  tool_of.offer = [](io::CancelScope) -> asio::awaitable<Outcome<std::vector<json>>> {
    co_return std::vector<json>{
        tool("leansearch", {{"query", {{"type", "string"}}}, {"limit", {{"type", "integer"}}}})};
  };
  tool_of.call = [&](std::string name, json arguments, io::CancelScope) -> asio::awaitable<Outcome<json>> {
    asked = {name, std::move(arguments)};
    co_return result;
  };
  const auto source = make_upstream_backend(tool_of);
  CHECK(source->name() == "leansearch@team");
  CHECK(source_kind(source->name()) == SourceKind::LeanSearch);
  CHECK(source_kind("loogle@team") == SourceKind::Loogle);
  CHECK_FALSE(source->disabled_because());
  Question question;
  question.text = "addition";
  question.limit = 5;
  question.packages = {"M"};
  test::Loop loop;
  const auto answer = [&] {
    return loop.run(source->ask(question, io::CancelScope(std::chrono::seconds(30))));
  };
  const auto found = answer();
  REQUIRE(found);
  REQUIRE(found->hits.size() == 1);
  CHECK(found->hits.front().name == "A");
  CHECK(asked[0] == "leansearch");
  CHECK(asked[1]["query"] == "addition");
  SECTION("the tool's own error, and prose, are reported") {
    result = {{"isError", true}, {"content", json::array({{{"type", "text"}, {"text", "no key\n"}}})}};
    CHECK(answer().error().failure == Failure::ServerError);
    CHECK(answer().error().message.find("no key") != std::string::npos);
    result = {{"content", json::array({{{"type", "text"}, {"text", "Sorry."}}})}};
    CHECK(answer().error().failure == Failure::ServerError);
  }
  SECTION("with the network off it is not asked") {
    tool_of.disabled = true;
    CHECK(make_upstream_backend(tool_of)->disabled_because());
  }
}

}  // namespace leanbridge::search
