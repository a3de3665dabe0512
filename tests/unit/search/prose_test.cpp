// Prose in Lean's terms: a statement, names, a glob.

#include "leanbridge/search/query.hpp"

#include <catch2/catch.hpp>

namespace leanbridge::search {

namespace {

using Strings = std::vector<std::string>;

std::string statement_meant(std::string_view text) {
  const auto query = analyse(text);
  return query.prose.type ? query.prose.type->loogle : "";
}

}  // namespace

TEST_CASE("prose has four forms", "[search][prose]") {
  const Query query = analyse("addition commutative natural numbers");
  CHECK(query.kind == QueryKind::Keywords);
  CHECK(loogle_form(query) == "(?a : Nat) + (?b : Nat) = ?b + ?a");
  CHECK(phrase_form(query) == "addition commutative natural numbers");
  const auto asked = local_questions(query);
  REQUIRE(asked.size() == 4);
  CHECK(asked[0].form == LocalForm::Words);
  CHECK(asked[0].lookup.words == "addition commutative natural numbers");
  CHECK(asked[1].form == LocalForm::Type);
  CHECK(asked[1].text == "?a + ?b = ?b + ?a");
  CHECK(asked[1].lookup.conclusion == "Eq");
  CHECK(asked[2].form == LocalForm::Name);
  CHECK(asked[2].lookup.words == "Nat.add_comm");
  CHECK(asked[3].form == LocalForm::Glob);
  CHECK(asked[3].lookup.glob == "Nat.*add*comm*");
}

TEST_CASE("the statement that prose means", "[search][prose]") {
  const auto [text, pattern] = GENERATE(table<std::string, std::string>({
      {"commutativity of multiplication", "?a * ?b = ?b * ?a"},
      {"Multiplication of integers is associative.", "(?a : Int) * (?b : Int) * (?c : Int) = ?a * (?b * ?c)"},
      {"conjunction is associative", "(?a ∧ ?b) ∧ ?c ↔ ?a ∧ ?b ∧ ?c"},
      {"the minimum is associative", "min (min ?a ?b) ?c = min ?a (min ?b ?c)"},
      {"disjunction is idempotent", "?a ∨ ?a ↔ ?a"},
      {"zero is the identity of addition", "?a + 0 = ?a"},
      {"multiplication distributes over addition", "?a * (?b + ?c) = ?a * ?b + ?a * ?c"},
      {"addition: distributivity of multiplication", "?a * (?b + ?c) = ?a * ?b + ?a * ?c"},
      {"transitivity of less than or equal", "?a ≤ ?b → ?b ≤ ?c → ?a ≤ ?c"},
      {"divisibility is antisymmetric", "?a ∣ ?b → ?b ∣ ?a → ?a = ?b"},
      {"less than is irreflexive", "¬(?a < ?a)"},
      {"length of the concatenation of lists", "List.length (?a ++ ?b)"},
      {"reverse of a reverse", "List.reverse (List.reverse ?a) = ?a"},
      {"reversing a list twice", "List.reverse (List.reverse ?a) = ?a"},
      {"double negation", "- -?a = ?a"},
      {"length of a mapped list", ""},
      {"length of map over an array", ""},  // `List.length` is not about arrays
      {"every group of prime order is cyclic", ""},
      {"addition", ""},
      {"commutative ring", ""},
      {"sum of two even numbers", ""},
  }));
  CAPTURE(text);
  CHECK(statement_meant(text) == pattern);
}

TEST_CASE("the names that prose means", "[search][prose]") {
  const auto names = [](std::string_view text) { return analyse(text).prose.names; };
  CHECK(names("commutativity of addition") == Strings{"add_comm"});
  CHECK(names("zero is the identity of addition on natural numbers") ==
        Strings{"Nat.add_zero", "Nat.zero_add"});
  CHECK(names("length of appended lists") == Strings{"List.length_append"});
  CHECK(names("the cancellation of subtraction and addition") == Strings{"sub_add_cancel"});
  CHECK(names("negation of integers is injective") == Strings{"Int.neg_inj"});
  CHECK(names("reverse of map") == Strings{"List.reverse_map"});
  CHECK(names("every group of prime order is cyclic").empty());
  // Without a statement Loogle is asked for parts of the name.
  CHECK(loogle_form(analyse("negation of integers is injective")) == "\"Int.\", \"neg\", \"inj\"");
}

TEST_CASE("a statement or a goal says more than the words beside it", "[search][prose]") {
  const Query mixed = analyse("commutativity of addition: a * b = b * a");
  CHECK(mixed.prose.names.empty());
  CHECK(wanted_type(mixed)->text == "?a * ?b = ?b * ?a");
  Query prose = analyse("commutativity of addition");
  CHECK(wanted_type(prose)->text == "?a + ?b = ?b + ?a");
  prose.type = read_type_pattern("?a < ?b");
  CHECK(wanted_type(prose)->text == "?a < ?b");
  CHECK(wanted_type(analyse("some words")) == nullptr);
}

}  // namespace leanbridge::search
