#include "core/lean/advice.hpp"

#include <catch2/catch.hpp>

namespace leanbridge::lean {

TEST_CASE("a sorry is not noise, a linter is, and only as a warning", "[advice]") {
  CHECK(category_of(Severity::Warning, "declaration uses 'sorry'") == MessageCategory::Sorry);
  CHECK(category_of(Severity::Warning, "declaration uses `sorry`") == MessageCategory::Sorry);
  CHECK(category_of(Severity::Warning, "declaration uses `⋯`") == MessageCategory::Sorry);
  const char* linter = "unused variable `h`\n\nNote: This linter can be disabled with `set_option ...`";
  CHECK(category_of(Severity::Warning, linter) == MessageCategory::Linter);
  CHECK(category_of(Severity::Error, linter) == MessageCategory::Diagnostic);
  // Lake's log, in which another file has a sorry.
  CHECK(category_of(Severity::Error, "warning: A.lean:1:2: declaration uses `sorry`") ==
        MessageCategory::Diagnostic);
  CHECK(category_of(Severity::Information, "Try this:\n  [apply] simp") == MessageCategory::Suggestion);
  CHECK(category_of(Severity::Information, "Try these:\n• simp") == MessageCategory::Suggestion);
  CHECK(category_of(Severity::Error, "unsolved goals\n⊢ False") == MessageCategory::Diagnostic);
}

TEST_CASE("the word at an offset", "[advice]") {
  CHECK(word_at("by ring", 4) == "ring");
  CHECK(word_at("by ring", 7) == "ring");
  CHECK(word_at("by ring\n", 3) == "ring");
  CHECK(word_at("by linarith [h]", 6) == "linarith");
  CHECK(word_at("", 3).empty());
  CHECK(word_at("( )", 2).empty());
}

TEST_CASE("a tactic that Lean does not know, but Mathlib has", "[advice]") {
  const std::string hint = hint_for(Severity::Error, "unknown tactic", "ring");
  CHECK(hint.find("`ring` needs Mathlib") == 0);
  CHECK(hint.find("import Mathlib.Tactic") != std::string::npos);
  CHECK(hint_for(Severity::Error, "<input>:1:3: unknown tactic", "linarith").find("`linarith` needs") == 0);
  for (const char* const tactic : {"by_contra!", "contrapose!", "choose!", "use!", "abel!", "grw", "order",
                                   "push", "pull", "norm_num1", "compute_degree"})
    CHECK_FALSE(hint_for(Severity::Error, "unknown tactic", tactic).empty());
  for (const char* const of_lean : {"replace", "clear_value"})
    CHECK(hint_for(Severity::Error, "unknown tactic", of_lean).empty());
  CHECK(hint_for(Severity::Error, "unknown tactic", "rign").empty());
  CHECK(hint_for(Severity::Error, "unsolved goals", "ring").empty());
  CHECK(hint_for(Severity::Warning, "unknown tactic", "ring").empty());
}

TEST_CASE("remedies that the message does not name", "[advice]") {
  const char* message = "failed to synthesize instance of type class\n  DecidableEq α";
  CHECK(hint_for(Severity::Error, message, "").find("`classical`") != std::string::npos);
  CHECK(hint_for(Severity::Error, "failed to synthesize\n  DecidableEq α\n\nHint: more", "")
            .find("`classical`") != std::string::npos);
  CHECK(hint_for(Severity::Error, "failed to synthesize\n  Inhabited α", "").empty());
  CHECK(hint_for(Severity::Warning, message, "").empty());
  CHECK_FALSE(
      hint_for(Severity::Error, "invalid binder annotation, type is not a class instance\n  ?m.12", "")
          .empty());
  CHECK(hint_for(Severity::Error, "invalid binder annotation, type is not a class instance\n  Nat", "")
            .empty());
}

TEST_CASE("what to do where the kernel refuses, and where there is no Mathlib") {
  CHECK(hint_for(Severity::Error, "(kernel) deep recursion detected", "").find("one by one") !=
        std::string::npos);
  CHECK(hint_for(Severity::Error, "unknown module prefix 'Mathlib'\n\nNo directory", "import")
            .find("lakefile") != std::string::npos);
  CHECK(hint_for(Severity::Error, "unknown module prefix 'Mathlib2'", "import").empty());
}

TEST_CASE("the name that Lean does not know", "[advice]") {
  const auto [message, name] = GENERATE(table<std::string, std::string>({
      {"Unknown identifier `Nat.zero_leq`", "Nat.zero_leq"},
      {"unknown identifier 'foo''", "foo'"},
      {"unknown constant 'Nat.zero_leq'", "Nat.zero_leq"},
      {"Unknown constant `Nat.zero_leq`\n\nNote: something", "Nat.zero_leq"},
      {"Invalid field `zero_leq`: The environment does not contain `Nat.zero_leq`, so it is not possible",
       "Nat.zero_leq"},
  }));
  CHECK(unknown_name(message) == name);
  for (const char* other : {"unknown identifier", "unknown identifier '", "unknown identifier ''",
                            "Unknown identifier ``", "type mismatch", "unknown constant"})
    CHECK_FALSE(unknown_name(other));
}

}  // namespace leanbridge::lean
