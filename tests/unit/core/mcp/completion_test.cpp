// completion/complete for our own prompts and resources, in both eras.

#include "session_fixture.hpp"

namespace leanbridge::mcp {

using namespace leanbridge::mcp::test;

TEST_CASE("completions: those that begin with what is typed come first", "[mcp][completion]") {
  const auto of = [](const char* typed) {
    return completions_of({"Nat", "List", "natural", "Nat", "Int.nat"}, typed);
  };
  CHECK(of("").values == std::vector<std::string>{"Int.nat", "List", "Nat", "natural"});
  CHECK(of("Nat").values == std::vector<std::string>{"Nat", "Int.nat", "natural"});
  CHECK(of("x").total == 0);
  std::vector<std::string> many;
  for (int i = 0; i < 250; ++i) many.push_back("n" + std::to_string(i));
  const Completions cut = completions_of(many, "n");
  CHECK(cut.values.size() == kMaxCompletions);
  CHECK(cut.total == 250);
}

namespace {

struct CompletionFixture : SessionFixture {
  CompletionFixture() {
    SessionOptions options;
    options.title = "Title";
    options.icon = "data:x";
    Prompt own{"p", "P", "P.", {{"file", "F", true, ArgumentKind::File}, {"words", "W"}}, {}};
    options.prompts = {own};
    Resource each, fixed;
    each.uri = "lean://file/{path}/outline";
    fixed.uri = "lean://health";
    options.resources = {each, fixed};
    options.complete = [this](ArgumentKind kind, std::string typed, std::shared_ptr<Call>) {
      return candidates(kind, std::move(typed));
    };
    make(std::move(options));
  }
  asio::awaitable<std::vector<std::string>> candidates(ArgumentKind kind, std::string typed) {
    asked.push_back(typed);
    if (typed == "throw") throw std::runtime_error("a broken index");
    CHECK(kind == ArgumentKind::File);
    co_return std::vector<std::string>{"A.lean", "B.lean"};
  }
  static json params_of(json ref, const char* name, const char* value) {
    return {{"ref", std::move(ref)}, {"argument", {{"name", name}, {"value", value}}}};
  }

  std::vector<std::string> asked;
  const json prompt = {{"type", "ref/prompt"}, {"name", "p"}};
  const json file = {{"type", "ref/resource"}, {"uri", "lean://file/{path}/outline"}};
  const json health = {{"type", "ref/resource"}, {"uri", "lean://health"}};
};

}  // namespace

TEST_CASE_METHOD(CompletionFixture, "An argument that is a file is completed", "[mcp][completion]") {
  initialize();
  for (const json& ref : {prompt, file}) {
    request(1, "completion/complete", params_of(ref, ref == prompt ? "file" : "path", "B"));
    CHECK(result()["completion"] == json({{"values", {"B.lean"}}, {"total", 1}, {"hasMore", false}}));
  }
  request(2, "completion/complete", params_of(prompt, "file", "throw"));
  CHECK(result()["completion"]["total"] == 0);
  CHECK(asked == std::vector<std::string>{"B", "B", "throw"});
  asked.clear();
  for (const json& params :
       {params_of(prompt, "words", "B"), params_of(prompt, "other", "B"), params_of(health, "path", "B")}) {
    request(3, "completion/complete", params);
    CHECK(result()["completion"]["values"] == json::array());
  }
  CHECK(asked.empty());
  request(4, "completion/complete", params_of({{"type", "ref/prompt"}, {"name", "q"}}, "file", "B"));
  CHECK(error()["code"] == -32602);
}

TEST_CASE_METHOD(CompletionFixture, "Modern clients are completed for, and see title and icon",
                 "[mcp][completion]") {
  request(1, "completion/complete", modern(params_of(prompt, "file", "A.")));
  const json one = result();
  CHECK(one["completion"]["values"] == json::array({"A.lean"}));
  CHECK(one["resultType"] == "complete");
  CHECK_FALSE(one["_meta"][kMetaServerInfo].contains("icons"));  // once is enough
  request(2, "server/discover", modern());
  const json found = result();
  CHECK(found["capabilities"]["completions"] == json::object());
  CHECK(found["_meta"][kMetaServerInfo]["title"] == "Title");
  CHECK(found["_meta"][kMetaServerInfo]["icons"][0]["src"] == "data:x");
}

TEST_CASE_METHOD(CompletionFixture, "Older revisions have no icons, the oldest no title",
                 "[mcp][completion]") {
  for (const auto& [revision, title, icons] :
       {std::tuple("2025-11-25", true, true), std::tuple("2025-06-18", true, false),
        std::tuple("2024-11-05", false, false)}) {
    request("i", "initialize", {{"protocolVersion", revision}, {"capabilities", json::object()}});
    const json info = result()["serverInfo"];
    CHECK(info.contains("title") == title);
    CHECK(info.contains("icons") == icons);
  }
}

}  // namespace leanbridge::mcp
