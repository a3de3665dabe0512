#include "modules.hpp"

using namespace leanbridge;
using Catch::Matchers::Contains;
using test::JudgedModules;
using test::ModuleMaker;
using test::OleanWriter;

namespace {

/// `theorem goal : Holds 7`, proved by the constant.
void goal(ModuleMaker& m, std::string_view proof, std::uint64_t number = 7) {
  m.theorem("goal", m.w.app(m.constant("Holds"), {m.w.natural(number)}), m.constant(proof));
}

void asks(ModuleMaker& m) {
  goal(m, "sorryAx");
}

/// `∀ (name : Nat), Holds name`.
OleanWriter::Ref for_all(ModuleMaker& m, std::string_view name,
                         OleanWriter::Binder binder = OleanWriter::Explicit) {
  return m.w.forall(name, m.constant("Nat"), m.w.app(m.constant("Holds"), {m.w.bvar(0)}, 1), binder);
}

/// Allows everything that Base states, except what the tests are about.
const certify::Rules kAllowed = {
    .allowed_axioms = {"propext", "Quot.sound", "Classical.choice", "Nat", "True", "True.intro", "Holds"}};

}  // namespace

TEST_CASE("the same statement from allowed axioms is certified") {
  const JudgedModules modules;
  CHECK(modules.verdict(
            asks, [](ModuleMaker& m) { goal(m, "True.intro"); }, kAllowed) == "certified");
  const auto findings = modules.judge(
      asks, [](ModuleMaker& m) { goal(m, "propext"); }, kAllowed);
  REQUIRE(findings.has_value());
  CHECK(findings->names.front().axioms.value() ==
        std::vector<std::string>{"Holds", "Nat", "True", "propext"});
}

TEST_CASE("names of bound variables do not count, their brackets do") {
  const JudgedModules modules;
  const auto challenge = [](ModuleMaker& m) { m.theorem("goal", for_all(m, "n"), m.constant("sorryAx")); };
  CHECK(modules.verdict(
            challenge, [](ModuleMaker& m) { m.theorem("goal", for_all(m, "k"), m.constant("propext")); },
            kAllowed) == "certified");
  CHECK_THAT(modules.verdict(
                 challenge,
                 [](ModuleMaker& m) {
                   m.theorem("goal", for_all(m, "n", OleanWriter::Implicit), m.constant("propext"));
                 },
                 kAllowed),
             Contains("brackets"));
}

TEST_CASE("another statement is refused") {
  const JudgedModules modules;
  CHECK_THAT(modules.verdict(
                 asks, [](ModuleMaker& m) { goal(m, "propext", 8); }, kAllowed),
             Contains("8 instead of 7"));
  CHECK_THAT(modules.verdict(
                 asks, [](ModuleMaker& m) { m.theorem("goal", m.constant("True"), m.constant("propext")); },
                 kAllowed),
             Contains("The statement differs"));
}

TEST_CASE("big numbers are compared by their digits") {
  const JudgedModules modules;
  const auto with = [](std::uint64_t high) {
    return [high](ModuleMaker& m) {
      m.theorem("goal", m.w.app(m.constant("Holds"), {m.w.big_natural({5, high})}), m.constant("propext"));
    };
  };
  CHECK(modules.verdict(with(1), with(1), kAllowed) == "certified");
  CHECK_THAT(modules.verdict(with(1), with(2), kAllowed), Contains("another number"));
}

TEST_CASE("numbers in names may be too large for a word, in one form only") {
  const JudgedModules modules;
  const auto with = [](std::vector<std::uint64_t> limbs) {
    return [limbs](ModuleMaker& m) {
      goal(m, "propext");
      const auto name = m.w.constructor(2, {m.w.name("made"), m.w.big_number(limbs)}, std::string(8, 'h'));
      m.add(name, m.w.axiom(m.w.common(name, m.constant("True"))));
    };
  };
  constexpr std::uint64_t kTooLarge = std::uint64_t{1}
                                      << 63U;  // of 64 bits, one tells numbers from references
  CHECK(modules.verdict(asks, with({kTooLarge}), kAllowed) == "certified");
  CHECK_THAT(modules.verdict(asks, with({5}), kAllowed), Contains("damaged"));
  CHECK_THAT(modules.verdict(asks, with({0, 1}), kAllowed), Contains("damaged"));
}

TEST_CASE("a theorem that is missing, or no theorem any more") {
  const JudgedModules modules;
  CHECK_THAT(modules.verdict(
                 asks, [](ModuleMaker& m) { m.axiom("other", m.constant("True")); }, kAllowed),
             Contains("does not declare it"));
  const auto as_definition = [](ModuleMaker& m) {
    m.definition("goal", m.w.app(m.constant("Holds"), {m.w.natural(7)}), m.constant("propext"));
  };
  CHECK_THAT(modules.verdict(asks, as_definition, kAllowed), Contains("declared as def"));
  const auto as_axiom = [](ModuleMaker& m) {
    m.axiom("goal", m.w.app(m.constant("Holds"), {m.w.natural(7)}));
  };
  CHECK_THAT(modules.verdict(asks, as_axiom, kAllowed), Contains("declared as axiom"));
}

TEST_CASE("a private twin is not the theorem") {
  const JudgedModules modules;
  const auto twin = [](ModuleMaker& m) {
    const auto name = m.private_name("goal");
    m.add(name, m.w.theorem(m.w.common(name, m.w.app(m.constant("Holds"), {m.w.natural(7)})),
                            m.constant("propext")));
  };
  CHECK_THAT(modules.verdict(asks, twin, kAllowed), Contains("does not declare it"));
}

TEST_CASE("universe parameters count by their places") {
  const JudgedModules modules;
  const auto with = [](std::vector<std::string_view> params, std::string_view used) {
    return [=](ModuleMaker& m) {
      m.theorem("goal", m.w.forall("a", m.w.sort(m.w.level_param(used)), m.constant("True")),
                m.constant("propext"), params);
    };
  };
  CHECK(modules.verdict(with({"u", "v"}, "u"), with({"x", "y"}, "x"), kAllowed) == "certified");
  CHECK_THAT(modules.verdict(with({"u", "v"}, "u"), with({"u", "v"}, "v"), kAllowed),
             Contains("other universes"));
  CHECK_THAT(modules.verdict(with({"u", "v"}, "u"), with({"u"}, "u"), kAllowed),
             Contains("universe parameters"));
}

TEST_CASE("definitions that a statement depends on are compared, too") {
  const JudgedModules modules;
  const auto with = [](std::uint64_t value, std::string_view proof) {
    return [=](ModuleMaker& m) {
      m.definition("deep", m.constant("Nat"), m.w.natural(value));
      m.definition("limit", m.constant("Nat"), m.constant("deep"));
      m.theorem("goal", m.w.app(m.constant("Holds"), {m.constant("limit")}), m.constant(proof));
    };
  };
  CHECK(modules.verdict(with(3, "sorryAx"), with(3, "propext"), kAllowed) == "certified");
  const std::string why = modules.verdict(with(3, "sorryAx"), with(4, "propext"), kAllowed);
  CHECK_THAT(why, Contains("`deep`, on which it depends, has another value") && Contains("4 instead of 3"));
}

TEST_CASE("definitions that Lean has numbered may have other numbers, others may not") {
  const JudgedModules modules;
  const auto with = [](std::string_view name, std::uint64_t value, std::string_view proof) {
    return [=](ModuleMaker& m) {
      m.definition(name, m.constant("Nat"), m.w.natural(value));
      m.theorem("goal", m.w.app(m.constant("Holds"), {m.constant(name)}), m.constant(proof));
    };
  };
  CHECK(modules.verdict(with("f.match_1", 3, "sorryAx"), with("g.match_2", 3, "propext"), kAllowed) ==
        "certified");
  CHECK_THAT(modules.verdict(with("f.match_1", 3, "sorryAx"), with("g.match_2", 4, "propext"), kAllowed),
             Contains("4 instead of 3"));
  CHECK_THAT(modules.verdict(with("f.limit", 3, "sorryAx"), with("g.limit", 3, "propext"), kAllowed),
             Contains("`g.limit` instead of `f.limit`"));
}

TEST_CASE("constants with different names are the same by what they are, wherever they come from") {
  JudgedModules modules;
  modules.write("Made", [](ModuleMaker& m) {
    m.definition("f.match_1", m.constant("Nat"), m.w.natural(3));
    m.definition("g.match_1", m.constant("Nat"), m.w.natural(4));
    m.definition("h._default", m.constant("Nat"), m.w.natural(3));
    m.definition("f.limit", m.constant("Nat"), m.w.natural(3));
    m.axiom("f._any", m.constant("Nat"));
    m.axiom("g._any", m.constant("Nat"));
  });
  // Own names begin with `own`.
  const auto about = [](std::string_view name, std::string_view proof) {
    return [=](ModuleMaker& m) {
      m.imports.emplace_back("Made");
      m.definition("own.match_7", m.constant("Nat"), m.w.natural(3));
      m.definition("own.match_8", m.constant("Nat"), m.w.natural(4));
      m.definition("limit", m.constant("Nat"), m.constant(name));
      m.theorem("goal", m.w.app(m.constant("Holds"), {m.constant("limit")}), m.constant(proof));
    };
  };
  const auto verdict = [&](std::string_view challenge, std::string_view solution) {
    return modules.verdict(about(challenge, "sorryAx"), about(solution, "propext"), kAllowed);
  };
  for (const auto& [name, same] :
       {std::pair{"f.match_1", "h._default"}, std::pair{"f.match_1", "own.match_7"},
        std::pair{"own.match_7", "f.match_1"}, std::pair{"own.match_7", "own.match_7"}})
    CHECK(verdict(name, same) == "certified");
  for (const auto& [name, other] :
       {std::pair{"f.match_1", "g.match_1"}, std::pair{"h._default", "g.match_1"},
        std::pair{"f.match_1", "own.match_8"}, std::pair{"own.match_7", "g.match_1"},
        std::pair{"own.match_7", "own.match_8"}})
    CHECK_THAT(verdict(name, other), Contains("4 instead of 3"));
  CHECK_THAT(verdict("f._any", "g._any"), Contains("has another name"));
  CHECK_THAT(verdict("f.limit", "f.match_1"), Contains("`f.match_1` instead of `f.limit`"));
}

TEST_CASE("inductive types are compared with their constructors") {
  const JudgedModules modules;
  const auto with = [](std::vector<std::string_view> constructors, std::string_view proof) {
    return [=](ModuleMaker& m) {
      const auto colour = m.w.name("Colour");
      std::vector<OleanWriter::Ref> names;
      for (const std::string_view one : constructors) names.push_back(m.w.name("Colour." + std::string(one)));
      m.add(colour, m.w.inductive(m.w.common(colour, m.w.type()), colour, names));
      for (std::size_t i = 0; i < names.size(); ++i)
        m.add(names[i], m.w.constructor_of(m.w.common(names[i], m.constant("Colour")), colour, i, 0));
      m.theorem("goal", m.w.forall("c", m.constant("Colour"), m.constant("True")), m.constant(proof));
    };
  };
  CHECK(modules.verdict(with({"red", "blue"}, "sorryAx"), with({"red", "blue"}, "propext"), kAllowed) ==
        "certified");
  CHECK_THAT(modules.verdict(with({"red", "blue"}, "sorryAx"), with({"red"}, "propext"), kAllowed),
             Contains("`Colour`, on which it depends"));
  CHECK_THAT(modules.verdict(with({"red", "blue"}, "sorryAx"), with({"red", "green"}, "propext"), kAllowed),
             Contains("`Colour.green` instead of `Colour.blue`"));
}

TEST_CASE("what the proof rests on, through lemmas") {
  const JudgedModules modules;
  const auto through = [](std::string_view axiom) {
    return [=](ModuleMaker& m) {
      m.theorem("lemma", m.constant("True"), m.constant(axiom));
      goal(m, "lemma");
    };
  };
  CHECK(modules.verdict(asks, through("propext"), kAllowed) == "certified");
  CHECK_THAT(modules.verdict(asks, through("sorryAx"), kAllowed),
             Contains("`sorryAx`") && Contains("not proved"));
  CHECK_THAT(modules.verdict(asks, through("Lean.ofReduceBool"), kAllowed), Contains("native_decide"));
  const auto own = [](ModuleMaker& m) {
    m.axiom("Deep.inside.cheat", m.constant("True"));
    goal(m, "Deep.inside.cheat");
  };
  CHECK_THAT(modules.verdict(asks, own, kAllowed), Contains("the axiom `Deep.inside.cheat`"));
  certify::Rules allowing = kAllowed;
  allowing.allowed_axioms.emplace_back("Deep.inside.cheat");
  CHECK_THAT(modules.verdict(asks, own, allowing), Contains("declares the axiom `Deep.inside.cheat`"));
  const auto asks_with_axiom = [](ModuleMaker& m) {
    m.axiom("Deep.inside.cheat", m.constant("True"));
    goal(m, "sorryAx");
  };
  CHECK(modules.verdict(asks_with_axiom, own, allowing) == "certified");
}

TEST_CASE("an axiom does not borrow the name of an allowed one") {
  const JudgedModules modules;
  const auto twin = [](ModuleMaker& m) {
    const auto name = m.private_name("propext");
    m.add(name, m.w.axiom(m.w.common(name, m.constant("True"))));
    m.theorem("goal", m.w.app(m.constant("Holds"), {m.w.natural(7)}), m.w.constant_named(name));
  };
  CHECK_THAT(modules.verdict(asks, twin, kAllowed), Contains("`_private.LeanbridgeCandidate.0.propext`"));
}

TEST_CASE("nothing that the kernel computes with can be declared anew") {
  const JudgedModules modules;
  for (const char* name :
       {"Nat.zero", "Nat.succ",    "Nat.add",         "Nat.sub",       "Nat.mul",   "Nat.div",
        "Nat.mod",  "Nat.gcd",     "Nat.beq",         "Nat.ble",       "Nat.land",  "Nat.lor",
        "Nat.xor",  "Nat.log2",    "Nat.pow",         "Nat.shiftLeft", "Nat.pred",  "Nat.shiftRight",
        "Bool",     "Bool.false",  "Bool.true",       "String",        "String.mk", "String.ofList",
        "Char",     "Char.ofNat",  "Char.mk",         "List",          "List.nil",  "List.cons",
        "UInt32",   "Eq",          "Eq.refl",         "Quot",          "Quot.mk",   "Quot.lift",
        "Quot.ind", "eagerReduce", "Lean.reduceBool", "Lean.reduceNat"}) {
    const auto own = [&](ModuleMaker& m) {
      m.definition(name, m.constant("True"), m.constant("True.intro"));
      goal(m, "propext");
    };
    CHECK_THAT(modules.verdict(asks, own, kAllowed),
               Contains("declares `" + std::string(name) + "`, which the kernel computes with"));
  }
}

TEST_CASE("constants of imports cannot be replaced") {
  const JudgedModules modules;
  const auto shadow = [](ModuleMaker& m) {
    m.definition("Nat", m.w.type(), m.constant("True"));
    goal(m, "propext");
  };
  CHECK_THAT(modules.verdict(asks, shadow, kAllowed), Contains("`Nat`, which already exists"));
  const auto without_base = [](ModuleMaker& m) {
    m.imports = {};
    m.axiom("Nat", m.w.type());
    m.axiom("Holds", m.w.forall("n", m.constant("Nat"), m.w.prop()));
    m.axiom("propext", m.constant("True"));
    goal(m, "propext");
  };
  CHECK_THAT(modules.verdict(asks, without_base, kAllowed),
             Contains("is declared in the solution; in the challenge it comes from Base"));
  const auto twice = [](ModuleMaker& m) {
    goal(m, "propext");
    goal(m, "sorryAx");
  };
  CHECK_THAT(modules.verdict(asks, twice, kAllowed), Contains("`goal`, which already exists"));
}

TEST_CASE("what the kernel computes with cannot be declared anew, even if nothing mentions it") {
  const JudgedModules modules;
  const auto anything = [](ModuleMaker& m) {
    m.imports = {};
    m.theorem("goal", m.w.forall("p", m.w.prop(), m.w.bvar(0)), m.w.prop());
  };
  const auto own_addition = [&](ModuleMaker& m) {
    anything(m);
    m.definition("Nat.add", m.w.type(), m.w.natural(0));
  };
  CHECK_THAT(modules.verdict(anything, own_addition), Contains("`Nat.add`, which the kernel computes with"));
  CHECK(modules.verdict(own_addition, own_addition) == "certified");
}

TEST_CASE("imports beyond those of the challenge need a permission") {
  const JudgedModules modules;
  const auto more = [](ModuleMaker& m) {
    m.imports = {"Base", "Other"};
    goal(m, "propext");
  };
  CHECK_THAT(modules.verdict(asks, more, kAllowed),
             Contains("imports Other, which the challenge does not import"));
  certify::Rules permitting = kAllowed;
  permitting.may_import = [](const olean::SetModule& module) { return module.name == "Other"; };
  CHECK(modules.verdict(asks, more, permitting) == "certified");
}

TEST_CASE("what no honest compiler writes is refused") {
  const JudgedModules modules;
  const auto refused = [&](const test::MakeModule& solution) {
    return modules.verdict(asks, solution, kAllowed);
  };
  CHECK_THAT(refused([](ModuleMaker& m) {
               m.definition("trick", m.constant("True"), m.constant("propext"), OleanWriter::Unsafe);
               goal(m, "trick");
             }),
             Contains("`trick`, which is unsafe or partial"));
  CHECK_THAT(refused([](ModuleMaker& m) {
               m.theorem("goal", m.w.app(m.constant("Holds"), {m.w.natural(7)}), m.w.free_variable("x"));
             }),
             Contains("free variable"));
  CHECK_THAT(refused([](ModuleMaker& m) {
               m.add(m.w.name("part"), m.w.quotient(m.w.common(m.w.name("part"), m.constant("True"))));
               goal(m, "part");
             }),
             Contains("`part` as a part of the kernel"));
  CHECK_THAT(refused([](ModuleMaker& m) {
               m.add(m.w.name("made"), m.w.constructor_of(m.w.common(m.w.name("made"), m.constant("True")),
                                                          m.w.name("Nat"), 0, 0));
               goal(m, "made");
             }),
             Contains("belongs to no type that it declares"));
  CHECK_THAT(refused([](ModuleMaker& m) {
               goal(m, "sorryAx");
               m.add(m.w.name("goal2"), m.constants.back().second);
             }),
             Contains("lists another constant as `goal2`"));
  CHECK_THAT(refused([](ModuleMaker& m) { goal(m, "nowhere"); }),
             Contains("`nowhere`, which does not exist"));
}

TEST_CASE("terms whose stored facts are wrong are refused") {
  const JudgedModules modules;
  // Lean stores the number of loose variables, and does not look for any if it is 0.
  CHECK_THAT(modules.verdict(
                 asks,
                 [](ModuleMaker& m) {
                   const auto wrong = m.w.app(m.constant("Holds"), {m.w.natural(7)}, 3);
                   m.theorem("goal", m.w.app(m.constant("Holds"), {m.w.natural(7)}), wrong);
                 },
                 kAllowed),
             Contains("wrong facts"));
  CHECK_THAT(modules.verdict(
                 asks,
                 [](ModuleMaker& m) {
                   m.theorem("goal", m.w.app(m.constant("Holds"), {m.w.natural(7)}), m.w.bvar(0));
                 },
                 kAllowed),
             Contains("nothing binds a variable"));
}

TEST_CASE("which names are asked for") {
  const JudgedModules modules;
  const auto challenge = [](ModuleMaker& m) {
    asks(m);
    m.theorem("second", m.constant("True"), m.constant("sorryAx"));
    m.theorem("second._proof_1", m.constant("True"), m.constant("sorryAx"));
    m.definition("value", m.constant("Nat"), m.w.natural(1));
  };
  auto set = modules.open(challenge);
  REQUIRE(set.has_value());
  const auto names_for = [&](std::vector<std::string> names) {
    std::string text;
    const auto asked = certify::asked_names(*set, names);
    if (!asked) return std::string(wire_name(asked.error().kind)) + ": " + asked.error().message;
    for (const auto& name : *asked) text += name.name + " ";
    return text;
  };
  CHECK(names_for({}) == "goal second ");
  CHECK(names_for({"second", "second"}) == "second ");
  CHECK(names_for({"value"}) ==
        "invalid_argument: value is declared as def in the challenge, not as theorem.");
  CHECK(names_for({"Nat"}) == "invalid_argument: The challenge does not declare Nat.");
  auto empty = modules.open([](ModuleMaker& m) { m.axiom("a", m.constant("True")); });
  REQUIRE(empty.has_value());
  CHECK_FALSE(certify::asked_names(*empty, {}).has_value());
}

TEST_CASE("a theorem that the challenge proves already must stay, too") {
  const JudgedModules modules;
  const auto challenge = [](ModuleMaker& m) {
    asks(m);
    m.theorem("given", m.constant("True"), m.constant("propext"));
  };
  CHECK_THAT(modules.verdict(
                 challenge, [](ModuleMaker& m) { goal(m, "propext"); }, kAllowed),
             Contains("given: The solution does not declare it."));
}

TEST_CASE("modules that import the same share what was read, and no others do") {
  const JudgedModules modules;
  const auto proves = [](std::vector<std::string> imports) {
    return [imports = std::move(imports)](ModuleMaker& m) {
      m.imports = imports;
      m.theorem("goal", m.constant("True"), m.constant("propext"));
    };
  };
  auto first = modules.open(proves({"Base"}));
  REQUIRE(first);
  auto second = modules.open(
      [](ModuleMaker& m) {
        m.definition("above", m.constant("Nat"), m.w.natural(1));
        m.axiom("Not", m.constant("True"));
        m.theorem("goal", m.constant("True"), m.constant("propext"));
      },
      first->imported());
  REQUIRE(second);
  CHECK(second->imported() == first->imported());
  CHECK(second->own_constants() == 3);
  CHECK(second->clashes() == std::vector<std::string>{olean::key_of("Not")});
  const auto limit = second->find(olean::key_of("Base.limit"));
  REQUIRE(limit);
  CHECK(second->key(*limit) == olean::key_of("Base.limit"));
  CHECK(second->statement(*limit) == first->statement(first->find(olean::key_of("Base.limit")).value()));
  CHECK(second->is_own(second->find(olean::key_of("Not")).value()));
  const auto id = [&](std::string_view name) { return second->find(olean::key_of(name)).value(); };
  CHECK(second->foundations(id("goal")).axioms == std::set{id("True"), id("propext")});
  for (const auto& imports : {std::vector<std::string>{"Base", "Other"}, {"Other"}, {"Other", "Base"}}) {
    auto other = modules.open(proves(imports), first->imported());
    REQUIRE(other);
    CHECK(other->imported() != first->imported());
    CHECK(other->find(olean::key_of("other")));
  }
}
