#include "core/lean/build_output.hpp"

#include <catch2/catch.hpp>

using namespace leanbridge::lean;

TEST_CASE("messages of lake build have their places", "[build_output]") {
  const auto messages = read_build_messages(
      "✔ [1/3] Built Multi.Base (2.1s)\n"
      "⚠ [2/3] Replayed Multi.Lemmas\n"
      "warning: Multi/Lemmas.lean:7:8: declaration uses 'sorry'\n"
      "✖ [3/3] Building Multi.Use (0.5s)\n"
      "trace: .> LEAN_PATH=x lean Multi/Use.lean\n"
      "error: Multi/Use.lean:10:2: type mismatch\n"
      "  h\n"
      "has type\n"
      "  P : Prop\n"
      "error: Multi/Use.lean:12:0: unknown identifier 'x'\n"
      "error: Lean exited with code 1\n"
      "Some required targets logged failures:\n"
      "- Multi.Use\n"
      "error: build failed\n");
  REQUIRE(messages.size() == 4);
  CHECK(messages[0] ==
        BuildMessage{BuildSeverity::Warning, "Multi/Lemmas.lean", 7, 9, "declaration uses 'sorry'"});
  CHECK(messages[1].severity == BuildSeverity::Trace);
  CHECK(messages[2] == BuildMessage{BuildSeverity::Error, "Multi/Use.lean", 10, 3,
                                    "type mismatch\n  h\nhas type\n  P : Prop"});
  CHECK(messages[3] == BuildMessage{BuildSeverity::Error, "Multi/Use.lean", 12, 1, "unknown identifier 'x'"});
}

TEST_CASE("an error without a place, and one that is all there is", "[build_output]") {
  const auto config = read_build_messages("error: no such target\nerror: build failed\n");
  REQUIRE(config.size() == 1);
  CHECK(config[0] == BuildMessage{BuildSeverity::Error, "", 0, 0, "no such target"});
  const auto bare = read_build_messages("error: build failed\n");
  REQUIRE(bare.size() == 1);
  CHECK(bare[0].message == "build failed");
  CHECK(read_build_messages("Build completed successfully (3 jobs).\n").empty());
  CHECK(read_build_messages("").empty());
}

TEST_CASE("other shapes of places", "[build_output]") {
  const auto old = read_build_messages("error: ././././A/B.lean:3:4: oops");
  REQUIRE(old.size() == 1);
  CHECK(old[0] == BuildMessage{BuildSeverity::Error, "A/B.lean", 3, 5, "oops"});
  const auto first = read_build_messages("A/B.lean:3:4: error: oops\r\nmore\r\n");
  REQUIRE(first.size() == 1);
  CHECK(first[0] == BuildMessage{BuildSeverity::Error, "A/B.lean", 3, 5, "oops\nmore"});
  const auto coloured = read_build_messages("\x1b[31merror\x1b[0m: A.lean:1:0: red");
  REQUIRE(coloured.size() == 1);
  CHECK(coloured[0].message == "red");
  const auto text = read_build_messages("error: A.lean: file not found: B.lean:1:2: no");
  REQUIRE(text.size() == 1);
  CHECK(text[0].line == 0);
}

TEST_CASE("why imports could not be built is the first error that has a place", "[build_output]") {
  const std::string log =
      "`lake setup-file A.lean -` failed:\n\nstderr:\n"
      "⚠ [2/9] Replayed Big.M1\nwarning: Big/M1.lean:3:8: unused variable `x`\n\nNote: …\n"
      "✖ [3/9] Building Big.M30 (2.3s)\nerror: Big/M30.lean:44:2: unsolved goals\n⊢ 1 = 2\n"
      "error: Lean exited with code 1\n";
  const std::string end = "Some required targets logged failures:\n- Big.M30\n";
  const std::string first =
      "`Big.M30`, which this file imports, does not compile: line 44: unsolved goals\n⊢ 1 = 2";
  CHECK(import_failure_in(log + end) == first);
  CHECK(import_failure_in(log + "error: Big/M31.lean:1:0: no\n" + end) ==
        first + "\n[1 more error: lean_build shows Lake's log]");
  CHECK_FALSE(import_failure_in("error: no such file\n").has_value());
  CHECK_FALSE(import_failure_in("unknown module prefix 'A'").has_value());
}

TEST_CASE("steps of a build", "[build_output]") {
  const auto step = read_build_step("✔ [2/50] Built A (1s)");
  REQUIRE(step);
  CHECK(step->done == 2);
  CHECK(step->total == 50);
  CHECK(read_build_step("[3/9] Building A"));
  CHECK(read_build_step("ℹ [3/?] Building A"));
  CHECK_FALSE(read_build_step("error: x [1/2]"));
  CHECK_FALSE(read_build_step("- [a]"));
}
