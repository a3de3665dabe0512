// The types of terms, by a scripted Lean.

#include "core/ide/term_type.hpp"

#include "core/ide/ide_fixture.hpp"

namespace leanbridge::ide {

using namespace ide::test;

namespace {

constexpr const char* kWithNotation =
    "notation \"⋆\" => 1\ntheorem a (n : Nat) : n = n := by\n  skip\n  rfl\n";

struct TypeFixture : IdeFixture {
  TypeFixture() {
    scripted.answers["$/lean/rpc/call"] = [](const std::string& text, const json& params) {
      return params["method"] == "Lean.Widget.getInteractiveDiagnostics" ? checked(text) : in_proof();
    };
    write("A.lean", kWithNotation);
  }

  /// As Lean prints `#check`.
  static json checked(const std::string& text) {
    const std::size_t at = text.find("#check");
    if (at == std::string::npos) return json::array();
    const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    const auto piece = [](const char* said) { return json({{"text", said}}); };
    const json place = {{"line", line}, {"character", 0}};
    return json::array({{{"severity", 3},
                         {"range", {{"start", place}, {"end", place}}},
                         {"message", {{"append", {piece("1 + 1"), piece(" : "), piece("Nat")}}}}}});
  }
  static json in_proof() {
    const auto hypothesis = [](const char* name, const char* type) {
      return json({{"names", {name}}, {"type", {{"text", type}}}});
    };
    const json hypotheses = {hypothesis("n", "Nat"), hypothesis("leanbridge_it", "n = n")};
    return {{"goals", {{{"hyps", hypotheses}, {"type", {{"text", "n = n"}}}, {"goalPrefix", "⊢ "}}}}};
  }
  Result<TermType> ask(std::string expression, ContextPosition at = {}, io::CancelScope scope = patient()) {
    return loop.run(
        type_of_term(environment, operation(std::move(scope)), {{"A.lean"}, std::move(expression), at}));
  }
  /// Of any text, whether it has this command.
  bool has_asked(std::string_view command) {
    return std::ranges::any_of(asked, [&](const std::string& each) { return contains(each, command); });
  }
  /// Each message that the scripted Lean gives, and the texts that it was asked about.
  void says(std::vector<ScriptedLean::Message> messages) {
    scripted.says = [this, messages](const std::string& text) {
      asked.push_back(text);
      return messages;
    };
  }

  std::vector<std::string> asked;
};

}  // namespace

TEST_CASE_METHOD(TypeFixture, "a term has the type that #check prints after the header", "[ide][type]") {
  says({{"#check", "1 + 1 : Nat", 3}});
  const auto found = ask("1 + 1");
  REQUIRE(found.has_value());
  CHECK(found->type == wire::Nullable<std::string>(std::string("Nat")));
  CHECK_FALSE(found->in_proof);
  CHECK(found->diagnostics.empty());
  CHECK(has_asked("#check (1 + 1"));
}

TEST_CASE_METHOD(TypeFixture, "why a term has no type is told at places in the expression", "[ide][type]") {
  says({{"missing", "unknown identifier 'missing'"}});
  const auto found = ask("1 +\nmissing");
  REQUIRE(found.has_value());
  CHECK_FALSE(found->type);
  REQUIRE(found->diagnostics.size() == 1);
  CHECK(found->diagnostics.front().line == 2);
  CHECK(found->diagnostics.front().column == 1);
  CHECK(found->diagnostics.front().end_column == 8);
}

TEST_CASE_METHOD(TypeFixture, "a term that the header does not know is tried after the whole file",
                 "[ide][type]") {
  scripted.says = [this](const std::string& text) {
    asked.push_back(text);
    using Messages = std::vector<ScriptedLean::Message>;
    return contains(text, "notation") ? Messages{{"#check", "⋆ : Nat", 3}}
                                      : Messages{{"#check", "unexpected token"}};
  };
  const auto found = ask("⋆");
  REQUIRE(found.has_value());
  CHECK(found->type);
  CHECK(found->diagnostics.empty());
}

TEST_CASE_METHOD(TypeFixture, "in a proof a term has the type that it has among the hypotheses",
                 "[ide][type]") {
  says({{"trace \"leanbridge\"", "leanbridge", 3}});
  scripted.goals = {{"theorem a", {{"n : Nat\n⊢ n = n"}}}};
  const auto found = ask("rfl", {.line = 3, .column = 3});
  REQUIRE(found.has_value());
  CHECK(found->in_proof);
  CHECK(found->type == wire::Nullable<std::string>(std::string("n = n")));
  CHECK(has_asked("have leanbridge_it := (rfl"));
}

TEST_CASE_METHOD(TypeFixture, "text that would be another command is refused, before the file is read",
                 "[ide][type]") {
  CHECK(ask("1)\n#eval 1").error().kind == ErrorKind::InvalidArgument);
  CHECK(ask("1 #eval 2").error().kind == ErrorKind::InvalidArgument);
  CHECK(asked.empty());
}

TEST_CASE_METHOD(TypeFixture, "a Lean that is late gives no type", "[ide][type]") {
  says({});
  CHECK(ask("2").has_value());  // Lean runs now
  scripted.unfinished = [](const std::string& /*text*/) { return std::vector<std::pair<int, int>>{{0, 0}}; };
  const auto late = ask("1", {}, patient().with_timeout(std::chrono::milliseconds(200)));
  REQUIRE(late.has_value());
  CHECK_FALSE(late->type);
  CHECK(late->file.timed_out);
}

}  // namespace leanbridge::ide
