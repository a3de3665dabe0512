#include "notation.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>
#include <vector>

namespace leanbridge::olean {

namespace {

constexpr Notation in_brackets(std::string_view symbol, std::string_view constant, Fix fix, int level,
                               std::string_view wrapper) {
  return {.symbol = symbol, .constant = constant, .fix = fix, .level = level, .wrapper = wrapper};
}
constexpr Notation not_a(std::string_view symbol, std::string_view constant, bool swapped,
                         std::string_view word) {
  return {.symbol = symbol,
          .constant = constant,
          .fix = Fix::None,
          .level = 50,
          .word = word,
          .swapped = swapped,
          .negated = true};
}

// From Lean's src/Init/Prelude.lean, Core.lean and Notation.lean, and the most common notation of Mathlib. If
// several rows have the same symbol, the first one is used for reading; if several have the same constant,
// the first one is used for printing. Unlike in Lean, operators on Bool bind more tightly than =: a && (b =
// b) && a is never meant.
constexpr auto kNotations = std::to_array<Notation>({
    {"↔", "Iff", "ee", Fix::None, 20, "iff"},
    {"<|>", "HOrElse.hOrElse", "iiicee", Fix::Right, 20},
    {"⟶", "Quiver.Hom", "", Fix::Right, 10},
    {"→*", "MonoidHom", "", Fix::Right, 25},
    {"→+", "AddMonoidHom", "", Fix::Right, 25},
    {"→+*", "RingHom", "", Fix::Right, 25},
    {"→o", "OrderHom", "", Fix::Right, 25},
    {"→₀", "Finsupp", "", Fix::Right, 25},
    {"→*₀", "MonoidWithZeroHom", "", Fix::Right, 25},
    {"→ₙ*", "MulHom", "", Fix::Right, 25},
    {"→ₙ+", "AddHom", "", Fix::Right, 25},
    {"→ₙ+*", "NonUnitalRingHom", "", Fix::Right, 25},
    {"→ᵇ", "BoundedContinuousFunction", "", Fix::Right, 25},
    {"→ₛ", "MeasureTheory.SimpleFunc", "", Fix::Right, 25},
    {"→ₐ[", "AlgHom", "", Fix::Right, 25},
    {"→⋆ₐ[", "StarAlgHom", "", Fix::Right, 25},
    in_brackets("→ₗ[", "LinearMap", Fix::Right, 25, "RingHom.id"),
    in_brackets("→ₗ⋆[", "LinearMap", Fix::Right, 25, "starRingEnd"),
    in_brackets("→ₛₗ[", "LinearMap", Fix::Right, 25, ""),
    in_brackets("→L[", "ContinuousLinearMap", Fix::Right, 25, "RingHom.id"),
    in_brackets("→L⋆[", "ContinuousLinearMap", Fix::Right, 25, "starRingEnd"),
    in_brackets("→SL[", "ContinuousLinearMap", Fix::Right, 25, ""),
    in_brackets("→ₗᵢ[", "LinearIsometry", Fix::Right, 25, "RingHom.id"),
    in_brackets("→ₛₗᵢ[", "LinearIsometry", Fix::Right, 25, ""),
    {"≃*", "MulEquiv", "", Fix::None, 25},
    {"≃+", "AddEquiv", "", Fix::None, 25},
    {"≃+*", "RingEquiv", "", Fix::None, 25},
    {"≃o", "OrderIso", "", Fix::None, 25},
    {"≃ₜ", "Homeomorph", "", Fix::None, 25},
    {"≃ᵐ", "MeasurableEquiv", "", Fix::None, 25},
    {"≃ᵢ", "IsometryEquiv", "", Fix::None, 25},
    {"≃ᵤ", "UniformEquiv", "", Fix::None, 25},
    {"≃ₐ[", "AlgEquiv", "", Fix::None, 25},
    {"≃⋆ₐ[", "StarAlgEquiv", "", Fix::None, 25},
    in_brackets("≃ₗ[", "LinearEquiv", Fix::None, 25, "RingHom.id"),
    in_brackets("≃ₗ⋆[", "LinearEquiv", Fix::None, 25, "starRingEnd"),
    in_brackets("≃ₛₗ[", "LinearEquiv", Fix::None, 25, ""),
    in_brackets("≃L[", "ContinuousLinearEquiv", Fix::None, 25, "RingHom.id"),
    in_brackets("≃SL[", "ContinuousLinearEquiv", Fix::None, 25, ""),
    in_brackets("≃ₗᵢ[", "LinearIsometryEquiv", Fix::None, 25, "RingHom.id"),
    in_brackets("≃ₛₗᵢ[", "LinearIsometryEquiv", Fix::None, 25, ""),
    {"↪", "Function.Embedding", "", Fix::None, 25},
    {"↪o", "OrderEmbedding", "", Fix::None, 25},
    {"≅", "CategoryTheory.Iso", "", Fix::Right, 10, "iso"},
    {"≌", "CategoryTheory.Equivalence", "", Fix::Right, 10, "equivalence"},
    {"⊣", "CategoryTheory.Adjunction", "", Fix::Left, 15, "adjunction"},
    {"⨯", "CategoryTheory.Limits.prod", "", Fix::Right, 20, "prod"},
    {"⥤", "CategoryTheory.Functor", "", Fix::Right, 26},
    {"≃", "Equiv", "", Fix::None, 25, "equiv"},
    {"∨", "Or", "ee", Fix::Right, 30, "or"},
    {"⊕", "Sum", "ee", Fix::Right, 30, "sum"},
    {"||", "Bool.or", "ee", Fix::Left, 30, "or", 51},
    {"^^", "Bool.xor", "ee", Fix::Left, 33, "", 52},
    {"∧", "And", "ee", Fix::Right, 35, "and"},
    {"&&", "Bool.and", "ee", Fix::Left, 35, "and", 53},
    {"×", "Prod", "ee", Fix::Right, 35, "prod"},
    {"⧸", "HasQuotient.Quotient", "", Fix::Left, 35},
    {"×'", "PProd", "ee", Fix::Right, 35, "prod"},
    {"=", "Eq", "iee", Fix::None, 50, "eq"},
    {"≠", "Ne", "iee", Fix::None, 50, "ne"},
    {"≍", "HEq", "ieie", Fix::None, 50},
    {"==", "BEq.beq", "icee", Fix::None, 50, "beq", 54},
    {"!=", "bne", "icee", Fix::None, 50, "ne", 54},
    {"<", "LT.lt", "icee", Fix::None, 50, "lt"},
    {"≤", "LE.le", "icee", Fix::None, 50, "le"},
    {">", "GT.gt", "icee", Fix::None, 50, "lt"},
    {"≥", "GE.ge", "icee", Fix::None, 50, "le"},
    {"∣", "Dvd.dvd", "icee", Fix::None, 50, "dvd"},
    not_a("∤", "Dvd.dvd", false, "dvd"),
    {"∈", "Membership.mem", "iicee", Fix::None, 50, "mem", 0, true},
    not_a("∉", "Membership.mem", true, "mem"),
    {"⊆", "HasSubset.Subset", "icee", Fix::None, 50, "subset"},
    {"⊂", "HasSSubset.SSubset", "icee", Fix::None, 50, "ssubset"},
    {"⊇", "Superset", "icee", Fix::None, 50, "subset"},
    {"⊃", "SSuperset", "icee", Fix::None, 50, "ssubset"},
    {"⋖", "CovBy", "", Fix::None, 50},
    {"≪", "MeasureTheory.Measure.AbsolutelyContinuous", "", Fix::None, 50},
    {"=ᶠ[", "Filter.EventuallyEq", "", Fix::None, 50},
    {"≤ᶠ[", "Filter.EventuallyLE", "", Fix::None, 50},
    in_brackets("=ᵐ[", "Filter.EventuallyEq", Fix::None, 50, "MeasureTheory.ae"),
    in_brackets("≤ᵐ[", "Filter.EventuallyLE", Fix::None, 50, "MeasureTheory.ae"),
    {"=O[", "Asymptotics.IsBigO", "", Fix::Right, 100},
    {"=o[", "Asymptotics.IsLittleO", "", Fix::Right, 100},
    {"=Θ[", "Asymptotics.IsTheta", "", Fix::Right, 100},
    {"~[", "Asymptotics.IsEquivalent", "", Fix::Right, 50},
    {"~", "List.Perm", "", Fix::None, 50, "perm"},
    {"<+", "List.Sublist", "", Fix::None, 50},
    {"<+:", "List.IsPrefix", "", Fix::None, 50},
    {"<:+", "List.IsSuffix", "", Fix::None, 50},
    {"<:+:", "List.IsInfix", "", Fix::None, 50},
    {"≈", "HasEquiv.Equiv", "", Fix::None, 50, "equiv"},
    {">>=", "Bind.bind", "iciiee", Fix::Left, 55},
    {"|||", "HOr.hOr", "iiicee", Fix::Left, 55},
    {"^^^", "HXor.hXor", "iiicee", Fix::Left, 58},
    {"&&&", "HAnd.hAnd", "iiicee", Fix::Left, 60},
    {"⇨", "HImp.himp", "icee", Fix::Right, 60, "himp"},
    {">>", "HAndThen.hAndThen", "iiicee", Fix::Left, 60},
    {">>", "AndThen.andThen", "icee", Fix::Left, 60},
    {"++", "HAppend.hAppend", "iiicee", Fix::Left, 65, "append"},
    {"++", "Append.append", "icee", Fix::Left, 65, "append"},
    {"+", "HAdd.hAdd", "iiicee", Fix::Left, 65, "add"},
    {"-", "HSub.hSub", "iiicee", Fix::Left, 65, "sub"},
    {"+ᵥ", "HVAdd.hVAdd", "iiicee", Fix::Left, 65, "vadd"},
    {"-ᵥ", "VSub.vsub", "", Fix::Left, 65, "vsub"},
    {"∪", "Union.union", "icee", Fix::Left, 65, "union"},
    {"::", "List.cons", "iee", Fix::Right, 67, "cons"},
    {"max", "Max.max", "icee", Fix::Word},
    {"min", "Min.min", "icee", Fix::Word},
    {"⊔", "Max.max", "icee", Fix::Left, 68, "sup"},
    {"⊓", "Min.min", "icee", Fix::Left, 69, "inf"},
    {"∩", "Inter.inter", "icee", Fix::Left, 70, "inter"},
    {"*", "HMul.hMul", "iiicee", Fix::Left, 70, "mul"},
    {"·", "HMul.hMul", "iiicee", Fix::Left, 70},
    {"/", "HDiv.hDiv", "iiicee", Fix::Left, 70, "div"},
    {"%", "HMod.hMod", "iiicee", Fix::Left, 70, "mod"},
    {"\\", "SDiff.sdiff", "icee", Fix::Left, 70},
    {"⬝ᵥ", "dotProduct", "", Fix::Left, 72},
    {"*ᵥ", "Matrix.mulVec", "", Fix::Right, 73, "mulvec"},
    {"ᵥ*", "Matrix.vecMul", "", Fix::Left, 73, "vecmul"},
    {"•", "HSMul.hSMul", "iiicee", Fix::Right, 73, "smul"},
    {"^", "HPow.hPow", "iiicee", Fix::Right, 75, "pow"},
    {"<<<", "HShiftLeft.hShiftLeft", "iiicee", Fix::Left, 75},
    {">>>", "HShiftRight.hShiftRight", "iiicee", Fix::Left, 75},
    {"''", "Set.image", "iiee", Fix::Left, 80, "image"},
    {"⁻¹'", "Set.preimage", "iiee", Fix::Left, 80, "preimage"},
    {"∘ₗ", "LinearMap.comp", "", Fix::Right, 80, "comp"},
    {"∘ₛₗ", "LinearMap.comp", "", Fix::Right, 90, "comp"},
    {"∘L", "ContinuousLinearMap.comp", "", Fix::Right, 80, "comp"},
    {"≫", "CategoryTheory.CategoryStruct.comp", "", Fix::Right, 80, "comp"},
    {"⋙", "CategoryTheory.Functor.comp", "", Fix::Right, 80, "comp"},
    {"×ˢ", "SProd.sprod", "", Fix::Right, 82, "prod"},
    {"∘", "Function.comp", "iiieee", Fix::Right, 90, "comp"},
    {"∆", "symmDiff", "", Fix::Left, 100},
    {"⊗[", "TensorProduct", "", Fix::Left, 100, "tensor"},
    {"⊗ₜ[", "TensorProduct.tmul", "", Fix::Left, 100, "tmul"},
    in_brackets("⊗ₜ", "TensorProduct.tmul", Fix::Left, 100, "_"),
    {"<$>", "Functor.map", "iciiee", Fix::Right, 100},
    {"¬", "Not", "e", Fix::Prefix, 1022, "not", 40},
    {"!", "Bool.not", "e", Fix::Prefix, kApplicationLevel, "", kAtomLevel},
    {"-", "Neg.neg", "ice", Fix::Prefix, 75, "", 75},
    {"~~~", "Complement.complement", "ice", Fix::Prefix, 100, "", 100},
    {"√", "Real.sqrt", "", Fix::Prefix, 100, "sqrt", 100},
    {"⋃₀", "Set.sUnion", "", Fix::Prefix, 110, "sunion", 110},
    {"⋂₀", "Set.sInter", "", Fix::Prefix, 110, "sinter", 110},
    {"￢", "HNot.hnot", "ice", Fix::Prefix, 72, "hnot", 72},
    {"⁻¹", "Inv.inv", "ice", Fix::Postfix, kAtomLevel, "inv"},
    {"ᶜ", "Compl.compl", "ice", Fix::Postfix, kAtomLevel, "compl"},
    {"ᵀ", "Matrix.transpose", "iiie", Fix::Postfix, kAtomLevel, "transpose"},
    {"ᴴ", "Matrix.conjTranspose", "", Fix::Postfix, kAtomLevel},
    {"ˣ", "Units", "", Fix::Postfix, kAtomLevel, "units"},
    {"ᵒᵖ", "Opposite", "", Fix::Postfix, kAtomLevel},
    {"ᵐᵒᵖ", "MulOpposite", "", Fix::Postfix, kAtomLevel},
    {"ᵃᵒᵖ", "AddOpposite", "", Fix::Postfix, kAtomLevel},
    {"ᵒᵈ", "OrderDual", "", Fix::Postfix, kAtomLevel},
    {"[X]", "Polynomial", "", Fix::Postfix, kAtomLevel, "polynomial"},
    {"⟦X⟧", "PowerSeries", "", Fix::Postfix, kAtomLevel, "powerseries"},
    {"^[", "Nat.iterate", "", Fix::Postfix, kAtomLevel, "iterate"},
    {"∅", "EmptyCollection.emptyCollection", "ic", Fix::Atom, kAtomLevel, "empty"},
    {"ℕ", "Nat", "", Fix::Word, 0, "nat"},
    {"ℤ", "Int", "", Fix::Word, 0, "int"},
    {"ℚ", "Rat", "", Fix::Word, 0, "rat"},
    {"ℝ", "Real", "", Fix::Word, 0, "real"},
    {"ℂ", "Complex", "", Fix::Word},
    {"π", "Real.pi", "", Fix::Word},
    {"𝓝", "nhds", "ice", Fix::Word, 0, "nhds"},
    {"𝓝ˢ", "nhdsSet", "", Fix::Word, 0, "nhdsset"},
    {"ℝ≥0", "NNReal", "", Fix::Compound, 0, "nnreal"},
    {"ℝ≥0∞", "ENNReal", "", Fix::Compound, 0, "ennreal"},
    {"ℚ≥0", "NNRat", "", Fix::Compound, 0, "nnrat"},
    {"ℕ+", "PNat", "", Fix::Compound, 0, "pnat"},
    {"ℕ∞", "ENat", "", Fix::Word, 0, "enat"},
    {"𝓤", "uniformity", "", Fix::Word},
    {"𝟙", "CategoryTheory.CategoryStruct.id", "", Fix::Word, 0, "id"},
    {"⊤", "Top.top", "", Fix::Word, 0, "top"},
    {"⊥", "Bot.bot", "", Fix::Word, 0, "bot"},
    {"∞", "", "", Fix::Word, 0, "infinity"},
    {"some", "Option.some", "ie", Fix::Word},
    {"none", "Option.none", "i", Fix::Word},
    {"true", "Bool.true", "", Fix::Word},
    {"false", "Bool.false", "", Fix::Word},
    {"∀", "", "", Fix::Binder, 0, "forall"},
    {"∃", "Exists", "ie", Fix::Binder, 0, "exists"},
    {"∃!", "ExistsUnique", "", Fix::Binder, 0, "exists"},
    {"∀ᶠ", "Filter.Eventually", "", Fix::Binder},
    {"∃ᶠ", "Filter.Frequently", "", Fix::Binder},
    in_brackets("∀ᵐ", "Filter.Eventually", Fix::Binder, 0, "MeasureTheory.ae"),
    in_brackets("∃ᵐ", "Filter.Frequently", Fix::Binder, 0, "MeasureTheory.ae"),
    {"∑", "Finset.sum", "", Fix::Binder, 67, "sum"},
    {"∏", "Finset.prod", "", Fix::Binder, 67, "prod"},
    {"∑'", "tsum", "", Fix::Binder, 67, "tsum"},
    {"∏'", "tprod", "", Fix::Binder, 67, "tprod"},
    {"∑ᶠ", "finsum", "", Fix::Binder, 67, "finsum"},
    {"∏ᶠ", "finprod", "", Fix::Binder, 67, "finprod"},
    {"⨍", "MeasureTheory.average", "", Fix::Binder, 60, "average"},
    {"∫", "MeasureTheory.integral", "", Fix::Binder, 60, "integral"},
    {"∫⁻", "MeasureTheory.lintegral", "", Fix::Binder, 60, "lintegral"},
    {"⋃", "Set.iUnion", "", Fix::Binder, 0, "union"},
    {"⋂", "Set.iInter", "", Fix::Binder, 0, "inter"},
    {"⨆", "iSup", "", Fix::Binder, 0, "sup"},
    {"⨅", "iInf", "", Fix::Binder, 0, "inf"},
    {"λ", "", "", Fix::Binder},
    {"→", "", "", Fix::Mark, kArrowLevel},
    {"⊢", "", "", Fix::Mark},
    {"↦", "", "", Fix::Mark},
    {"≡", "", "", Fix::Mark, 50, "modeq"},
    {"[MOD ", "Nat.ModEq", "", Fix::Bracket},
    {"[ZMOD ", "Int.ModEq", "", Fix::Bracket},
    {"[PMOD ", "AddCommGroup.ModEq", "", Fix::Bracket},
    {"[SMOD ", "SModEq", "", Fix::Bracket},
    {"↑", "", "", Fix::Mark},
    {"∂", "", "", Fix::Mark},
    {"𝓝[", "nhdsWithin", "", Fix::Mark, 0, "nhds"},
    {"<|", "", "", Fix::Mark},
    {"|>", "", "", Fix::Mark},
    {"⟨", "", "", Fix::Mark},
    {"⟩", "", "", Fix::Bracket},
    {"⦃", "", "", Fix::Bracket},
    {"⦄", "", "", Fix::Bracket},
    {"←", "", "", Fix::Bracket},
    {":=", "", "", Fix::Bracket},
    {"//", "", "", Fix::Bracket},
    {"#[", "", "", Fix::Bracket},
    {"![", "Matrix.vecCons", "", Fix::Bracket},
    {"⁅", "Bracket.bracket", "", Fix::Bracket},
    {"⁆", "", "", Fix::Bracket},
    {"#", "", "", Fix::Bracket},
    {"⌊", "Int.floor", "", Fix::Bracket},
    {"⌋", "", "", Fix::Bracket},
    {"⌋₊", "Nat.floor", "", Fix::Bracket},
    {"⌈", "Int.ceil", "", Fix::Bracket},
    {"⌉", "", "", Fix::Bracket},
    {"⌉₊", "Nat.ceil", "", Fix::Bracket},
    {"⟪", "Inner.inner", "", Fix::Bracket},
    {"⟫", "", "", Fix::Bracket},
    {"‖₊", "", "", Fix::Bracket},
    {"‖", "", "", Fix::Bracket},
    {"", "GetElem.getElem", "iiiiceee"},
    {"", "GetElem?.getElem!", "iiiiccee"},
    {"", "GetElem?.getElem?", "iiiicee"},
    {"", "List.nil", "i"},
    {"", "Prod.mk", "iiee"},
    {"", "Subtype", "ie"},
    {"", "dite", "iecee"},
    {"", "ite", "iecee"},
});

// Other spellings of signs, each with its sign.
constexpr auto kSpellings = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"\\leftrightarrow", "↔"},
    {"\\iff", "↔"},
    {"<->", "↔"},
    {"<=>", "↔"},
    {"\\forall", "∀"},
    {"\\exists", "∃"},
    {"\\lambda", "λ"},
    {"\\vdash", "⊢"},
    {"|-", "⊢"},
    {"\\and", "∧"},
    {"\\land", "∧"},
    {"/\\", "∧"},
    {"\\or", "∨"},
    {"\\lor", "∨"},
    {"\\/", "∨"},
    {"\\not", "¬"},
    {"\\lnot", "¬"},
    {"\\leq", "≤"},
    {"\\le", "≤"},
    {"<=", "≤"},
    {"\\geq", "≥"},
    {"\\ge", "≥"},
    {">=", "≥"},
    {"\\neq", "≠"},
    {"\\ne", "≠"},
    {"\\to", "→"},
    {"->", "→"},
    {"\\in", "∈"},
    {"=>", "↦"},
    {"\\mid", "∣"},
    {"\\subseteq", "⊆"},
    {"\\cup", "∪"},
    {"\\cap", "∩"},
    {"\\circ", "∘"},
    {"\\times", "*"},
    {"\\cdot", "*"},
    {"\\oplus", "⊕"},
    {"⬝", "*"},
    {"⋅", "·"},
    {"−", "-"},
    {"∖", "\\"},
    {"⇑", "↑"},
});

using Table = std::unordered_map<std::string_view, const Notation*>;

template <class Holds>
Table table_by(std::string_view Notation::*key, Holds holds) {
  Table table;
  for (const Notation& each : kNotations)
    if (!(each.*key).empty() && holds(each)) table.emplace(each.*key, &each);
  return table;
}

const Notation* find_in(const Table& table, std::string_view key) {
  const auto found = table.find(key);
  return found == table.end() ? nullptr : found->second;
}

/// For each byte, the spellings that begin with it, the longest first.
using Spellings = std::array<std::vector<std::pair<std::string_view, const Notation*>>, 256>;

const Spellings& spellings() {
  static const Spellings all = [] {
    const Table known = table_by(&Notation::symbol, [](const Notation&) { return true; });
    Spellings made;
    const auto add = [&](std::string_view spelling, const Notation* meaning) {
      made[static_cast<unsigned char>(spelling[0])].emplace_back(spelling, meaning);
    };
    for (const auto& [symbol, notation] : known) add(symbol, notation);
    for (const auto& [spelling, symbol] : kSpellings) add(spelling, known.at(symbol));
    for (auto& some : made)
      std::ranges::sort(some, [](const auto& a, const auto& b) {
        return a.first.size() != b.first.size() ? a.first.size() > b.first.size() : a.first < b.first;
      });
    return made;
  }();
  return all;
}

bool is_letter(char c) {
  return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z');
}

// The size of a modifier at `at`: a raised or lowered letter, ₊, ₋ or ⋆. None of these begins a word. By
// their bytes in UTF-8: U+02B0–02FF, U+1D2C–1D6A, U+1D9B–1DBF, U+2080–209C, U+22C6, U+2C7C.
std::size_t modifier_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
  };
  if (byte(0) == 0xCA || byte(0) == 0xCB) return byte(0) == 0xCB || byte(1) >= 0xB0 ? 2 : 0;
  const unsigned tail = (byte(1) << 8U) | byte(2);
  const auto is_in = [tail](unsigned first, unsigned last) { return first <= tail && tail <= last; };
  if (byte(0) == 0xE1) return is_in(0xB4AC, 0xB5AA) || is_in(0xB69B, 0xB6BF) ? 3 : 0;
  if (byte(0) == 0xE2) return is_in(0x8280, 0x829C) || tail == 0x8B86 || tail == 0xB1BC ? 3 : 0;
  return 0;
}

// The size of the text directly behind a sign that makes it another sign: modifiers, and `L[` behind arrows.
std::size_t change_at(std::string_view text, std::size_t at, const Notation& sign) {
  const bool may_change =
      sign.is_infix() || sign.fix == Fix::Prefix || sign.fix == Fix::Binder || sign.symbol == "→";
  if (!may_change || sign.symbol.ends_with('[')) return 0;
  std::size_t end = at;
  while (const std::size_t size = modifier_at(text, end)) end += size;
  if (end > at) return end - at;
  const bool is_arrow =
      sign.symbol.starts_with("→") || sign.symbol.starts_with("≃") || sign.symbol.starts_with("↪");
  while (is_arrow && end < text.size() && end < at + 2 && is_letter(text[end])) ++end;
  return end > at && end < text.size() && text[end] == '[' ? end - at : 0;
}

}  // namespace

const Notation* infix_notation(std::string_view symbol) {
  static const Table table =
      table_by(&Notation::symbol, [](const Notation& each) { return each.is_infix(); });
  return find_in(table, symbol);
}

const Notation* prefix_notation(std::string_view symbol) {
  static const Table table =
      table_by(&Notation::symbol, [](const Notation& each) { return each.fix == Fix::Prefix; });
  return find_in(table, symbol);
}

const Notation* postfix_notation(std::string_view symbol) {
  static const Table table =
      table_by(&Notation::symbol, [](const Notation& each) { return each.fix == Fix::Postfix; });
  return find_in(table, symbol);
}

const Notation* notation_of(std::string_view constant) {
  static const Table table = table_by(&Notation::constant, [](const Notation&) { return true; });
  return find_in(table, present_name(constant));
}

const Notation* word_notation(std::string_view word) {
  static const Table table = table_by(&Notation::symbol, [](const Notation& each) {
    return (each.fix == Fix::Word || each.fix == Fix::Compound) && !each.constant.empty();
  });
  return find_in(table, word);
}

namespace {

// Older names of constants, with their present names.
constexpr auto kOlderNames = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"and", "Bool.and"},
    {"or", "Bool.or"},
    {"not", "Bool.not"},
    {"xor", "Bool.xor"},
    {"HasCompl.compl", "Compl.compl"},
});

}  // namespace

std::string_view present_name(std::string_view constant) {
  for (const auto& [older, present] : kOlderNames)
    if (constant == older) return present;
  return constant;
}

std::string_view older_name(std::string_view constant) {
  for (const auto& [older, present] : kOlderNames)
    if (constant == present) return older;
  return {};
}

std::string_view order_of_sets(std::string_view constant) {
  return constant == "HasSubset.Subset" ? "LE.le" : constant == "HasSSubset.SSubset" ? "LT.lt" : "";
}

std::string_view notation_letters(std::string_view constant) {
  const Notation* notation = notation_of(constant);
  return notation != nullptr && notation->constant == constant ? notation->letters : std::string_view();
}

Sign sign_at(std::string_view text, std::size_t at, bool words) {
  for (const auto& [spelling, notation] : spellings()[static_cast<unsigned char>(text[at])]) {
    if (!text.substr(at).starts_with(spelling)) continue;
    const char before = at > 0 ? text[at - 1] : ' ';
    // Two primes behind a letter are part of a name. In `f [X]` the bracket begins a list, in `xs[i]![j]` an
    // element.
    if ((spelling == "''" && before != ' ') || (spelling == "[X]" && before == ' ')) continue;
    if (spelling == "![" && before == ']') continue;
    // `some` is read as a word anyway; `\int` is not `\in`.
    if (is_letter(spelling[0]) || (notation->fix == Fix::Word && !words)) continue;
    const std::size_t end = at + spelling.size();
    if (is_letter(spelling.back()) && end < text.size() && is_letter(text[end])) continue;
    if (const std::size_t change = change_at(text, end, *notation))
      return {spelling.size() + change, nullptr};
    return {spelling.size(), notation};
  }
  return {};
}

}  // namespace leanbridge::olean
