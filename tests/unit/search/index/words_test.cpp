#include "search/index/query/words.hpp"

#include "search/index/query/question.hpp"
#include <catch2/catch.hpp>

#include <algorithm>

using namespace leanbridge::index;

namespace {

bool has(const Terms& terms, const std::string& term) {
  return std::find(terms.begin(), terms.end(), term) != terms.end();
}

TermStatistics statistics(std::vector<std::string> known) {
  TermStatistics made;
  made.declarations = 1000;
  made.documents_with = [known](const std::string& term) { return has(known, term) ? 10U : 0U; };
  made.similar = [known](const std::string& word) { return similar_terms(word, known, 3); };
  made.meanings = [](const std::string&) { return std::vector<Meaning>(); };
  return made;
}

QueryPlan asked(const std::string& words, std::vector<std::string> known = {"nat", "add", "comm"}) {
  Lookup lookup;
  lookup.words = words;
  return plan_query(lookup, statistics(std::move(known)));
}

// Whether one concept has this alternative.
bool means(const QueryPlan& question, const Terms& terms) {
  for (const Concept& one : question.concepts)
    for (const Alternative& alternative : one.alternatives)
      if (alternative.terms == terms) return true;
  return false;
}

}  // namespace

TEST_CASE("a name is cut at dots, underscores and capitals", "[index][words]") {
  const NameTerms terms = name_terms("List.getElem?_append_left'");
  CHECK(terms.outer == Terms{"list"});
  CHECK(terms.own == Terms{"get", "elem", "append", "left"});
  CHECK(has(terms.joined, "getelem"));
  CHECK(name_terms("HAdd.hAdd").own == Terms{"add"});
  CHECK(name_terms("BitVec.toUInt8").own == Terms{"to", "int8"});
  CHECK(has(all_terms_of_name("BitVec.toUInt8"), "bitvec"));
  CHECK(has(all_terms_of_name("IO.FS.HTTPServer"), "server"));
}

TEST_CASE("names with other characters than letters", "[index][words]") {
  CHECK(name_terms("«odd name».x₁").outer == Terms{"odd", "name"});
  CHECK(name_terms("«odd name».x₁").own == Terms{"x₁"});
  CHECK(name_terms("α.β_γ").own == Terms{"β", "γ"});
  CHECK_FALSE(all_terms_of_name("🙂.theorem").empty());
  // Much invalid UTF-8: the only promise is that it ends.
  CHECK_NOTHROW(all_terms_of_name("\xff\xfe.\xc3"));
  CHECK(prose_terms(std::string(1'000'000, 'a')).empty());
  CHECK(prose_terms(std::string(100'000, 'a') + " b").size() <= 400);
}

TEST_CASE("endings of English are taken off alike", "[index][words]") {
  for (const auto& [one, other] : {std::pair{"lists", "list"},
                                   {"reversed", "reverse"},
                                   {"mapping", "map"},
                                   {"mapped", "maps"},
                                   {"properties", "property"},
                                   {"subtracting", "subtract"},
                                   {"continuity", "continuous"}})
    CHECK(stem(one) == stem(other));
  for (const char* kept : {"add", "comm", "succ", "pos", "string", "class", "iff", "le"})
    CHECK(stem(kept) == kept);
}

TEST_CASE("a type gives its names and its symbols", "[index][words]") {
  const Terms terms = type_terms("(n m : Nat) : n + m ≤ m * List.length [] + 0");
  for (const char* term : {"nat", "add", "le", "mul", "list", "length", "zero"}) CHECK(has(terms, term));
  CHECK_FALSE(has(terms, "n"));
}

TEST_CASE("globs", "[index][words]") {
  CHECK(glob_matches("Nat.*", "Nat.add_comm"));
  CHECK(glob_matches("*.add_*", "Nat.add_comm"));
  CHECK(glob_matches("*", ""));
  CHECK(glob_matches("Nat.get?", "Nat.get?"));
  CHECK_FALSE(glob_matches("Nat.get?", "Nat.getD"));
  CHECK_FALSE(glob_matches("Nat.*", "Int.add_comm"));
  CHECK_FALSE(glob_matches("", "Nat"));
}

TEST_CASE("prose is translated", "[index][words]") {
  const QueryPlan question = asked("addition is commutative for natural numbers");
  CHECK(question.concepts.size() == 3);
  for (const char* term : {"add", "comm", "nat"}) CHECK(means(question, {term}));
  CHECK(means(asked("greatest common divisor"), {"gcd"}));
  CHECK(means(asked("a + b ≤ c"), {"le"}));
}

TEST_CASE("words that say nothing are only looked at where there is nothing else", "[index][words]") {
  CHECK(asked("the sum of").concepts.size() == 1);
  CHECK(asked("of").concepts.size() == 1);
  CHECK_FALSE(asked("not or").concepts.empty());
  CHECK(asked("").concepts.empty());
  CHECK(asked(" \t\n ").concepts.empty());
}

TEST_CASE("mistyped words", "[index][words]") {
  CHECK(means(asked("comutative"), {"comm"}));
  CHECK(similar_terms("lenght", {"length", "left", "list"}, 3) == Terms{"length"});
  CHECK(similar_terms("apend", {"append", "spend", "bend"}, 2).size() == 2);
  CHECK(similar_terms("x", {}, 3).empty());
}

TEST_CASE("the words of a query and those of the vocabulary are different phrases", "[index][words]") {
  const QueryPlan plan = asked("commutative addition");
  const Expression written = expression_of(plan, Wording::Written), all = expression_of(plan, Wording::All);
  CHECK(written.text.find("\"comm\"") == std::string::npos);
  CHECK(all.text.find("(\"comm\")") != std::string::npos);
  CHECK(all.text.find("\"" + whole_term("commutativeaddition") + "\"") != std::string::npos);
  CHECK(all.phrases == 5);
  REQUIRE(all.numbers.size() == 2);
  CHECK(all.numbers[1] == std::vector<std::vector<std::size_t>>{{2}, {3}});
  CHECK(expression_of(asked(""), Wording::All).text.empty());
  CHECK(asked("Fermat's little theorem").asks_theorem);
  CHECK_FALSE(asked("natural numbers").asks_theorem);
}
