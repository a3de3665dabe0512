// What an incomplete verdict says about how to complete it.

#include "certify/verdict/conclude.hpp"
#include "certify/verdict/question.hpp"
#include <catch2/catch.hpp>

using namespace leanbridge::certify;

TEST_CASE("one command completes all that is missing", "[completion]") {
  const std::vector<std::string> command = {"leanbridge", "certify", "--git", "HEAD", "A file.lean"};
  const Missing kernel{"no kernel", "Install one.", "--kernel k", "--without-replay"};
  const Missing packages{"packages are not compared", "Look at them.", "--trust-packages", ""};
  CHECK(what_is_missing({kernel, packages}) == "no kernel; packages are not compared");
  CHECK(how_to_complete({kernel, packages}, command) ==
        "Install one.\nLook at them.\n"
        "Run: leanbridge certify --git HEAD 'A file.lean' --kernel k --trust-packages\n"
        "Or trust that the compiler called its kernel: "
        "leanbridge certify --git HEAD 'A file.lean' --without-replay --trust-packages");
  CHECK(how_to_complete({{"x", "Use another toolchain.", "", ""}}, command) == "Use another toolchain.");
}

TEST_CASE("the command asks the same question, and does not name the axioms that are always allowed",
          "[completion]") {
  Question question;
  question.names = {"a"};
  question.axioms = {"propext", "mine"};
  question.options = {"x=1"};
  question.without_replay = true;  // this is for the user to add
  const std::vector<std::string> start = {"leanbridge", "certify", "--project-root", "/p"};
  CHECK(how_to_complete({{"x", "", "--kernel k", ""}}, command_of(question, start, {"C.lean", "S.lean"})) ==
        "Run: leanbridge certify --project-root /p C.lean S.lean --name a --allow-axiom mine --option x=1 "
        "--kernel k");
  question.challenge_revision = "HEAD";
  CHECK(command_of(question, {"leanbridge"}, {"S.lean"}) ==
        std::vector<std::string>{"leanbridge", "--git", "HEAD", "S.lean", "--name", "a", "--allow-axiom",
                                 "mine", "--option", "x=1"});
}

TEST_CASE("texts that are no question", "[completion]") {
  const auto clause = [](const Texts& texts) {
    const auto problem = problem_with(texts);
    return std::string(problem ? problem->clause : "");
  };
  Texts texts;
  CHECK(clause(texts) == "it needs either `file_path` or `solution`");
  texts.solution = "x";
  CHECK(clause(texts) == "it needs exactly one of `challenge`, `challenge_file` and `challenge_revision`");
  texts.challenge_revision = "HEAD";
  CHECK(clause(texts) == "`challenge_revision` needs `file_path`");
  texts.challenge_revision.reset();
  texts.challenge = "y";
  CHECK(clause(texts).empty());
}
