#include "search/sources/query.hpp"

#include <catch2/catch.hpp>

namespace leanbridge::search {

namespace {

using Strings = std::vector<std::string>;

std::optional<index::Lookup> lookup_by(LocalForm form, std::string_view text) {
  for (const LocalQuestion& question : local_questions(analyse(text)))
    if (question.form == form) return question.lookup;
  return std::nullopt;
}
std::optional<index::Lookup> type_lookup(std::string_view text) {
  return lookup_by(LocalForm::Type, text);
}
std::optional<index::Lookup> word_lookup(std::string_view text) {
  return lookup_by(LocalForm::Words, text);
}

std::string loogle(std::string_view text) {
  return loogle_form(analyse(text));
}

}  // namespace

TEST_CASE("what a search text is", "[search]") {
  const auto [text, kind] = GENERATE(table<std::string, std::string>({
      {"Nat.add_comm", "name"},
      {"add_comm", "name"},
      {"comm", "name"},
      {"«a b».c", "name"},
      {"Real.sin Real.cos", "name"},
      {"addition commutative natural numbers", "keywords"},
      {"every group of prime order is cyclic", "keywords"},
      {"Cauchy-Schwarz inequality", "keywords"},
      {"сложение коммутативно", "keywords"},
      {"Nat.*", "glob"},
      {"*.add_comm", "glob"},
      {"a + b = b + a", "pattern"},
      {"a*b", "pattern"},
      {"?a ⊕ ?b = ?b ⊕ ?a", "pattern"},
      {"Real.sin, \"add\"", "pattern"},
      {"\"differ\"", "pattern"},
      {"|- tsum _ = _ * tsum _", "pattern"},
      {"(?a -> ?b) -> List ?a -> List ?b", "pattern"},
      {"List.map f (List.map g l)", "pattern"},
      {"deriv sin = cos", "pattern"},
      {"some a = some b ↔ a = b", "pattern"},
      {"theorem foo (a b : Nat) : a + b = b + a", "pattern"},
      {"∀ a b : ℕ, a + b = b + a", "pattern"},
      {"n : Nat\n⊢ n + 0 = n", "goal"},
      {"case succ\nn : ℕ\nih : n = n\n⊢ n + 1 = n + 1", "goal"},
      {"⊢ a ∧ b", "goal"},
      {"commutativity of addition a + b = b + a", "mixed"},
      {"Nat.succ injective function", "mixed"},
      {"", "keywords"},
      {"🙂", "keywords"},
      {"***", "keywords"},
  }));
  CAPTURE(text);
  CHECK(wire::name_of(analyse(text).kind) == kind);
}

TEST_CASE("a pattern for Loogle", "[search]") {
  const auto [text, pattern] = GENERATE(table<std::string, std::string>({
      {"a + b = b + a", "?a + ?b = ?b + ?a"},
      {"?a ⊕ ?b = ?b ⊕ ?a", "?a + ?b = ?b + ?a"},
      {"a \\oplus b", "?a + ?b"},
      {"x₁ <= x' -> y", "?x₁ ≤ ?x' → ?y"},
      {"∀ a b : ℕ, a + b = b + a", "(?a : Nat) + (?b : Nat) = ?b + ?a"},
      {"∀ (a : Nat) (h : 0 < a), a ≠ 0", "0 < (?a : Nat) → ?a ≠ 0"},
      {"theorem foo {α : Type} (a b : α) : a = b := by simp", "?a = ?b"},
      {"{f : A → B} (hf : Injective f) : ∃ g, LeftInverse g f", "Injective ?f → ∃ x, LeftInverse x ?f"},
      {"∃ x, P x", "∃ x, ?P x"},
      {"|- a < b", "⊢ ?a < ?b"},
      {"|- tsum _ = _ * tsum _", "⊢ tsum _ = _ * tsum _"},
      {"(?a -> ?b) -> List ?a -> List ?b", "(?a → ?b) → List ?a → List ?b"},
      {"Real.sin, \"add\", _ + _", "Real.sin, \"add\", _ + _"},
      {"#find _ * (_ ^ _)", "_ * _ ^ _"},
      {"l.length = 0", "_ = 0"},
      {"Real.sin x + π = 1", "Real.sin ?x + Real.pi = 1"},
      {"commutativity of addition: a + b = b + a", "?a + ?b = ?b + ?a"},
      {"n : Nat\nh : n > 0\n⊢ n + 0 = n", "⊢ (?n : Nat) + 0 = ?n"},
      {"a✝ : P\n⊢ a✝ = b ∧ c", "⊢ ?a_i = ?b ∧ ?c"},
  }));
  CAPTURE(text);
  CHECK(loogle(text) == pattern);
}

TEST_CASE("names, words and globs for Loogle", "[search]") {
  CHECK(loogle("add_comm") == "\"add_comm\"");
  CHECK(loogle("Nat.add_comm") == "\"Nat.add_comm\"");
  CHECK(loogle("Real.sin") == "Real.sin");
  CHECK(loogle("Real.sin Real.cos") == "Real.sin, Real.cos");
  CHECK(loogle("Nat.*_comm") == "\"Nat.\", \"_comm\"");
  CHECK(loogle("every group of prime order is cyclic").empty());
  CHECK(loogle("a → b").empty());  // no constant: Loogle refuses it
  CHECK(loogle("").empty());
}

TEST_CASE("constants and conclusion for the local index", "[search]") {
  const auto lookup = [](std::string_view text) { return *type_lookup(text); };
  CHECK(lookup("∀ a b : ℕ, a + b = b + a").constants == Strings{"Nat", "HAdd.hAdd", "Eq"});
  CHECK(lookup("a ∣ b → a ≤ b").conclusion == "LE.le");
  CHECK(lookup("a = b ↔ b = a").conclusion == "Iff");
  CHECK(lookup("⊢ (a ∧ b)").conclusion == "And");
  CHECK(lookup("¬ (a = b)").conclusion == "Not");
  CHECK(lookup("x = 1 → ∃ y, y = x").conclusion == "Exists");
  CHECK(lookup("n : ℕ\n⊢ Even n").conclusion == "Even");
  CHECK(lookup("n : ℕ\n⊢ Even n").constants == Strings{"Even", "Nat"});
  CHECK_FALSE(type_lookup("every group of prime order is cyclic"));
}

TEST_CASE("patterns and parts of names for the local index", "[search]") {
  const auto lookup = [](std::string_view text) { return *type_lookup(text); };
  CHECK(lookup("?n - ?m + ?m = ?n").patterns == Strings{"?n - ?m + ?m = ?n"});
  CHECK(lookup("Real.sin, \"add\", _ + _").patterns == Strings{"Real.sin", "_ + _"});
  CHECK(lookup("Real.sin, \"add\", _ + _").name_parts == Strings{"add"});
  CHECK(lookup("\"comm\"").name_parts == Strings{"comm"});
  CHECK(lookup("\"comm\"").words == "comm");
  CHECK(lookup("|- a < b").patterns == Strings{"⊢ a < b"});
  CHECK(lookup("n : ℕ\n⊢ Even n").patterns == Strings{"n : ℕ\n⊢ Even n"});
  CHECK(lookup("∀ a b : ℕ, a + b = b + a").patterns == Strings{"∀ a b : ℕ, a + b = b + a"});
  CHECK(analyse("?a + ?b").type_filters);
  CHECK_FALSE(analyse("n : ℕ\n⊢ Even n").type_filters);
  CHECK_FALSE(analyse("commutativity of addition a + b = b + a").type_filters);
}

TEST_CASE("words for the local index", "[search]") {
  CHECK(word_lookup("The sum of two even numbers is even")->words == "The sum of two even numbers is even");
  CHECK(word_lookup("commutativity of addition a + b = b + a")->words == "commutativity addition");
  CHECK(word_lookup("Nat.succ injective")->words == "Nat.succ injective");
  CHECK(word_lookup("Nat.*")->glob == "Nat.*");
  CHECK_FALSE(word_lookup("a + b = b + a"));
  CHECK_FALSE(word_lookup(" \n "));
}

TEST_CASE("phrases and goals", "[search]") {
  CHECK(phrase_form(analyse("  two\n words ")) == "two words");
  CHECK(phrase_form(analyse("Nat.*_comm")) == "Nat comm");
  CHECK(goal_form(analyse("case a\nn : Nat\n⊢ n =\n    n\n\ncase b\n⊢ False")) == "n : Nat\n⊢ n =\n    n");
  CHECK(goal_form(analyse("a = b")).empty());
}

TEST_CASE("a type pattern that is given as such", "[search]") {
  CHECK(read_type_pattern("a + b = b + a")->loogle == "?a + ?b = ?b + ?a");
  CHECK(read_type_pattern("List.map")->loogle == "List.map");
  CHECK(read_type_pattern("⊢ a < b")->lookup.conclusion == "LT.lt");
  CHECK_FALSE(read_type_pattern(""));
  CHECK_FALSE(read_type_pattern("a → b"));
}

TEST_CASE("texts that nobody should send", "[search]") {
  const std::string text =
      GENERATE(std::string("\xff\xfe ⊢ \xc3"), std::string(100'000, '('), std::string(100'000, 'a'),
               std::string("∀"), std::string("⊢"), std::string("\"abc"), std::string("? ?1 ?_ ?"),
               std::string("(a : Nat"), std::string("a : : ⊢ , , ⊢"), std::string("«a"),
               std::string("a\0b", 3), std::string("(:) [] {} : ()"), std::string("∀ , ∀ ("));
  const Query query = analyse(text);
  CHECK(query.text.size() <= 3 * kMaxQueryBytes);
  loogle_form(query);
  phrase_form(query);
  local_questions(query);
  read_type_pattern(text);
}

}  // namespace leanbridge::search
