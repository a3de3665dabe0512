// The edits that a scripted Lean offers.

#include "core/ide/code_actions.hpp"

#include "core/ide/ide_fixture.hpp"

namespace leanbridge::ide {

using namespace ide::test;

namespace {

struct ActionFixture : IdeFixture {
  void offers(json actions) {
    scripted.answers["textDocument/codeAction"] = [this, actions](const std::string&, const json& params) {
      asked = params;
      return actions;
    };
  }
  Result<std::optional<std::vector<OfferedAction>>> ask(const OpenFile& file,
                                                        std::vector<std::string> only = {},
                                                        io::CancelScope scope = patient()) {
    return loop.run(offered_actions(file, file.text().lsp_range(0, file.text().str().size()), std::move(only),
                                    std::move(scope)));
  }
  static json insertion(const char* text) {
    const json at = {{"line", 0}, {"character", 0}};
    return {{"range", {{"start", at}, {"end", at}}}, {"newText", text}};
  }

  json asked;
};

std::optional<std::string> edited(const std::string& source,
                                  std::vector<std::tuple<std::size_t, std::size_t, std::string>> edits) {
  const text::Text text(source);
  std::vector<OfferedEdit> all;
  for (const auto& [begin, end, by] : edits) all.push_back({text.lsp_range(begin, end), by});
  return with_edits(text, all);
}

}  // namespace

TEST_CASE("edits of an action are made together, insertions at one place in their order", "[ide][actions]") {
  CHECK(edited("one two three", {{8, 13, "3"}, {0, 3, "1"}}) == "1 two 3");
  CHECK(edited("ab", {{1, 1, "x"}, {1, 1, "y"}}) == "axyb");
  CHECK(edited("ab", {{0, 1, ""}, {1, 2, "c"}}) == "c");
  CHECK(edited("𝔸 → b", {{9, 10, "𝔹"}}) == "𝔸 → 𝔹");
  CHECK(edited("", {{0, 0, "import A\n"}}) == "import A\n");
  CHECK(edited("same", {}) == "same");
}

TEST_CASE("edits that overlap, or run backwards, are none", "[ide][actions]") {
  CHECK_FALSE(edited("abcd", {{0, 2, "x"}, {1, 3, "y"}}));
  const text::Text text("abcd");
  CHECK_FALSE(with_edits(text, {{{text.lsp_range(2, 2).start, text.lsp_range(1, 1).start}, "x"}}));
}

TEST_CASE_METHOD(ActionFixture, "an action has its edits, wherever Lean writes them", "[ide][actions]") {
  offers(json::array(
      {{{"title", "one"},
        {"kind", "quickfix"},
        {"isPreferred", true},
        {"edit", {{"documentChanges", {{{"textDocument", json::object()}, {"edits", {insertion("a")}}}}}}}},
       {{"title", "two"},
        {"edit", {{"changes", {{"file:///A.lean", {insertion("b"), {{"newText", "c"}}}}}}}}},
       {{"title", "none"}},
       "noise"}));
  const auto found = ask(open("A.lean", "def a := 1\n"), {"quickfix"});
  REQUIRE(found.has_value());
  REQUIRE(found->has_value());
  const std::vector<OfferedAction>& all = **found;
  REQUIRE(all.size() == 3);
  CHECK(all[0].is_preferred);
  CHECK(all[0].kind == "quickfix");
  REQUIRE(all[0].edits.size() == 1);
  CHECK(all[0].edits[0].new_text == "a");
  REQUIRE(all[1].edits.size() == 1);
  CHECK(all[1].edits[0].new_text == "b");
  CHECK(all[2].edits.empty());
  CHECK(asked["context"]["only"] == json::array({"quickfix"}));
  CHECK(asked["range"]["end"] == json({{"line", 1}, {"character", 0}}));
}

TEST_CASE_METHOD(ActionFixture, "an action that Lean only names is asked for its edits", "[ide][actions]") {
  offers(json::array({{{"title", "lazy"}, {"data", {{"uri", uri("A.lean")}}}}}));
  lake.on_message = [this](FakeServer& server, const json& message) {
    if (message.value("method", "") == "codeAction/resolve")
      server.reply(message, {{"title", "lazy"}, {"edit", {{"changes", {{"f", {insertion("a")}}}}}}});
    else
      scripted.receive(server, message);
  };
  const auto found = ask(open("A.lean", "def a := 1\n"));
  REQUIRE(found.has_value());
  REQUIRE((*found)->size() == 1);
  CHECK((*found)->front().edits.size() == 1);
}

TEST_CASE_METHOD(ActionFixture, "a late Lean offers nothing, one that has none offers an empty list",
                 "[ide][actions]") {
  const OpenFile file = open("A.lean", "def a := 1\n");
  const auto none = ask(file);
  REQUIRE(none.has_value());
  REQUIRE(none->has_value());
  CHECK((*none)->empty());
  const auto late = ask(file, {}, expired());
  REQUIRE(late.has_value());
  CHECK_FALSE(late->has_value());
  const io::CancelScope scope = patient();
  scope.cancel->cancel();
  CHECK(ask(file, {}, scope).error().kind == ErrorKind::Cancelled);
}

TEST_CASE_METHOD(ActionFixture, "edits of a text that was changed meanwhile are refused", "[ide][actions]") {
  const OpenFile file = open("A.lean", "def a := 1\n");
  lake.on_message = [this](FakeServer& server, const json& message) {
    if (message.value("method", "") != "textDocument/codeAction" ||
        server.all("textDocument/codeAction").size() > 1)
      scripted.receive(server, message);
  };
  auto asking = loop.start(offered_actions(file, file.text().lsp_range(0, 3), {}, patient()));
  question("textDocument/codeAction", 1);
  write("A.lean", "-- new\ndef a := 1\n");
  sync("A.lean");
  const auto& found = loop.finish(asking);
  REQUIRE_FALSE(found.has_value());
  CHECK_THAT(found.error().message, Catch::Contains("changed meanwhile"));
}

}  // namespace leanbridge::ide
