#include "core/ide/open_file.hpp"
#include <catch2/catch.hpp>

#include <algorithm>

namespace leanbridge::ide {

namespace {

lean::Diagnostic message(std::uint32_t at, lean::Severity severity, std::string text) {
  lean::Diagnostic diagnostic;
  diagnostic.range = {{0, at}, {0, at + 1}};
  diagnostic.severity = severity;
  diagnostic.message = std::move(text);
  return diagnostic;
}

}  // namespace

TEST_CASE("what is cut of a long list are linters' warnings, not an error, a sorry or a suggestion") {
  const text::Text text(std::string(1000, 'x'));
  std::vector<lean::Diagnostic> all;
  for (std::uint32_t i = 0; i < 320; ++i)
    all.push_back(
        message(i, lean::Severity::Warning,
                "unused variable\n\nNote: This linter can be disabled with `set_option linter.x false`"));
  all.push_back(message(700, lean::Severity::Warning, "something else"));
  all.push_back(message(800, lean::Severity::Information, "Try this: rfl"));
  all.push_back(message(900, lean::Severity::Warning, "declaration uses `sorry`"));
  all.push_back(message(950, lean::Severity::Error, "unsolved goals"));
  for (const LinterNoise noise : {LinterNoise::Counted, LinterNoise::Shown}) {
    const DiagnosticList list = list_of(Messages(text, all), noise);
    REQUIRE(list.items.size() == kMaxItems);
    CHECK(list.items[0].message == "unsolved goals");
    CHECK(list.items[1].category == lean::MessageCategory::Suggestion);
    CHECK(list.items[2].category == lean::MessageCategory::Sorry);
    CHECK(list.items[3].message == "something else");
    CHECK(list.items[4].category == lean::MessageCategory::Linter);
    CHECK(list.total == 324);
    CHECK(list.truncated);
    CHECK(list.linter_count == (noise == LinterNoise::Counted ? 320 : 0));
  }
}

TEST_CASE("terms of the kernel and the log of a build are shortened") {
  const text::Text text("theorem a : p := x\n");
  const auto shown = [&](const std::string& whole) {
    return diagnostic_item(text, message(0, lean::Severity::Error, whole)).message;
  };
  std::string terms = "(kernel) declaration type mismatch";
  for (int i = 0; i < 40; ++i) terms += "\n  f (g x)";
  CHECK(std::count(terms.begin(), terms.end(), '\n') == 40);
  const std::string short_terms = shown(terms);
  CHECK(std::count(short_terms.begin(), short_terms.end(), '\n') == 8);
  CHECK(short_terms.ends_with("[… 33 lines of the kernel's terms left out …]"));
  CHECK(shown("(kernel) deep recursion detected") == "(kernel) deep recursion detected");
  CHECK(shown("f\n" + terms) == "f\n" + terms);

  const std::string log =
      "`/x/lake setup-file A.lean` failed:\n\nstderr:\n✖ [2/3] Building Dep\ntrace: .> lean Dep.lean\n"
      "error: Dep.lean:1:2: type mismatch\n  more\nerror: Lean exited with code 1\n";
  CHECK(shown(log) == "`Dep`, which this file imports, does not compile: line 1: type mismatch\n  more");
  const std::string unplaced =
      "`/x/lake setup-file A.lean` failed:\n\nstderr:\n✖ [2/3] Building Dep\ntrace: .> lean Dep.lean\n"
      "error: no such file\n";
  CHECK(shown(unplaced) ==
        "`/x/lake setup-file A.lean` failed:\nerror: no such file\n"
        "[… 3 lines of Lake's log left out; lean_build shows them …]");
  CHECK(shown("`/x/lake setup-file A.lean` failed:\nno such file") ==
        "`/x/lake setup-file A.lean` failed:\nno such file");
}

}  // namespace leanbridge::ide
