#include "check/command/report_text.hpp"

#include "support/test_folder.hpp"
#include <catch2/catch.hpp>

using namespace leanbridge;
using namespace leanbridge::app;

TEST_CASE("a report as text: place, verdict, declaration, message", "[app][help]") {
  batch::Report report;
  report.id = "A.lean";
  report.verdict = batch::Verdict::Error;
  report.diagnostics = {{lean::Severity::Error, "unsolved goals\n⊢ False", 2, 3, 2, 4},
                        {lean::Severity::Error, "more", 3, 1, 3, 2},
                        {lean::Severity::Warning, "declaration uses `sorry`", 4, 1, 4, 2}};
  const std::string source = "theorem foo : False := by\n  simp\n";
  CHECK(report_text(report, source, 100, Paint(false)) ==
        "A.lean:2:3: error: foo: unsolved goals ⊢ False (and 1 more)\n");
  CHECK(report_text(report, std::nullopt, 30, Paint(false)) ==
        "A.lean:2:3: error:\n    unsolved goals ⊢ False\n    (and 1 more)\n");
  CHECK(
      annotations(report) ==
      "::error file=A.lean,line=2,col=3::unsolved goals%0A⊢ False\n::error file=A.lean,line=3,col=1::more\n");
  report.verdict = batch::Verdict::Timeout;
  report.reason = "not done in 60 s";
  CHECK(report_text(report, std::nullopt, 100, Paint(false)) == "A.lean: timeout: not done in 60 s\n");
  report.id = "100%/a,b:c.lean";
  CHECK(annotations(report) == "::error file=100%25/a%2Cb%3Ac.lean::not done in 60 s\n");
}

TEST_CASE("annotations name a file from the root of its repository", "[app]") {
  const test::TestFolder dir;
  const auto file = dir.write("repo/sub/A.lean", "");
  dir.write("repo/.git/HEAD", "");
  batch::Report report;
  report.id = file.string();
  report.verdict = batch::Verdict::NotReached;
  report.reason = "B.lean does not compile";
  CHECK(annotations(report) == "::warning file=sub/A.lean::B.lean does not compile\n");
  CHECK(annotations(report, dir.path()) == "::warning file=repo/sub/A.lean::B.lean does not compile\n");
  CHECK(annotations(report, dir.path() / "none") == annotations(report));
}

TEST_CASE("the text of what is ok has the axioms that were asked for", "[app][help]") {
  batch::Report report;
  report.id = "A.lean";
  report.verdict = batch::Verdict::Ok;
  const auto text = [&] { return report_text(report, std::nullopt, 100, Paint(false)); };
  report.axioms = wire::Nullable(std::vector<std::string>{"propext", "Quot.sound"});
  CHECK(text() == "A.lean: ok: axioms propext, Quot.sound\n");
  report.axioms = wire::Nullable(std::vector<std::string>{});
  CHECK(text() == "A.lean: ok: no axioms\n");
  report.axioms = wire::Nullable<std::vector<std::string>>();
  report.axioms_reason = "Lean did not say.";
  CHECK(text() == "A.lean: ok: axioms unknown: Lean did not say.\n");
}
