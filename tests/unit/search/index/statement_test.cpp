#include "search/index/term/statement.hpp"

#include "core/olean/notation.hpp"
#include "search/index/query/search.hpp"
#include "search/index/term/statement_match.hpp"
#include "search/index/term/statement_terms.hpp"
#include "search/index/term/term_parser.hpp"
#include "search/index/type_fit.hpp"
#include "search/index/written_term.hpp"
#include <catch2/catch.hpp>

#include <algorithm>

using namespace leanbridge::index;
using namespace leanbridge::olean;

namespace {

WrittenStatement pattern(std::string_view text) {
  auto written = parse_statement(text);
  REQUIRE(written);
  written->statement = completed(written->statement);
  return *written;
}

TypeTerm compiled(std::string_view text) {
  const auto statement = statement_from_text(text);
  REQUIRE(statement);
  return *statement;
}

// The types as Lean stores them, with implicit arguments, but without the definitions of instances.
constexpr const char* kAddComm =
    "<Nat> <Nat> : (Eq Nat (HAdd.hAdd _ _ Nat _ #0 #1) (HAdd.hAdd _ _ Nat _ #1 #0))";
constexpr const char* kSubAddCancel =
    "{Nat} {Nat} <(LE.le Nat _ #1 #0)> : (Eq Nat (HAdd.hAdd _ _ Nat _ (HSub.hSub _ _ Nat _ #0 #1) #1) #0)";
constexpr const char* kLengthAppend =
    "{Type} {(List #0)} {(List #0)} : (Eq Nat (List.length #0 (HAppend.hAppend _ _ (List #0) _ #1 #2)) "
    "(HAdd.hAdd _ "
    "_ Nat _ (List.length #0 #1) (List.length #0 #2)))";
constexpr const char* kLtTrans =
    "{Nat} {Nat} {Nat} <(LT.lt Nat _ #0 #1)> <(LT.lt Nat _ #1 #2)> : (LT.lt Nat _ #0 #2)";
constexpr const char* kLtSuccSelf = "<Nat> : (LT.lt Nat _ #0 (Nat.succ #0))";
constexpr const char* kNotExists = "{Type} {(> #0 Prop)} : (Iff (Not (Exists #0 #1)) (> #0 (Not (#1 $0))))";
constexpr const char* kMapMap =
    "{Type} {Type} {Type} {(> #1 #2)} {(> #0 #1)} {(List #0)} : (Eq (List #2) (List.map #1 #2 #3 (List.map "
    "#0 #1 #4 "
    "#5)) (List.map #0 #2 (Function.comp #0 #1 #2 #3 #4) #5))";
constexpr const char* kSuccInj = "{Nat} {Nat} : (Iff (Eq Nat (Nat.succ #0) (Nat.succ #1)) (Eq Nat #0 #1))";
constexpr const char* kNotNot = "{Prop} [_] <(Not (Not #0))> : #0";
constexpr const char* kUnitExt = "<Unit> <Unit> : (Eq Unit #0 #1)";
constexpr const char* kElim = "{Sort} [(Subsingleton #0)] <#0> <#0> : (Eq #0 #2 #3)";
constexpr const char* kNeZero = "{Nat} <(Not (Eq Nat #0 =0))> : (LT.lt Nat _ =0 #0)";

/// The least fit of a statement that says it of a given type, of which the pattern says nothing.
constexpr double kOfGivenType = 0.975;

double fit(std::string_view wanted, std::string_view statement) {
  return fit_of(pattern(wanted), compiled(statement));
}

bool fulfils(const Terms& terms, const TermConditions& conditions) {
  return std::all_of(conditions.begin(), conditions.end(), [&](const Terms& any) {
    return std::any_of(any.begin(), any.end(), [&](const std::string& term) {
      return term.starts_with("~") || term.starts_with("=") ||
             std::find(terms.begin(), terms.end(), term) != terms.end();
    });
  });
}

}  // namespace

TEST_CASE("statements come back from their text", "[index][statement]") {
  for (const char* text :
       {kAddComm, kSubAddCancel, kLengthAppend, kLtTrans, kLtSuccSelf, kNotExists, kMapMap, kNotNot})
    CHECK(to_text(compiled(text)) == text);
  CHECK(to_text(compiled("{«a (b».c} | : (~foo (\\ $0) (.bar #0) =\"x_y\")")) ==
        "{«a (b».c} | : (~foo (\\ $0) (.bar #0) =\"x_y\")");
  for (const char* bad :
       {"", ":", ": (", ": #0", "<Nat> : #1", ": (> a)", ": a)", "{Nat : a", ": $x", ": (.f)", "x"})
    CHECK_FALSE(statement_from_text(bad));
  CHECK_FALSE(statement_from_text(": " + std::string(5000, '(')));
}

TEST_CASE("a written statement is read with its notation", "[index][statement]") {
  const auto [text, read] = GENERATE(table<std::string, std::string>({
      {"?a + ?b = ?b + ?a", "| | : (~Eq (~HAdd.hAdd #0 #1) (~HAdd.hAdd #1 #0))"},
      {"a > b", "| | : (~LT.lt #1 #0)"},
      {"a ≠ b", "| | : (Not (~Eq #0 #1))"},
      {"x ∉ s", "| | : (~Not (~Membership.mem #1 #0))"},
      {"∀ (α : Type) (a b : α), a = b", "<~Type> <#0> <#0> : (~Eq #1 #2)"},
      {"(n : Nat) (h : 0 < n) : n ≠ 0", "<~Nat> <(~LT.lt =0 #0)> : (Not (~Eq #0 =0))"},
      {"theorem foo {n : ℕ} : n + 0 = n := by simp", "{~Nat} : (~Eq (~HAdd.hAdd #0 =0) #0)"},
      {"(?a -> ?b) -> List ?a -> List ?b", "| | <(> #0 #1)> <(~List #0)> : (~List #1)"},
      {"∃ x, p x", "| : (~Exists #0)"},
      {"∃! x, p x", "| : (~ExistsUnique #0)"},
      {"{α : Type*} {β : Sort _} (f : α → β) : f = f", "{~Type} {~Type} <(> #0 #1)> : (~Eq #2 #2)"},
      {"∃ x ∈ s, x = y", "| | : (~Exists (\\ (~And (~Membership.mem #0 $0) (~Eq $0 #1))))"},
      {"∀ x ∈ s, p x", "| | <_> <(~Membership.mem #0 #2)> : (#1 #2)"},
      {"fun x => f x", "| : #0"},
      {"List.map f (List.map g l)", "| | | : (~List.map #0 (~List.map #1 #2))"},
      {"(l.map f).length", "| | : (.length (.map #0 #1))"},
      {"xs[i]? = some x", "| | | : (~Eq (~GetElem?.getElem? #0 #1) (~Option.some #2))"},
      {"x :: [y, z]", "| | | : (~List.cons #0 (~List.cons #1 (~List.cons #2 ~List.nil)))"},
      {"!!a && b", "| | : (~Bool.and (~Bool.not (~Bool.not #0)) #1)"},
      {"|a * b| = |a| * |b|", "| | : (~Eq (~abs (~HMul.hMul #0 #1)) (~HMul.hMul (~abs #0) (~abs #1)))"},
      {"‖a‖ + ‖b‖₊", "| | : (~HAdd.hAdd (~Norm.norm #0) (~NNNorm.nnnorm #1))"},
      {"a ≤ ⊤", "| : (~LE.le #0 ~Top.top)"},
      {"√x ^ 2 = x", "| : (~Eq (~HPow.hPow (~Real.sqrt #0) =2) #0)"},
      {"- -a", "| : (~Neg.neg (~Neg.neg #0))"},
      {"a - b * c ^ 2", "| | | : (~HSub.hSub #0 (~HMul.hMul #1 (~HPow.hPow #2 =2)))"},
      {"p → q → r", "| | | <#0> <#1> : #2"},
      {"if c then a else b", "| | | : (~ite #0 #1 #2)"},
      {"n m : Nat\nh : m ≤ n\n⊢ n - m + m = n",
       "<~Nat> <~Nat> <(~LE.le #1 #0)> : (~Eq (~HAdd.hAdd (~HSub.hSub #0 #1) #1) #0)"},
      {"_ < _ + 1", ": (~LT.lt _ (~HAdd.hAdd _ =1))"},
  }));
  CAPTURE(text);
  const auto written = parse_statement(text);
  REQUIRE(written);
  CHECK(to_text(written->statement) == read);
  CHECK_FALSE(parse_statement("a ≤ a∗"));  // unknown notation is no variable, which would fit all
}

TEST_CASE("a statement as a pattern, in Lean's precedences", "[index][statement]") {
  const auto [text, pattern] = GENERATE(table<std::string, std::string>({
      {"a > b", "?b < ?a"},
      {"¬ (a = b)", "?a ≠ ?b"},
      {"a && b = c", "(?a && ?b) = ?c"},
      {"a - (b - c) - d", "?a - (?b - ?c) - ?d"},
      {"(a ^ b) ^ c", "(?a ^ ?b) ^ ?c"},
      {"-a + b⁻¹", "-?a + Inv.inv ?b"},
      {"xs[i]? = none", "?xs[?i]? = Option.none"},
      {"(List.map f l).length = l.length", "(List.map ?f ?l).length = _"},
      {"∃ x ∈ s, x = y", "∃ x, x ∈ ?s ∧ x = ?y"},
      {"fun n => n + 1", "fun x => x + 1"},
      {"⊢ ∀ n, p n → n = n", "⊢ ∀ x, ?p x → x = x"},
      {"⋃ i, s i", "Set.iUnion ?s"},
      {"∀ (f : ℕ → ℝ) (n : ℕ), 0 ≤ f n", "0 ≤ ?f (?n : Nat)"},
  }));
  CAPTURE(text);
  const auto read = read_term(text);
  REQUIRE(read);
  CHECK(read->pattern == pattern);
  CHECK_FALSE(read->constants.empty());
}

TEST_CASE("each operator is read, and printed as it is read", "[index][statement]") {
  for (const std::string symbol :
       {"↔",  "∨", "||", "∧", "&&", "×", "=", "≠", "==", "!=", "<", "≤", "∣", "∈",   "⊆", "≈",
        "++", "+", "-",  "∪", "::", "∩", "*", "/", "%",  "\\", "•", "^", "∘", "<$>", "≃"}) {
    CAPTURE(symbol);
    const Notation* notation = infix_notation(symbol);
    REQUIRE(notation);
    CHECK(sign_at(symbol + " b", 0).notation->symbol == symbol);
    const auto read = read_term("?a " + symbol + " ?b");
    REQUIRE(read);
    CHECK(read->pattern == "?a " + symbol + " ?b");
    CHECK(notation_of(notation->constant)->symbol == symbol);
  }
  CHECK(sign_at("\\int", 0).notation->symbol == "\\");  // not \\in
  CHECK(sign_at("\\in s", 0).notation->symbol == "∈");
}

TEST_CASE("what is no term is not read", "[index][statement]") {
  const std::string text =
      GENERATE(std::string(""), std::string("_"), std::string("a +"), std::string("= b"), std::string("(a"),
               std::string("∀ x"), std::string("a )"), std::string("let x := 1; x"), std::string("⊢"),
               std::string(100'000, '('), std::string(100'000, 'a') + " = b +", std::string("[[[[[["),
               std::string("∃ ∃ ∃"), std::string("a\0b", 3) + " +", std::string("\xff\xfe +"),
               std::string("if if if"), std::string("fun => "), std::string("?"));
  CHECK_FALSE(parse_statement(text));
}

TEST_CASE("notation of Mathlib is read as what it stands for", "[index][statement]") {
  const auto [notation, term] = GENERATE(table<std::string, std::string>({
      {"f '' (s ∪ t)", "Set.image f (s ∪ t)"},
      {"f ⁻¹' sᶜ", "Set.preimage f (Compl.compl s)"},
      {"(f * g)ᵀ", "Matrix.transpose (f * g)"},
      {"n ! * n!", "Nat.factorial n * Nat.factorial n"},
      {"∫ x, f x ∂μ", "MeasureTheory.integral μ f"},
      {"∫ x in s, f x ∂μ", "MeasureTheory.integral (MeasureTheory.Measure.restrict μ s) f"},
      {"∫ x in a..b, f x ∂μ", "intervalIntegral f _ _ μ"},
      {"∑' (i : ℕ), f i", "tsum f"},
      {"∑ i ∈ s, f i + n", "Finset.sum s f + n"},
      {"∀ᶠ x in l, p x", "Filter.Eventually p l"},
      {"f =ᶠ[l] g", "Filter.EventuallyEq l f g"},
      {"𝓝[s] x", "nhdsWithin x s"},
      {"𝓝[≠] x", "nhdsWithin x _"},
      {"𝓝 x", "nhds x"},
      {"{x | p x}", "setOf p"},
      {"{x : ℕ | p x}", "setOf p"},
      {"{a, b}", "Insert.insert a (Singleton.singleton b)"},
      {"⌊x⌋ + ⌈x⌉₊", "Int.floor x + Nat.ceil x"},
      {"⟪a, b⟫_ℝ", "Inner.inner _ a b"},
  }));
  const std::string binder = "(f g s t μ l p x n a b i : A) : ";
  const auto read = parse_statement(binder + notation), meant = parse_statement(binder + term);
  CAPTURE(notation);
  REQUIRE(read);
  REQUIRE(meant);
  CHECK(to_text(read->statement) == to_text(meant->statement));
}

TEST_CASE("each notation of today's Mathlib is read as what it stands for", "[index][statement]") {
  const auto [notation, term] = GENERATE(table<std::string, std::string>({
      {"f =ᵐ[μ] g", "Filter.EventuallyEq (MeasureTheory.ae μ) f g"},
      {"f ≤ᵐ[μ] g", "Filter.EventuallyLE (MeasureTheory.ae μ) f g"},
      {"∀ᵐ x ∂μ, p x", "Filter.Eventually p (MeasureTheory.ae μ)"},
      {"∃ᵐ x ∂μ, p x", "Filter.Frequently p (MeasureTheory.ae μ)"},
      {"⨍ x, f x ∂μ", "MeasureTheory.average μ f"},
      {"⨍ x in s, f x ∂μ", "MeasureTheory.average (MeasureTheory.Measure.restrict μ s) f"},
      {"s ≃L[t] p", "ContinuousLinearEquiv (RingHom.id t) s p"},
      {"s →L[t] p", "ContinuousLinearMap (RingHom.id t) s p"},
      {"s →SL[t] p", "ContinuousLinearMap t s p"},
      {"s →ₗ[t] p", "LinearMap (RingHom.id t) s p"},
      {"s →ₛₗ[t] p", "LinearMap t s p"},
      {"s ≃ₗ[t] p", "LinearEquiv (RingHom.id t) s p"},
      {"s ≃ₗᵢ[t] p", "LinearIsometryEquiv (RingHom.id t) s p"},
      {"s →ₗᵢ[t] p", "LinearIsometry (RingHom.id t) s p"},
      {"s ≃ᵐ t", "MeasurableEquiv s t"},
      {"f =O[l] g", "Asymptotics.IsBigO l f g"},
      {"f =o[l] g", "Asymptotics.IsLittleO l f g"},
      {"f =Θ[l] g", "Asymptotics.IsTheta l f g"},
      {"f ~[l] g", "Asymptotics.IsEquivalent l f g"},
      {"ℝ≥0", "NNReal"},
      {"ℝ≥0∞ → ℝ≥0", "ENNReal → NNReal"},
      {"ℚ≥0", "NNRat"},
      {"ℕ+ × ℕ∞", "PNat × ENat"},
      {"s[X]", "Polynomial s"},
      {"s⟦X⟧", "PowerSeries s"},
      {"f^[n] x", "Nat.iterate f n x"},
      {"f^[n + 1]", "Nat.iterate f (n + 1)"},
      {"⋃₀ s ∩ ⋂₀ t", "Set.sUnion s ∩ Set.sInter t"},
      {"∑ᶠ i, f i", "finsum f"},
      {"∏ᶠ (i : A), f i", "finprod f"},
      {"s *ᵥ f", "Matrix.mulVec s f"},
      {"f ᵥ* s", "Matrix.vecMul f s"},
      {"a +ᵥ b", "HVAdd.hVAdd a b"},
      {"a -ᵥ b", "VSub.vsub a b"},
      {"f ∘ₗ g", "LinearMap.comp f g"},
      {"s ⊗[t] p", "TensorProduct t s p"},
      {"a ⊗ₜ b", "TensorProduct.tmul _ a b"},
      {"a ⊗ₜ[s] b", "TensorProduct.tmul s a b"},
      {"⁅a, b⁆", "Bracket.bracket a b"},
      {"f ⁅a, b⁆", "f (Bracket.bracket a b)"},
      {"s ≅ t", "CategoryTheory.Iso s t"},
      {"f ⊣ g", "CategoryTheory.Adjunction f g"},
      {"s ⨯ t", "CategoryTheory.Limits.prod s t"},
      {"a ≡ b [MOD n]", "Nat.ModEq n a b"},
      {"a ^ n ≡ b + 1 [ZMOD n] ∧ p x", "Int.ModEq n (a ^ n) (b + 1) ∧ p x"},
      {"s ⊇ t", "t ⊆ s"},
      {"s ⊃ t", "t ⊂ s"},
      {"sᵐᵒᵖ", "MulOpposite s"},
      {"sᵒᵈ", "OrderDual s"},
      {"𝓝ˢ s", "nhdsSet s"},
      {"a ∤ b", "¬ (a ∣ b)"},
      {"a ∉ s", "¬ (a ∈ s)"},
      {"a ⇨ b", "HImp.himp a b"},
      {"![a, b]", "Matrix.vecCons a (Matrix.vecCons b Matrix.vecEmpty)"},
      {"f ![a] = x", "f (Matrix.vecCons a Matrix.vecEmpty) = x"},
      {"s ⬝ t", "s * t"},
      {"⟪a, b⟫_ℝ = 0", "Inner.inner _ a b = 0"},
      {"sᶜ", "HasCompl.compl s"},
  }));
  const std::string binder = "(f g s t μ l p x n a b i : A) : ";
  const auto read = parse_statement(binder + notation), meant = parse_statement(binder + term);
  CAPTURE(notation);
  REQUIRE(read);
  REQUIRE(meant);
  CHECK(to_text(read->statement) == to_text(meant->statement));
}

TEST_CASE("a sign that is changed by what follows it is another sign", "[index][statement]") {
  const std::string text =
      GENERATE("a →ᵈ b", "a *ᶠ b", "s ≃A[t] p", "s →CO[t] p", "s →⋆ b", "a =ᵐ b", "√ₓ a", "∑ᵢ a");
  CHECK_FALSE(parse_statement("(a b s t p : A) : " + text));
  CHECK(parse_statement("(a b : A) : (xs[a]![b] = a) = f [X]"));
  CHECK(sign_at("→ᵈ b", 0).size == std::string_view("→ᵈ").size());
  CHECK(sign_at("→ᵈ b", 0).notation == nullptr);
}

TEST_CASE("inclusion of sets is found under its old and its new name", "[index][statement]") {
  constexpr auto of = [](std::string_view order, std::string_view type) {
    const std::string head = "(" + std::string(order) + " (" + std::string(type) + " #0) _ ";
    return "{Type} {_} {_} {_} <" + head + "#1 #2)> <" + head + "#2 #3)> : " + head + "#1 #3)";
  };
  const auto found = [](std::string_view wanted, const std::string& statement) {
    const WrittenStatement written = pattern(wanted);
    const Terms terms = statement_terms(compiled(statement));
    bool by_terms = false;
    for (const Wanted how : {Wanted::SameForm, Wanted::Conclusion, Wanted::General, Wanted::Anywhere}) {
      const TermConditions conditions = conditions_for(written, how);
      by_terms = by_terms || (!conditions.empty() && fulfils(terms, conditions));
    }
    return by_terms && fit(wanted, statement) >= kOfGivenType;
  };
  constexpr std::string_view kTrans = "?a ⊆ ?b → ?b ⊆ ?c → ?a ⊆ ?c", kStrict = "?a ⊂ ?b → ?b ⊂ ?c → ?a ⊂ ?c";
  for (const char* const type : {"Set", "Finset"}) {
    CHECK(found(kTrans, of("HasSubset.Subset", type)));
    CHECK(found(kTrans, of("LE.le", type)));
    CHECK(found(kStrict, of("HasSSubset.SSubset", type)));
    CHECK(found(kStrict, of("LT.lt", type)));
    CHECK_FALSE(found(kTrans, of("LT.lt", type)));
  }
  CHECK(found(kTrans, of("HasSubset.Subset", "List")));
  CHECK_FALSE(found(kTrans, of("LE.le", "Multiset")));
  // The complement: an index of an older library has the present name, too, since TypeTerm::constant() gives
  // it.
  CHECK(fit("(?s)ᶜᶜ = ?s",
            "{(Set Nat)} : (Eq (Set Nat) (Compl.compl (Set Nat) _ (Compl.compl (Set Nat) _ #0)) #0)") >=
        kOfGivenType);
}

TEST_CASE("a name may have two primes", "[index][statement]") {
  CHECK(parse_statement("f'' = f '' s")->statement.variables.size() == 3);
}

TEST_CASE("what a written type leaves open", "[index][statement]") {
  const TypePatterns kernel({"LinearMap.ker f = ⊥"});
  CHECK(kernel.fit("{f : M →ᵈ M₂} : ker f = ⊥") == 1);       // a type that cannot be read
  CHECK(kernel.fit("{f : M} (h : f ⊛ g) : ker f = ⊥") < 1);  // it is a hypothesis all the same
  CHECK(TypePatterns({"n.choose k * k ! = 1"}).fit("∀ {n k}, choose n k * k ! = 1") >= kWholeFit);
  CHECK(TypePatterns({"Continuous fun x => f x * g x"}).fit("Continuous (c * d)") >= kWholeFit);
  CHECK(TypePatterns({"Continuous fun x => f x * f x"}).fit("Continuous (c * d)") == 0);
  // A name that nothing binds may be a constant, and then says nothing about other terms.
  CHECK(TypePatterns({"a + b = b"}).fit("(s : Set α) (h : p s) : (mk s h : Set α) = s") == 0);
  // What uses the hypotheses comes before what needs none of them.
  const TypePatterns inverse({"LeftInverse g f → Injective f"});
  CHECK(inverse.fit("{f : A} (h : LeftInverse g f) : Injective f") > inverse.fit("{f : A} : Injective f"));
}

TEST_CASE("which statements fit a pattern", "[index][statement]") {
  CHECK(fit("?a + ?b = ?b + ?a", kAddComm) >= kOfGivenType);
  CHECK(fit("?x + ?y = ?x + ?y", kAddComm) == 0);  // the same variable, the same term
  CHECK(fit("?n - ?m + ?m = ?n", kSubAddCancel) >= kWholeFit);
  CHECK(fit("List.length (_ ++ _)", kLengthAppend) >= kPartFit);
  CHECK(fit("List.length (_ ++ _)", kLengthAppend) < kWholeFit);
  CHECK(fit("(?l ++ ?m).length = _", kLengthAppend) >= kWholeFit);
  CHECK(fit("?a < ?b → ?b < ?c → ?a < ?c", kLtTrans) >= kOfGivenType);
  CHECK(fit("?b < ?c → ?a < ?b → ?a < ?c", kLtTrans) >= kOfGivenType);  // premises in any order
  CHECK(fit("?a < ?b → ?b < ?c → ?c < ?a", kLtTrans) == 0);
  CHECK(fit("?b > ?a → ?c > ?b → ?c > ?a", kLtTrans) >= kOfGivenType);
  CHECK(fit("?n < ?n + 1", kLtSuccSelf) >= kOfGivenType);
  CHECK(fit("⊢ _ < _", kLtTrans) >= kWholeFit);
  CHECK(fit("⊢ _ = _", kNeZero) == 0);  // only a hypothesis has it
  CHECK(fit("_ = 0", kNeZero) >= kPartFit);
  CHECK(fit("¬ (∃ x, ?p x) ↔ ∀ x, ¬ ?p x", kNotExists) == 1);
  CHECK(fit("(∀ x, ¬ ?p x) ↔ _", kNotExists) >= kWholeFit);  // the other way round
  CHECK(fit("List.map ?f (List.map ?g ?l)", kMapMap) >= kPartFit);
  CHECK(fit("?a", kAddComm) == 0);
  CHECK(fit("¬¬?p → ?p", kNotNot) == 1);
  CHECK(fit("¬¬?p → ?p", kLtTrans) == 0);
}

TEST_CASE("statements and goals also fit what is more general", "[index][statement]") {
  CHECK(fit("a + b = b + a", kAddComm) >= kOfGivenType);
  CHECK(fit("(x : Nat) : x + 2 * x = 2 * x + x", kAddComm) >= kWholeFit);
  CHECK(fit("(x : Nat) : x + 2 * x = 2 * x + x", kAddComm) < 1);
  CHECK(fit("?x + 2 * ?x = 2 * ?x + ?x", kAddComm) == 0);  // only instances of a pattern fit it
  CHECK(fit("(x y : Int) : x + y = y + x", kAddComm) == 0);
  CHECK(fit("n m : Nat\nh : m ≤ n\n⊢ n - m + m = n", kSubAddCancel) == 1);
  CHECK(fit("n m : Nat\n⊢ n - m + m = n", kSubAddCancel) < 1);
  CHECK(fit("α : Type\nxs ys : List α\n⊢ (xs ++ ys).length = xs.length + ys.length", kLengthAppend) == 1);
  CHECK(fit("∀ n m : Nat, n.succ = m.succ → n = m", kSuccInj) >= kWholeFit);
  // What says that any two of a type are equal is last, and no result where nothing is of the type.
  CHECK(fit("a b : Nat\n⊢ a + b = b + a", kUnitExt) == 0);
  CHECK(fit("a : Nat\nu v : Unit\n⊢ u = v", kUnitExt) > 0);
  CHECK(fit("a b : Nat\n⊢ a + b = b + a", kElim) < kWholeFit);
  CHECK(fit("a b : Nat\n⊢ a + b = b + a", kElim) > 0);
  // The general lemma comes before its instances; what cannot be read fits nothing.
  CHECK(fit("a + b = b + a",
            "{Type} [(Add #0)] {#0} {#0} : (Eq #0 (HAdd.hAdd _ _ _ _ #2 #3) (HAdd.hAdd _ _ _ _ #3 #2))") ==
        1);
  CHECK(fit("a + b = b + a", "<Nat> <Nat> : (Eq Nat _ #0)") == 0);
  CHECK(fit("p q : Prop\n⊢ p ∧ q", kNotNot) == 0);  // a theorem that proves anything says nothing
}

TEST_CASE("what fits is found by its terms", "[index][statement]") {
  const auto [wanted, statement] = GENERATE(table<std::string, std::string>({
      {"?a + ?b = ?b + ?a", kAddComm},
      {"?n - ?m + ?m = ?n", kSubAddCancel},
      {"(?n - ?m) + ?m", kSubAddCancel},
      {"?a < ?b → ?b < ?c → ?a < ?c", kLtTrans},
      {"?n < ?n + 1", kLtSuccSelf},
      {"¬ (∃ x, ?p x) ↔ _", kNotExists},
      {"¬¬?p → ?p", kNotNot},
      {"?n ≠ 0 → 0 < ?n", kNeZero},
      {"x : Nat\n⊢ x + 2 * x = 2 * x + x", kAddComm},
  }));
  CAPTURE(wanted, statement);
  const WrittenStatement written = pattern(wanted);
  const Terms terms = statement_terms(compiled(statement));
  REQUIRE(fit(wanted, statement) > 0);
  bool found = false;
  for (const Wanted how : {Wanted::SameForm, Wanted::Conclusion, Wanted::General, Wanted::Anywhere}) {
    const TermConditions conditions = conditions_for(written, how);
    found = found || (!conditions.empty() && fulfils(terms, conditions));
  }
  CHECK(found);
  CHECK_FALSE(fulfils(terms, conditions_for(pattern("?a * ?b = ?b * ?a"), Wanted::Anywhere)));
}

TEST_CASE("a type as a service prints it fits, too", "[index][statement]") {
  const TypePatterns wanted({"?a + ?b = ?b + ?a"});
  CHECK(wanted.fit("∀ (n m : Nat), n + m = m + n") >= kOfGivenType);
  CHECK(wanted.fit(" (n m : ℕ) : n + m = m + n") >= kOfGivenType);
  CHECK(wanted.fit("∀ (n : Nat), n + 0 = n") == 0);
  CHECK(wanted.fit("not a type ((") == 0);
  CHECK(TypePatterns({"List.length (_ ++ _)"})
            .fit("{α} (as bs : List α) : (as ++ bs).length = as.length + bs.length") >= kPartFit);
  CHECK(TypePatterns({"_ + _", "_ * _"}).fit("a * (b + c) = a * b + a * c") >= kPartFit);
  CHECK(TypePatterns({"_ + _", "_ * _"}).fit("a + b = b + a") == 0);
  CHECK(TypePatterns({"(("}).empty());
}

namespace {

Declaration theorem(std::string name, std::string statement, std::vector<std::string> constants) {
  Declaration declaration;
  declaration.name = std::move(name);
  declaration.kind = "theorem";
  declaration.statement = std::move(statement);
  declaration.constants = std::move(constants);
  return declaration;
}

std::shared_ptr<Store> small_library() {
  auto store = std::make_shared<Store>("", sqlite::Database::Mode::Memory, nullptr);
  Module module;
  module.name = "M";
  module.declarations = {
      theorem("Nat.add_comm", kAddComm, {"Nat", "Eq", "HAdd.hAdd"}),
      theorem("Nat.sub_add_cancel", kSubAddCancel, {"Nat", "LE.le", "Eq", "HAdd.hAdd", "HSub.hSub"}),
      theorem("List.length_append", kLengthAppend,
              {"List", "Eq", "Nat", "List.length", "HAppend.hAppend", "HAdd.hAdd"}),
      theorem("Nat.lt_trans", kLtTrans, {"Nat", "LT.lt"}),
      theorem("Nat.lt_succ_self", kLtSuccSelf, {"Nat", "LT.lt", "Nat.succ"}),
      theorem("Nat.succ_inj", kSuccInj, {"Nat", "Iff", "Eq", "Nat.succ"}),
      theorem("List.length", "{Type} <(List #0)> : Nat", {"List", "Nat"}),
      theorem("List.map_map", kMapMap, {"List", "Eq", "List.map", "Function.comp"}),
      theorem("Int.add_comm",
              "<Int> <Int> : (Eq Int (HAdd.hAdd _ _ Int _ #0 #1) (HAdd.hAdd _ _ Int _ #1 #0))",
              {"Int", "Eq", "HAdd.hAdd"}),
  };
  Declaration written;  // not compiled yet
  written.name = "mine";
  written.kind = "theorem";
  written.signature = "(l m : List α) : (l ++ m).length = (m ++ l).length";
  written.constants = {"length", "List"};
  module.declarations.push_back(written);
  store->write({module}, {});
  store->finish();
  return store;
}

Matches matching(std::vector<std::string> patterns, std::vector<std::string> name_parts = {}) {
  Lookup lookup;
  lookup.patterns = std::move(patterns);
  lookup.name_parts = std::move(name_parts);
  lookup.limit = 5;
  return Searcher().search({small_library()}, lookup);
}

bool finds(const Matches& matches, std::string_view name) {
  return std::any_of(matches.found.begin(), matches.found.end(),
                     [&](const Match& found) { return found.name == name; });
}

}  // namespace

TEST_CASE("the index is searched by patterns", "[index][statement]") {
  CHECK(matching({"?n - ?m + ?m = ?n"}).found.at(0).name == "Nat.sub_add_cancel");
  CHECK(matching({"?n - ?m + ?m = ?n"}).found.size() == 1);
  CHECK(finds(matching({"List.length (_ ++ _)"}), "List.length_append"));
  CHECK(finds(matching({"?a + ?b = ?b + ?a"}), "Nat.add_comm"));
  CHECK(finds(matching({"?a + ?b = ?b + ?a"}), "Int.add_comm"));
  CHECK(matching({"∀ a b : Int, a + b = b + a"}).found.at(0).name == "Int.add_comm");
  CHECK_FALSE(finds(matching({"∀ a b : Int, a + b = b + a"}), "Nat.add_comm"));
  CHECK(finds(matching({"?n < ?n + 1"}), "Nat.lt_succ_self"));
  CHECK(finds(matching({"n k : Nat\n⊢ n < n.succ"}), "Nat.lt_succ_self"));
  CHECK(finds(matching({"∀ n m : Nat, n.succ = m.succ → n = m"}), "Nat.succ_inj"));
  CHECK(finds(matching({"α : Type\nl m : List α\n⊢ (l ++ m).length = l.length + m.length"}),
              "List.length_append"));
  CHECK(finds(matching({"(?l ++ ?m).length = (?m ++ ?l).length"}), "mine"));
  CHECK_FALSE(matching({"?a + ?b = ?b + ?a"}).nearest);
}

TEST_CASE("several patterns and parts of names filter", "[index][statement]") {
  CHECK(matching({"_ ++ _", "List.length"}).found.size() == 1);
  CHECK(matching({"_ + _ = _"}, {"APPEND"}).found.size() == 1);
  CHECK(matching({"_ + _ = _"}, {"nothing"}).found.empty());
  const Matches parts = matching({}, {"d_com"});
  CHECK(parts.found.size() == 2);
  CHECK(finds(parts, "Nat.add_comm"));
  CHECK(matching({"List.map"}).found.at(0).name == "List.map_map");
}

TEST_CASE("if nothing fits, what is nearest is named so", "[index][statement]") {
  Lookup lookup;
  lookup.patterns = {"List.length (List.map _ _) < _"};
  lookup.constants = {"List.map"};
  const Matches matches = Searcher().search({small_library()}, lookup);
  CHECK(matches.nearest);
  CHECK(finds(matches, "List.map_map"));
  CHECK(matches.found.at(0).fit == 0);
}

TEST_CASE("what Lean reports leaves a statement as it was", "[index][statement]") {
  const auto store = small_library();
  store->learn({{"Nat.add_comm", "(n m : Nat) : n + m = m + n", "Addition commutes."}});
  CHECK(store->statement_of("Nat.add_comm") == std::optional<std::string>(kAddComm));
  Lookup lookup;
  lookup.patterns = {"?a + ?b = ?b + ?a"};
  CHECK(finds(Searcher().search({store}, lookup), "Nat.add_comm"));
}

TEST_CASE("a word that begins with a dot is no constant", "[index][statement]") {
  CHECK_FALSE(looks_like_constant(".length"));
  CHECK_FALSE(looks_like_constant("."));
  CHECK(looks_like_constant("List.length"));
  CHECK_FALSE(looks_like_constant("l.length"));
}

TEST_CASE("statements that were only read as written", "[index][statement]") {
  const auto written = [](std::string name, std::string signature) {
    Declaration made;
    made.name = std::move(name);
    made.kind = "theorem";
    made.signature = std::move(signature);
    return made;
  };
  const auto store = std::make_shared<Store>("", sqlite::Database::Mode::Memory, nullptr);
  Module module;
  module.name = "M";
  module.declarations = {written("Real.exp", "(x : ℝ) : ℝ"),
                         written("Real.exp_add", ": exp (x + y) = exp x * exp y"),
                         written("map_mul", "(f : F) : f (a * b) = f a * f b"),
                         written("Space.isClosed_of", ": IsClosed {x | b}"),
                         written("IsCompact.isClosed", "{s : Set X} (hs : IsCompact s) : IsClosed s")};
  module.declarations[1].constants = {"exp"};
  module.declarations[3].constants = {"IsClosed"};
  module.declarations[4].constants = {"Set", "IsCompact", "IsClosed"};
  store->write({module}, {});
  store->finish();
  const auto first = [&](std::string pattern) {
    Lookup lookup;
    lookup.patterns = {std::move(pattern)};
    const Matches matches = Searcher().search({store}, lookup);
    return matches.found.empty() ? "" : matches.found.front().name;
  };
  // Nobody knows how many implicit arguments `exp` has here: that hides nothing below it.
  CHECK(first("Real.exp (x + y) = Real.exp x * Real.exp y") == "Real.exp_add");
  // A term that could not be read fits everything, but less well than what was read.
  CHECK(first("IsCompact s → IsClosed s") == "IsCompact.isClosed");
}
