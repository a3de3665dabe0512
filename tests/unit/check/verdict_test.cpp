// Lines of the output: written, read back, and what they show of Lean's messages.

#include "check/batch/verdict.hpp"

#include <catch2/catch.hpp>

namespace leanbridge::batch {

namespace {

lean::Diagnostic said(lean::Severity severity, std::uint32_t line, std::string message) {
  lean::Diagnostic diagnostic;
  diagnostic.severity = severity;
  diagnostic.range = {{line, 0}, {line, 1}};
  diagnostic.message = std::move(message);
  return diagnostic;
}

}  // namespace

TEST_CASE("a report is one line, and is read back by its id and verdict", "[batch]") {
  Report report;
  report.id = "a\nb";
  report.verdict = Verdict::Sorry;
  report.diagnostics.push_back({lean::Severity::Warning, "declaration uses `sorry`", 2, 1, 2, 5});
  report.ms = 12;
  report.lean = "leanprover/lean4:v4.35.0";
  const std::string line = to_line(report);
  CHECK(std::count(line.begin(), line.end(), '\n') == 1);
  CHECK(line.back() == '\n');
  CHECK(nlohmann::json::parse(line) == nlohmann::json({{"id", "a\nb"},
                                                       {"verdict", "sorry"},
                                                       {"diagnostics",
                                                        {{{"severity", "warning"},
                                                          {"message", "declaration uses `sorry`"},
                                                          {"line", 2},
                                                          {"column", 1},
                                                          {"end_line", 2},
                                                          {"end_column", 5}}}},
                                                       {"ms", 12},
                                                       {"lean", "leanprover/lean4:v4.35.0"},
                                                       {"header_reused", false}}));
  const auto judged = read_verdict_line(line);
  REQUIRE(judged);
  CHECK(judged->id == "a\nb");
  CHECK(judged->verdict == Verdict::Sorry);
}

TEST_CASE("a line that was cut off is no verdict", "[batch]") {
  const std::string line = to_line(invalid_report("a", "why", 3));
  CHECK(read_verdict_line(line)->verdict == Verdict::Invalid);
  for (std::size_t size = 0; size + 2 < line.size(); ++size)
    CHECK_FALSE(read_verdict_line(line.substr(0, size)));
  CHECK_FALSE(read_verdict_line(R"({"id": "a", "verdict": "fine"})"));
  CHECK_FALSE(read_verdict_line(R"({"id": 1, "verdict": "ok"})"));
}

TEST_CASE("verdicts are known by id", "[batch]") {
  KnownVerdicts known;
  CHECK(known.add("a", Verdict::Ok));
  CHECK_FALSE(known.add("a", Verdict::Error));
  CHECK(known.find("a") == Verdict::Ok);
  CHECK_FALSE(known.find("b"));
  for (int i = 0; i < 20'000; ++i) CHECK(known.add("id" + std::to_string(i), Verdict::Ok));
  CHECK(known.size() == 20'001);
}

TEST_CASE("messages: errors and sorries first, none that is silent, and no more than fit", "[batch]") {
  const text::Text text("a\nb\nc\n");
  auto silent = said(lean::Severity::Information, 0, "done");
  silent.silent = true;
  const auto shown =
      shown_messages(text, {said(lean::Severity::Warning, 0, "w"), silent,
                            said(lean::Severity::Error, 2, "late"), said(lean::Severity::Error, 1, "early")});
  REQUIRE(shown.messages.size() == 3);
  CHECK(shown.messages[0].message == "early");
  CHECK(shown.messages[0].line == 2);
  CHECK(shown.messages[1].message == "late");
  CHECK(shown.messages[2].message == "w");
  CHECK(shown.left_out == 0);
  std::vector<lean::Diagnostic> many(150, said(lean::Severity::Warning, 0, std::string(100'000, 'x')));
  const auto cut = shown_messages(text, many);
  CHECK(cut.messages.size() == 100);
  CHECK(cut.left_out == 50);
  CHECK(cut.messages[0].message.size() < 17'000);
  CHECK(cut.messages[0].message.find("bytes left out") != std::string::npos);
  many.push_back(said(lean::Severity::Warning, 2, "declaration uses `sorry`"));
  many.push_back(said(lean::Severity::Error, 2, "late"));
  const auto important = shown_messages(text, many);
  CHECK(important.messages[0].message == "late");
  CHECK(important.messages[1].message == "declaration uses `sorry`");
  CHECK(important.left_out == 52);
}

TEST_CASE("goals are read from the first message about unsolved ones", "[batch]") {
  CHECK(unsolved_goals({said(lean::Severity::Error, 0, "unsolved goals\nh : p\n⊢ q\n\ncase right\n⊢ r"),
                        said(lean::Severity::Error, 1, "unsolved goals\n⊢ s")}) ==
        std::vector<std::string>{"h : p\n⊢ q", "case right\n⊢ r"});
  CHECK(unsolved_goals({said(lean::Severity::Error, 0, "unknown identifier")}).empty());
  CHECK(unsolved_goals({said(lean::Severity::Error, 0, "unsolved goals")}).empty());
}

}  // namespace leanbridge::batch
