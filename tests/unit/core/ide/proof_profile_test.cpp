// Profiles of proofs, by what a scripted Lean's profiler says.

#include "core/ide/proof_profile.hpp"

#include "core/ide/ide_fixture.hpp"

namespace leanbridge::ide {

using namespace ide::test;

namespace {

struct ProfileFixture : IdeFixture {
  ProfileFixture() {
    scripted.says = [this](const std::string& text) {
      texts.push_back(text);
      return contains(text, "trace.profiler") ? timed : std::vector<ScriptedLean::Message>();
    };
    write("A.lean", "theorem a : 1 = 1 := rfl\n\ntheorem b : P := by\n  simp\n  omega\n\ndef later := 1\n");
  }
  Result<ProofProfile> profile(ProfileQuestion question) {
    question.file.file_path = "A.lean";
    return loop.run(profile_proof(environment, operation(), std::move(question)));
  }

  std::vector<ScriptedLean::Message> timed = {
      {"theorem b", "tactic execution took 300ms\n", 3},
      {"theorem b", "[Elab.async] [0.5] proof of b\n  [Elab.step] [0.1] simp\n  [Elab.step] [0.2] omega\n",
       3}};
  std::vector<std::string> texts;
};

}  // namespace

TEST_CASE_METHOD(ProfileFixture, "the slowest lines of a declaration come first", "[ide][profile]") {
  const auto found = profile({.line = 4});
  REQUIRE(found.has_value());
  CHECK(found->declaration == "b");
  CHECK(*found->ms == Approx(500));
  REQUIRE(found->lines.size() == 2);
  CHECK(found->lines[0].line == 5);
  CHECK(found->lines[0].text == "omega");
  CHECK(found->lines[0].ms == Approx(200));
  CHECK(found->categories.at("tactic execution") == Approx(300));
  CHECK_FALSE(found->reason);
  CHECK(profile({.line = 4, .top_n = 1})->lines.size() == 1);
  CHECK_FALSE(contains(texts.back(), "later"));
}

TEST_CASE_METHOD(ProfileFixture, "why nothing was measured is said", "[ide][profile]") {
  timed.clear();
  const auto none = profile({.line = 4});
  CHECK_FALSE(none->ms);
  CHECK(none->reason == "Lean reported no times for this declaration.");
  scripted.unfinished = [](const std::string& text) {
    std::vector<std::pair<int, int>> lines;
    if (contains(text, "trace.profiler")) lines.emplace_back(2, 4);
    return lines;
  };
  write("A.lean", "theorem a : 1 = 1 := rfl\n\ntheorem b : Q := by\n  simp\n  omega\n");
  const auto late = profile({.line = 4, .timeout = 0.2});
  CHECK_FALSE(late->ms);
  CHECK(late->status.timed_out);
  CHECK_THAT(late->reason.value_or(""), Catch::Contains("not elaborated in time"));
  write("A.lean", "-- nothing\n");
  CHECK(profile({}).error().kind == ErrorKind::InvalidArgument);
}

}  // namespace leanbridge::ide
