#include "certify/statement/statement_printer.hpp"

#include "certify/statement/literal_text.hpp"
#include "core/olean/modules.hpp"

#include <map>
#include <random>

namespace leanbridge::test {

using statement::Spelling;
using Ref = OleanWriter::Ref;

namespace {

/// How `goal` is printed.
std::string printed(const MakeModule& make, Spelling spelling = Spelling::Notation) {
  static const ModuleFolder folder;
  auto set = folder.open(make);
  REQUIRE(set);
  const auto goal = set->find(olean::key_of("goal"));
  REQUIRE(goal);
  statement::StatementPrinter printer(*set,
                                      [](const olean::SetModule& module) { return module.file.empty(); });
  std::string text = printer.definition(*goal, spelling);
  REQUIRE(set->undamaged());
  return text;
}

/// Terms of all kinds at random, each with a text that is equal for equal terms only.
class RandomTerms {
 public:
  RandomTerms(ModuleMaker& maker, unsigned seed) : m_(maker), random_(seed) {}

  struct Made {
    Ref ref = 0;
    std::string meaning;
  };

  Made term(unsigned depth, unsigned scope) {
    const unsigned kind = pick(depth == 0 ? 4 : 9);
    switch (kind) {
      case 0:
        if (scope > 0) {
          const unsigned index = pick(scope);
          return {m_.w.bvar(index), "#" + std::to_string(index)};
        }
        [[fallthrough]];
      case 1: {
        const char* const name = kNames[pick(std::size(kNames))];
        return {m_.constant(name), std::string("c") + name};
      }
      case 2: {
        const unsigned value = pick(3);
        return {m_.w.natural(value), "n" + std::to_string(value)};
      }
      case 3:
        return pick(2) == 0 ? Made{m_.w.type(), "type"} : Made{m_.w.prop(), "prop"};
      case 4:
      case 5: {
        const Made of = term(depth - 1, scope), body = term(depth - 1, scope + 1);
        const char* const binder = kBinders[pick(std::size(kBinders))];
        return kind == 4
                   ? Made{m_.w.lambda(binder, of.ref, body.ref), "(L " + of.meaning + body.meaning + ")"}
                   : Made{m_.w.forall(binder, of.ref, body.ref), "(P " + of.meaning + body.meaning + ")"};
      }
      default: {
        const Made function = term(depth - 1, scope), argument = term(depth - 1, scope);
        return {m_.w.app(function.ref, {argument.ref}), "(A " + function.meaning + argument.meaning + ")"};
      }
    }
  }

 private:
  static constexpr const char* kNames[] = {"x", "y", "x.y", "f", "fun", "x_1"};
  static constexpr const char* kBinders[] = {"x", "y", "f", "fun", "x_1", "_"};
  unsigned pick(std::size_t of) {
    return static_cast<unsigned>(std::uniform_int_distribution<std::size_t>(0, of - 1)(random_));
  }

  ModuleMaker& m_;
  std::mt19937 random_;
};

}  // namespace

TEST_CASE("a variable never takes the name of a constant or of another variable") {
  CHECK(printed([](ModuleMaker& m) {
          m.axiom("limit", m.constant("Nat"));
          m.theorem("goal", m.w.forall("limit", m.constant("Nat"), m.apply("Holds", {m.constant("limit")})),
                    m.constant("sorryAx"));
        }) == "(limit : Nat) : Holds _root_.limit");
  CHECK(printed([](ModuleMaker& m) {
          const Ref both = m.w.app(m.w.app(m.constant("Holds"), {m.w.bvar(1)}), {m.w.bvar(0)});
          m.definition("goal", m.constant("Nat"),
                       m.w.lambda("x", m.constant("Nat"), m.w.lambda("x", m.constant("Nat"), both)));
        }) == ": Nat := fun (x : Nat) (x_1 : Nat) => Holds x x_1");
  // The dot would be a field of the variable.
  CHECK(printed([](ModuleMaker& m) {
          m.axiom("x.y", m.constant("Nat"));
          m.theorem("goal", m.w.forall("x", m.constant("Nat"), m.apply("Holds", {m.constant("x.y")})),
                    m.constant("sorryAx"));
        }) == "(x : Nat) : Holds _root_.x.y");
  CHECK(printed([](ModuleMaker& m) {
          m.theorem("goal", m.w.forall("then", m.constant("Nat"), m.apply("Holds", {m.w.bvar(0)})),
                    m.constant("sorryAx"));
        }) == "(«then» : Nat) : Holds «then»");
}

TEST_CASE("numbers are printed whole, whatever their size") {
  CHECK(printed([](ModuleMaker& m) {
          m.definition("goal", m.constant("Nat"), m.w.big_natural({0xc373e0ee4e3f0ad2U, 0x18ee90ff6U}));
        }) == ": Nat := nat_lit 123456789012345678901234567890");
  using statement::decimal;
  CHECK(decimal("", 10) == "0");
  CHECK(decimal(std::string_view("\xff\0\0", 3), 10) == "255");
  CHECK(decimal(std::string_view("\0\0\0\0\0\0\0\0\1", 9), 40) == "18446744073709551616");
  CHECK(decimal(std::string_view("\0\xca\x9a\x3b", 4), 40) == "1000000000");
  CHECK_FALSE(decimal(std::string(100, '\x7f'), 100));
}

TEST_CASE("a string ends where it ends, and hides nothing") {
  using statement::string_literal;
  CHECK(string_literal("a\" ∧ 1 = 1 ∧ \"b") == R"("a\" ∧ 1 = 1 ∧ \"b")");
  CHECK(string_literal("\\n") == R"("\\n")");
  CHECK(string_literal("\n\t\r\x01") == R"("\n\t\u000d\u0001")");
  CHECK(string_literal("a\u200d\u00ad\u034f\u2800\u3164") == R"("a\u200d\u00ad\u034f\u2800\u3164")");
}

TEST_CASE("arguments that nothing else determines are printed") {
  // none : {α : Type} → α; some : {α : Type} → α → α
  const auto make = [](bool applied) {
    return [applied](ModuleMaker& m) {
      const Ref type = m.w.type();
      m.axiom("free", m.w.forall("α", type, m.constant("Nat"), OleanWriter::Implicit));
      m.axiom("known",
              m.w.forall("α", type, m.w.forall("a", m.w.bvar(0), m.constant("Nat")), OleanWriter::Implicit));
      m.definition("goal", m.constant("Nat"),
                   applied ? m.w.app(m.constant("known"), {m.constant("Nat"), m.constant("Base.limit")})
                           : m.w.app(m.constant("free"), {m.constant("Nat")}));
    };
  };
  CHECK(printed(make(false)) == ": Nat := @free Nat");
  CHECK(printed(make(true)) == ": Nat := known Base.limit");
  CHECK(printed(make(true), Spelling::InFull) == ": Nat := @known Nat Base.limit");
}

TEST_CASE("two terms that differ are printed differently") {
  std::map<std::string, std::string> meanings;  // by text
  for (unsigned seed = 0; seed < 3000; ++seed) {
    std::string meaning;
    const std::string text = printed([&](ModuleMaker& m) {
      for (const char* const name : {"x", "y", "x.y", "f", "fun", "x_1"}) m.axiom(name, m.constant("Nat"));
      RandomTerms terms(m, seed);
      const auto made = terms.term(3, 0);
      meaning = made.meaning;
      m.definition("goal", m.constant("Nat"), made.ref);
    });
    const auto [known, fresh] = meanings.emplace(text, meaning);
    INFO(text);
    CHECK(known->second == meaning);
  }
  CHECK(meanings.size() > 1000);
}

}  // namespace leanbridge::test
