// Completions, and what a scripted Lean knows of names.

#include "core/ide/name_lookup.hpp"

#include "core/ide/ide_fixture.hpp"

namespace leanbridge::ide {

using namespace ide::test;

namespace {

std::vector<std::string> labels(const std::vector<Completion>& found) {
  std::vector<std::string> all;
  for (const Completion& each : found) all.push_back(each.label);
  return all;
}

struct LookupFixture : IdeFixture {
  LookupFixture() {
    scripted.messages = {{"#check @_root_.Nat.succ", "Nat.succ : Nat → Nat", 3},
                         {"#check @_root_.«a b»", "«a b» : Nat", 3},
                         {"#check @_root_.gone", "Unknown constant `gone`"}};
    scripted.answers["textDocument/hover"] = [this](const std::string& text, const json& params) {
      asked.push_back(params["position"]);
      const text::Text lines(text);
      const std::string_view line = lines.line(params["position"]["line"].get<std::size_t>());
      return line.find("succ") == line.npos
                 ? json()
                 : json({{"contents",
                          {{"kind", "markdown"},
                           {"value",
                            "```lean\nNat.succ : Nat → Nat\n```\n***\nOne more.\n***\n*import Init*"}}}});
    };
    scripted.answers["textDocument/definition"] = [this](const std::string& /*text*/, const json& params) {
      const json place = {{"line", 0}, {"character", 4}};
      return json::array({{{"uri", defined_in.empty() ? params["textDocument"]["uri"] : json(defined_in)},
                           {"range", {{"start", place}, {"end", place}}}}});
    };
  }
  std::vector<NameInfo> look(std::vector<std::string> names,
                             DefinitionPlaces places = DefinitionPlaces::Include) {
    const OpenFile file = open("A.lean", "def «a b» := 1\n");
    auto found = loop.run(look_up(file, whole_context(file), std::move(names), places, patient()));
    if (!found) FAIL(found.error().message);
    return *found;
  }

  std::string defined_in;
  std::vector<json> asked;
};

}  // namespace

TEST_CASE("completions are sorted by how they begin, and then the shorter ones first", "[ide][lookup]") {
  const auto item = [](const char* label) { return json({{"label", label}}); };
  const json answer = {{"isIncomplete", true},
                       {"items",
                        {item("elsewhere"), item("Nat.add_comm"), item("xadd"), item("addition"), item("add"),
                         item("add_b"), item("add_a"), item("-"), item(""), json(1)}}};
  CHECK(labels(read_completions(answer, "add")) ==
        std::vector<std::string>{"add", "add_a", "add_b", "addition", "Nat.add_comm", "xadd", "elsewhere"});
  CHECK(labels(read_completions(answer["items"], "Nat.add")) ==
        std::vector<std::string>{"add", "add_a", "add_b", "addition", "Nat.add_comm", "xadd", "elsewhere"});
  CHECK(read_completions(json(), "add").empty());
}

TEST_CASE("a completion has the constant that Lean means, old and new Leans say it in their way",
          "[ide][lookup]") {
  const auto read = [](const json& data, const json& kind = 3U) {
    return read_completions(json::array({{{"label", "b"}, {"kind", kind}, {"data", data}}}), "b").front();
  };
  CHECK(read({"file:///A.lean", 1, 2, "cA.b"}).name == "A.b");
  CHECK(read({{"id", {{"const", {{"declName", "A.b"}}}}}}).name == "A.b");
  CHECK(read({"file:///A.lean", 1, 2, "f_uniq.1"}).name == "b");  // a local variable
  CHECK(read(json()).name == "b");
  CHECK(read(json()).kind == "function");
  CHECK(read(json(), 26U).kind.empty());
  CHECK(read(json(), -1).kind.empty());
  CHECK(read(json(), "function").kind.empty());
}

TEST_CASE("the word before a place has its dots, and ends where code does", "[ide][lookup]") {
  const auto word = [](const std::string& before) {
    return word_before(text::Text(before + " rest"), before.size());
  };
  CHECK(word("exact Nat.add_") == "Nat.add_");
  CHECK(word("simp [h.1, foo") == "foo");
  CHECK(word("(α₁.x'") == "α₁.x'");
  CHECK(word("line\nnext") == "next");
  CHECK(word("by ").empty());
  CHECK(word("").empty());
}

TEST_CASE("a query is a whole name, or what stands behind a dot of it", "[ide][lookup]") {
  CHECK(matches_name("A.b.c", "A.b.c"));
  CHECK(matches_name("A.b.c", "b.c"));
  CHECK_FALSE(matches_name("A.ab", "b"));
  CHECK_FALSE(matches_name("b", "A.b"));
}

TEST_CASE_METHOD(LookupFixture, "names are told in the order of the question, also those that Lean has not",
                 "[ide][lookup]") {
  const auto found = look({"gone", "Nat.succ", "a b", "not\na name"});
  REQUIRE(found.size() == 4);
  CHECK(found[0].name == "gone");
  CHECK_FALSE(found[0].known);
  CHECK_FALSE(found[0].place);
  CHECK(found[1].known);
  CHECK(found[1].module == "Init");
  CHECK(found[1].docstring == "One more.");
  CHECK_FALSE(found[3].known);
  CHECK(asked.size() == 2);  // of the two that are known
}

TEST_CASE_METHOD(LookupFixture, "what is defined in the scratch document is in the user's file",
                 "[ide][lookup]") {
  const auto own = look({"Nat.succ"});
  REQUIRE(own.front().place);
  CHECK(own.front().place->path == project / "A.lean");
  defined_in = "file:///lean/Init.lean";
  CHECK(look({"Nat.succ"}).front().place->path == "/lean/Init.lean");
  CHECK_FALSE(look({"Nat.succ"}, DefinitionPlaces::Omit).front().place);
}

TEST_CASE_METHOD(LookupFixture, "without a name that can be written Lean is not asked", "[ide][lookup]") {
  const OpenFile file = open("A.lean", "");
  const std::size_t opened = count(kOpen);
  const auto found = loop.run(look_up(store, {.text = "import Init\n"}, {"\n", ""}, patient()));
  REQUIRE(found.has_value());
  CHECK(found->size() == 2);
  CHECK(count(kOpen) == opened);
}

TEST_CASE_METHOD(LookupFixture, "completions are of what is typed behind the context, in UTF-16 places",
                 "[ide][lookup]") {
  json place;
  scripted.says = [](const std::string&) {
    return std::vector<ScriptedLean::Message>{{"#check 𝔸.fo", "unknown"}};
  };
  scripted.answers["textDocument/completion"] = [&](const std::string& /*text*/, const json& params) {
    place = params["position"];
    return json({{"items", {{{"label", "foo"}}}}});
  };
  const OpenFile file = open("A.lean", "def a := 1");
  const auto found = loop.run(complete(file, whole_context(file), "𝔸.fo", patient()));
  REQUIRE(found.has_value());
  CHECK(labels(*found) == std::vector<std::string>{"foo"});
  CHECK(place == json({{"line", 1}, {"character", 12}}));
}

TEST_CASE_METHOD(LookupFixture, "the index has no scratch documents, and no answer is no symbol",
                 "[ide][lookup]") {
  const OpenFile file = open("A.lean", "def a := 1\n");
  auto asking = loop.start(indexed_symbols(store, "a", patient()));
  const json place = {{"line", 0}, {"character", 4}};
  const auto symbol = [&](const std::string& path) {
    return json({{"name", "a"},
                 {"location", {{"uri", "file://" + path}, {"range", {{"start", place}, {"end", place}}}}}});
  };
  const json asked_for = question("workspace/symbol", 1);
  CHECK(asked_for["params"]["query"] == "a");
  const auto scratch = project / ".leanbridge-scratch-1.lean";
  lean().reply(asked_for, json::array({symbol("/p/B.lean"), json(1), {{"name", "no place"}}}));
  const auto& found = loop.finish(asking);
  REQUIRE(found.size() == 1);
  CHECK(found.front().place.path == "/p/B.lean");
  CHECK(loop.run(indexed_symbols(store, "a", expired())).empty());
}

TEST_CASE("a part of a name is completed as Lean spells it", "[ide][names]") {
  CHECK(word_to_complete("add_comm") == "add_comm");
  CHECK(word_to_complete("Nat.add_") == "Nat.add_");
  CHECK(word_to_complete("Nat.") == "Nat.");
  CHECK(word_to_complete("«a b».") == "«a b».");
  for (const std::string part : {"", ".", "n + m", "the theorem"}) {
    INFO(part);
    const auto word = word_to_complete(part);
    REQUIRE_FALSE(word);
    CHECK(word.error().message == "'" + part + "' is not part of a name.");
  }
}

}  // namespace leanbridge::ide
