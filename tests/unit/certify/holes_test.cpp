// Definitions that a challenge leaves open, and disproofs of what it states.

#include "modules.hpp"

using namespace leanbridge;
using Catch::Matchers::Contains;
using test::JudgedModules;
using test::ModuleMaker;
using test::OleanWriter;

namespace {

/// Allows everything that Base states, except sorry.
certify::Rules about_holes(std::optional<std::vector<std::string>> holes = {}) {
  certify::Rules asked;
  asked.allowed_axioms = {"propext", "Nat", "True", "True.intro", "Holds", "Iff"};
  asked.holes = std::move(holes);
  return asked;
}

/// `theorem goal : Holds 7`, not proved.
void leaves_goal_open(ModuleMaker& m) {
  m.theorem("goal", m.w.app(m.constant("Holds"), {m.w.natural(7)}), m.constant("sorryAx"));
}

/// `theorem goal.disproof : function (Holds number)`.
test::MakeModule disproves(std::string_view function, std::uint64_t number = 7,
                           std::string_view proof = "propext") {
  return [=](ModuleMaker& m) {
    const OleanWriter::Ref statement = m.w.app(m.constant("Holds"), {m.w.natural(number)});
    m.theorem("goal.disproof", m.w.app(m.constant(function), {statement}), m.constant(proof));
  };
}

/// `def answer : type := value` and `theorem goal : Holds answer`, by the constant.
test::MakeModule with_answer(std::string_view type, std::string_view value, std::string_view proof) {
  return [=](ModuleMaker& m) {
    m.definition("answer", m.constant(type), m.constant(value));
    m.theorem("goal", m.w.app(m.constant("Holds"), {m.constant("answer")}), m.constant(proof));
  };
}

const auto kOpen = with_answer("Nat", "sorryAx", "sorryAx");

}  // namespace

TEST_CASE("a disproof is a theorem about the negation of the statement") {
  const JudgedModules modules;
  const auto verdict = [&](const test::MakeModule& solution) {
    return modules.verdict(leaves_goal_open, solution, about_holes());
  };
  CHECK(verdict(disproves("Not")) == "refuted");
  CHECK_THAT(verdict(disproves("Not", 8)), Contains("what it negates has another statement: 8 instead of 7"));
  CHECK_THAT(verdict(disproves("Base.limit")), Contains("it is not stated as"));
  CHECK_THAT(verdict(disproves("Not", 7, "sorryAx")), Contains("`sorryAx`"));
  CHECK_THAT(verdict([](ModuleMaker& m) {
               m.definition("goal.disproof",
                            m.w.app(m.constant("Not"), {m.w.app(m.constant("Holds"), {m.w.natural(7)})}),
                            m.constant("propext"));
             }),
             Contains("is no theorem"));
  const auto findings = modules.judge(leaves_goal_open, disproves("Not"), about_holes());
  REQUIRE(findings);
  CHECK(findings->names.front().disproof == "goal.disproof");
  CHECK(findings->judged == std::vector{olean::key_of("goal.disproof")});
}

TEST_CASE("a proof counts before a disproof, and a sorry does not keep one from counting") {
  const JudgedModules modules;
  const auto both = [](std::string_view proof) {
    return [proof](ModuleMaker& m) {
      m.theorem("goal", m.w.app(m.constant("Holds"), {m.w.natural(7)}), m.constant(proof));
      disproves("Not")(m);
    };
  };
  CHECK(modules.verdict(leaves_goal_open, both("propext"), about_holes()) == "certified");
  CHECK(modules.verdict(leaves_goal_open, both("sorryAx"), about_holes()) == "refuted");
}

TEST_CASE("only the library's Not negates") {
  const JudgedModules modules;
  // A challenge that does not import it can call anything so.
  const auto own_not = [](const test::MakeModule& rest) {
    return [rest](ModuleMaker& m) {
      m.imports = {};
      m.axiom("Not", m.w.prop());
      m.axiom("Holds", m.w.prop());
      m.axiom("propext", m.w.prop());
      m.axiom("sorryAx", m.w.prop());
      rest(m);
    };
  };
  certify::Rules asked = about_holes();
  asked.allowed_axioms.emplace_back("Not");
  CHECK_THAT(modules.verdict(own_not(leaves_goal_open), own_not(disproves("Not")), asked),
             Contains("does not import `Not`"));
}

TEST_CASE("a disproof has the universe parameters of the theorem") {
  const JudgedModules modules;
  const auto statement = [](ModuleMaker& m, std::string_view universe) {
    return m.w.forall("a", m.w.sort(m.w.level_param(universe)), m.constant("True"));
  };
  const auto challenge = [&](ModuleMaker& m) {
    m.theorem("goal", statement(m, "u"), m.constant("sorryAx"), {"u", "v"});
  };
  const auto solution = [&](std::string_view used, std::vector<std::string_view> params) {
    return [=](ModuleMaker& m) {
      m.theorem("goal.disproof", m.w.app(m.constant("Not"), {statement(m, used)}), m.constant("propext"),
                params);
    };
  };
  CHECK(modules.verdict(challenge, solution("x", {"x", "y"}), about_holes()) == "refuted");
  CHECK_THAT(modules.verdict(challenge, solution("y", {"x", "y"}), about_holes()),
             Contains("other universes"));
  CHECK_THAT(modules.verdict(challenge, solution("x", {"x"}), about_holes()),
             Contains("universe parameters"));
}

TEST_CASE("what a disproof's statement depends on is compared, and may not be a hole") {
  const JudgedModules modules;
  const auto about = [](std::uint64_t limit, const char* name) {
    return [=](ModuleMaker& m) {
      m.definition("limit", m.constant("Nat"), m.w.natural(limit));
      const OleanWriter::Ref statement = m.w.app(m.constant("Holds"), {m.constant("limit")});
      if (std::string_view(name) == "goal")
        m.theorem("goal", statement, m.constant("sorryAx"));
      else
        m.theorem(name, m.w.app(m.constant("Not"), {statement}), m.constant("propext"));
    };
  };
  CHECK(modules.verdict(about(1, "goal"), about(1, "goal.disproof"), about_holes()) == "refuted");
  CHECK_THAT(modules.verdict(about(1, "goal"), about(2, "goal.disproof"), about_holes()),
             Contains("`limit`, on which it depends, has another value"));
  const auto disproves_filled = [](ModuleMaker& m) {
    m.definition("answer", m.constant("Nat"), m.constant("Base.limit"));
    m.theorem("goal.disproof",
              m.w.app(m.constant("Not"), {m.w.app(m.constant("Holds"), {m.constant("answer")})}),
              m.constant("propext"));
  };
  CHECK_THAT(modules.verdict(kOpen, disproves_filled, about_holes()),
             Contains("`answer`, on which it depends, is left open by the challenge"));
}

TEST_CASE("a hole may have any value, and nothing else may differ") {
  const JudgedModules modules;
  const auto verdict = [&](const test::MakeModule& solution) {
    return modules.verdict(kOpen, solution, about_holes());
  };
  CHECK(verdict(with_answer("Nat", "Base.limit", "propext")) == "filled");
  CHECK_THAT(verdict(with_answer("True", "propext", "propext")),
             Contains("`answer`, on which it depends, has another type"));
  CHECK_THAT(verdict(with_answer("Nat", "sorryAx", "propext")), Contains("`sorryAx`"));
  CHECK_THAT(verdict(with_answer("Nat", "Lean.ofReduceBool", "propext")), Contains("`Lean.ofReduceBool`"));
  CHECK_THAT(verdict([](ModuleMaker& m) {
               m.axiom("answer", m.constant("Nat"));
               m.theorem("goal", m.w.app(m.constant("Holds"), {m.constant("answer")}), m.constant("propext"));
             }),
             Contains("is an axiom, in the challenge a def"));
  CHECK_THAT(verdict([](ModuleMaker& m) {
               m.definition("answer", m.constant("Nat"), m.constant("Base.limit"), OleanWriter::Unsafe);
               m.theorem("goal", m.w.app(m.constant("Holds"), {m.constant("answer")}), m.constant("propext"));
             }),
             Contains("is unsafe"));
  const auto findings = modules.judge(kOpen, with_answer("Nat", "Base.limit", "propext"), about_holes());
  REQUIRE(findings);
  CHECK(findings->holes == std::vector{olean::key_of("answer")});
  CHECK(modules.judge(kOpen, with_answer("Nat", "sorryAx", "propext"), about_holes())->holes.empty());
}

TEST_CASE("only what is a sorry as a whole is a hole, and of these only the listed ones") {
  const JudgedModules modules;
  const auto filled = with_answer("Nat", "Base.limit", "propext");
  CHECK_THAT(modules.verdict(with_answer("Nat", "propext", "sorryAx"), filled, about_holes()),
             Contains("`answer`, on which it depends, has another value"));
  const auto partly = [](ModuleMaker& m) {
    m.definition("answer", m.constant("Nat"), m.apply("Holds", {m.constant("sorryAx")}));
    m.theorem("goal", m.w.app(m.constant("Holds"), {m.constant("answer")}), m.constant("sorryAx"));
  };
  CHECK_THAT(modules.verdict(partly, filled, about_holes()), Contains("has another value"));
  CHECK(modules.verdict(kOpen, filled, about_holes(std::vector<std::string>{"answer"})) == "filled");
  CHECK_THAT(modules.verdict(kOpen, filled, about_holes(std::vector<std::string>())),
             Contains("has another value"));
  CHECK(modules.verdict(kOpen, filled, about_holes(std::vector<std::string>{"limit"})) ==
        "error: The challenge does not leave limit open.");
  const auto unused = [](ModuleMaker& m) {
    m.definition("answer", m.constant("Nat"), m.constant("sorryAx"));
    leaves_goal_open(m);
  };
  const auto solves = [](ModuleMaker& m) {
    m.theorem("goal", m.w.app(m.constant("Holds"), {m.w.natural(7)}), m.constant("propext"));
  };
  CHECK(modules.verdict(unused, solves, about_holes()) == "certified");  // it does not rest on the hole
  CHECK(modules.verdict(unused, solves, about_holes(std::vector<std::string>{"answer"})) ==
        "error: No theorem in question rests on answer.");
}

TEST_CASE("a hole is not filled with the other side of its statement") {
  const JudgedModules modules;
  // theorem goal (x : Nat) : Holds x ↔ answer
  const auto asked = [](ModuleMaker& m, OleanWriter::Ref value, std::string_view proof) {
    m.definition("answer", m.constant("Nat"), value);
    const OleanWriter::Ref side = m.w.app(m.constant("Holds"), {m.w.bvar(0)}, 1);
    const OleanWriter::Ref equation = m.w.app(m.constant("Iff"), {side, m.constant("answer")}, 1);
    m.theorem("goal", m.w.forall("x", m.constant("Nat"), equation), m.constant(proof));
  };
  const auto verdict = [&](const std::function<OleanWriter::Ref(ModuleMaker&)>& value) {
    return modules.verdict([&](ModuleMaker& m) { asked(m, m.constant("sorryAx"), "sorryAx"); },
                           [&](ModuleMaker& m) { asked(m, value(m), "propext"); }, about_holes());
  };
  const auto same = [](ModuleMaker& m) {
    return m.w.forall("other", m.constant("Nat"), m.w.app(m.constant("Holds"), {m.w.bvar(0)}, 1));
  };
  CHECK(verdict([](ModuleMaker& m) { return m.constant("True"); }) == "filled");
  CHECK_THAT(verdict(same), Contains("The value of `answer` repeats the other side"));
  CHECK_THAT(verdict([&](ModuleMaker& m) {
               m.definition("deep", m.constant("Nat"), same(m));
               return m.constant("deep");
             }),
             Contains("The value of `answer` repeats the other side"));
}
