#include "core/lean/build_output.hpp"
#include <catch2/catch.hpp>

using namespace leanbridge;
using namespace leanbridge::lean;

TEST_CASE("a message of the compiler, its columns from 1 and its places in the text", "[lean][compiler]") {
  const auto message = read_compiler_message(
      R"({"caption":"","data":"unsolved goals\n⊢ n = n","endPos":{"column":6,"line":2},"fileName":"A.lean",)"
      R"("isSilent":false,"keepFullRange":false,"kind":"Tactic.unsolvedGoals","pos":{"column":3,"line":1},)"
      R"("severity":"error"})");
  REQUIRE(message);
  CHECK(message->severity == Severity::Error);
  CHECK(message->message == "unsolved goals\n⊢ n = n");
  CHECK(message->start == text::Position{1, 4});
  CHECK(message->end == text::Position{2, 7});
  // The compiler counts code points, a diagnostic UTF-16 units: 𝔸 is one of the former and two of the latter.
  const text::Text text("𝔸𝔸𝔸 := by\n  skip\n");
  const Diagnostic diagnostic = to_diagnostic(*message, text);
  CHECK(text.position_at(diagnostic.range.start) == text::Position{1, 4});
  CHECK(text.position_at(diagnostic.range.end) == text::Position{2, 7});
  CHECK(diagnostic.lean_tags == std::vector<int>{kTagUnsolvedGoals});
  CHECK_FALSE(diagnostic.silent);
}

TEST_CASE("a message about no place, and one of a text that has changed", "[lean][compiler]") {
  const auto header = read_compiler_message(
      R"({"data":"unknown module prefix 'X'","endPos":null,"pos":{"column":0,"line":9},"severity":"error"})");
  REQUIRE(header);
  CHECK_FALSE(header->end);
  const Diagnostic diagnostic = to_diagnostic(*header, text::Text("one\n"));
  CHECK(diagnostic.range.start == text::LspPosition{0, 0});
  CHECK(diagnostic.range.end == text::LspPosition{0, 0});
}

TEST_CASE("an information, a caption, a silent one", "[lean][compiler]") {
  const auto message = read_compiler_message(
      R"({"caption":"Try","data":"this","pos":{"column":0,"line":1},"severity":"information","isSilent":true})");
  REQUIRE(message);
  CHECK(message->severity == Severity::Information);
  CHECK(message->message == "Try:\nthis");
  CHECK(message->silent);
}

TEST_CASE("what is no message of the compiler", "[lean][compiler]") {
  for (const char* line :
       {"", "error: unknown package", "{", "{}", "[1]", R"({"data":"x","severity":"error"})",
        R"({"data":"x","severity":"loud","pos":{"column":0,"line":1}})",
        R"({"data":7,"severity":"error","pos":{"column":0,"line":1}})",
        R"({"data":"x","severity":"error","pos":{"column":-1,"line":1}})",
        R"({"data":"x","severity":"error","pos":{"column":99999999999999999999,"line":1}})",
        R"({"data":"x","severity":"error","pos":{"column":"0","line":1}})"}) {
    INFO(line);
    CHECK_FALSE(read_compiler_message(line));
  }
}
