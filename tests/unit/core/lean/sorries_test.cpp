#include "core/lean/sorries.hpp"

#include <catch2/catch.hpp>

#include <ctime>

using namespace leanbridge;
using namespace leanbridge::lean;

namespace {

Diagnostic sorry_message(unsigned line, Severity severity, std::string message) {
  Diagnostic diagnostic;
  diagnostic.range = {{line, 8}, {line, 9}};
  diagnostic.severity = severity;
  diagnostic.message = std::move(message);
  return diagnostic;
}
Diagnostic sorry_warning(unsigned line) {
  return sorry_message(line, Severity::Warning, "declaration uses `sorry`");
}
Diagnostic error_in(unsigned line) {
  return sorry_message(line, Severity::Error, "unsolved goals");
}

/// Lines from 1, with a prime for a sorry without the word.
std::vector<std::string> sorry_lines(const std::string& source, const std::vector<Diagnostic>& diagnostics) {
  const text::Text text(source);
  std::vector<std::string> lines;
  for (const SorryPlace& place : find_sorries(text, diagnostics))
    lines.push_back(std::to_string(text.position_at(place.offset).line) + (place.is_word ? "" : "'"));
  return lines;
}

using SorryLines = std::vector<std::string>;

}  // namespace

TEST_CASE("words that stand for a missing proof", "[sorries]") {
  const std::string source =
      "-- sorry\n/- admit -/ def s := \"sorry\"\nby sorry\nadmit\n_root_.sorryAx _\nmy_sorry sorry' "
      "«sorry»\n";
  const auto found = sorry_words(source);
  REQUIRE(found.size() == 3);
  CHECK(source.substr(found[0], 5) == "sorry");
  CHECK(found[0] > source.find("by"));
  CHECK(source.substr(found[1], 5) == "admit");
  CHECK(source.substr(found[2], 14) == "_root_.sorryAx");
}

TEST_CASE("sorries are counted where they stand", "[sorries]") {
  const std::string source =
      "theorem a : 1 = 2 := by\n  sorry\n\n"
      "theorem b : p ∧ q := by\n  constructor\n  · sorry\n  · sorry\n\n"
      "theorem c : 1 = 1 := by first | rfl | sorry\n";
  CHECK(sorry_lines(source, {sorry_warning(0), sorry_warning(3)}) == SorryLines{"2", "6", "7"});
  CHECK(sorry_lines(source, {}).empty());
}

TEST_CASE("an error in a declaration does not hide its sorries", "[sorries]") {
  // Lean reports only the error.
  const std::string source =
      "theorem a : p ∧ q := by\n  constructor\n  · sorry\n  · exact wrong\n\ntheorem b : 1 = 1 := by\n  "
      "sorry\n";
  CHECK(sorry_lines(source, {error_in(3)}) == SorryLines{"3"});
  CHECK(sorry_lines(source, {error_in(3), sorry_warning(5)}) == SorryLines{"3", "7"});
}

TEST_CASE("a sorry that is not in the text counts at Lean's warning", "[sorries]") {
  CHECK(sorry_lines("theorem a : 1 = 2 := by hush\ntheorem b : 1 = 1 := wrong\n",
                    {sorry_warning(0), error_in(1)}) == SorryLines{"1'"});
  CHECK(sorry_lines("macro_command x\n\ntheorem a : 1 = 1 := rfl\n", {sorry_warning(0)}) == SorryLines{"1'"});
}

TEST_CASE("what Lean says about sorry", "[sorries]") {
  CHECK(reports_sorry(sorry_warning(0)));
  CHECK(reports_sorry(sorry_message(0, Severity::Warning, "declaration uses 'sorry'")));
  // As Lean 4.35 prints it under options for printing terms.
  for (const char* const printed :
       {"declaration uses `⋯`", "declaration uses `sorry `«A:3:55»`",
        "declaration uses `[size 151/79/79] sorry`", "declaration uses `sorryAx\n  (x)`"})
    CHECK(reports_sorry(sorry_message(0, Severity::Warning, printed)));
  CHECK_FALSE(reports_sorry(sorry_message(0, Severity::Warning, "a declaration uses more than it says")));
  CHECK_FALSE(reports_sorry(sorry_message(0, Severity::Error, "declaration uses `sorry`")));
  CHECK_FALSE(reports_sorry(sorry_message(0, Severity::Warning, "unused variable `sorry`")));
}

TEST_CASE("sorries of a large file are found while nobody waits", "[sorries]") {
  constexpr unsigned kDeclarations = 20'000;
  std::string source;
  std::vector<Diagnostic> diagnostics;
  for (unsigned i = 0; i < kDeclarations; ++i) {
    source += "theorem t" + std::to_string(i) + " : True := sorry\n";
    diagnostics.push_back(sorry_warning(i));
  }
  const text::Text text(source);
  const auto processor = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
  const double start = processor();
  CHECK(sorry_words(source).size() == kDeclarations);
  const double read = processor();
  CHECK(find_sorries(text, diagnostics).size() == kDeclarations);
  const double reading = read - start, finding = processor() - read;
  CAPTURE(reading, finding);
  CHECK(finding < 10 * reading);
}
