#include "search/sources/theorem.hpp"
#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

namespace leanbridge::search {

namespace {

using Strings = std::vector<std::string>;

Theorem named(std::string name, std::string type = "", std::string module = "") {
  Theorem made;
  made.name = std::move(name);
  made.signature = std::move(type);
  made.module = std::move(module);
  return made;
}

Found answer(std::string source, std::vector<Theorem> hits) {
  Found found{std::move(hits)};
  found.source = std::move(source);
  return found;
}

Strings ranked_names(std::vector<Found> answers, std::string_view text) {
  auto theorems = merge(answers);
  rank(theorems, analyse(text));
  Strings names;
  for (const Theorem& theorem : theorems) names.push_back(theorem.name);
  return names;
}

double match(std::string_view pattern, std::string_view type) {
  Query query;
  query.type = read_type_pattern(pattern);
  std::vector<Theorem> one{named("x", std::string(type))};
  rank(one, query);
  return one[0].type_score;
}

}  // namespace

TEST_CASE("hits of one name are joined, each field from the best that has it", "[search]") {
  Found local =
      answer("local", {named("Nat.add_comm", "∀ (n m : Nat), n + m = m + n", "Init.Data.Nat.Basic")});
  Theorem described = named("_root_.Nat.add_comm", ": wrong", "Elsewhere");
  described.informal = "Addition is commutative";
  described.docstring = "doc";
  const auto theorems = merge({answer("leansearch", {named("A"), described}), local});
  REQUIRE(theorems.size() == 2);
  const Theorem& theorem = theorems[1];
  CHECK(theorem.name == "Nat.add_comm");
  CHECK(theorem.signature == "∀ (n m : Nat), n + m = m + n");
  CHECK(theorem.module == "Init.Data.Nat.Basic");
  CHECK(theorem.informal == "Addition is commutative");
  CHECK(theorem.docstring == "doc");
  CHECK(theorem.ranks == std::map<std::string, std::size_t>{{"leansearch", 2}, {"local", 1}});
}

TEST_CASE("a printed type gives way to a backend's, and all to Lean's", "[search]") {
  Found local = answer("local", {named("a", "printed")});
  local.hits[0].approximate = true;
  auto theorems = merge({local, answer("loogle", {named("a", "given")})});
  CHECK(theorems[0].signature == "given");
  apply_lean_facts(theorems[0], "Lean's", "", "");
  CHECK(theorems[0].signature == "Lean's");
  const auto still = merge({answer("loogle", {named("a", "given")}), local});
  CHECK(still[0].signature == "given");
}

TEST_CASE("how well a type matches a pattern", "[search]") {
  CHECK(match("a + b = b + a", "∀ (n m : Nat), n + m = m + n") > 0.99);
  CHECK(match("a + b = b + a", "(a b : G) : a + b = b + a") == 1.0);
  CHECK(match("a + b = b + a", ": x * y = y * x") < 0.6);
  CHECK(match("a + b = b + a", "∀ (n m : Nat), n + m = n + m") < 1.0);    // the same variable, the same term
  CHECK(match("_ + 0 = _", "(n : Nat) (h : n > 0) : n + 0 = n") > 0.98);  // one more hypothesis
  CHECK(match("?n - ?m + ?m = ?n", "{n m : Nat} (h : m ≤ n) : n - m + m = n") > 0.98);
  CHECK(match("List.length (_ ++ _)", "{α} {as bs : List α} : (as ++ bs).length = as.length + bs.length") ==
        0.85);
  CHECK(match("a * b", "∀ (a b c : Nat), a * b * c = a * (b * c)") == 0.85);
  CHECK(match("List.map f l", "{α β} (f : α → β) (l : List α) : (List.map f l).length = l.length") == 0.85);
  CHECK(match("a + b = b + a", "∀ (n m : Nat), n + m = m + n") >
        match("a + b = b + a", "∀ (n : Nat), n + 0 = n"));
  CHECK(match("a + b = b + a", "") == 0);
  const std::string many(5000, '(');
  CHECK(match("_ + _ = _ + _", many + "a + b") < 0.85);
  std::string sum = "a";
  for (int i = 0; i < 200; ++i) sum += " + a";
  CHECK(match("?a * ?b * ?c * ?d * ?e = _ + _ + _ + _", sum) < 0.85);  // must end, whatever the score
}

TEST_CASE("the order of the index stays, and what services agree on comes before it", "[search]") {
  Found local = answer("local", {named("first"), named("second"), named("third")});
  double score = 0.9;
  for (Theorem& hit : local.hits) hit.score = score -= 0.1;
  CHECK(ranked_names({local}, "some words about it") == Strings{"first", "second", "third"});
  CHECK(ranked_names({local, answer("leansearch", {named("second")})}, "some words about it").front() ==
        "second");
}

TEST_CASE("agreement counts, a lone last place does not", "[search]") {
  const auto names = ranked_names({answer("leansearch", {named("x.one"), named("x.both")}),
                                   answer("leanfinder", {named("x.two"), named("x.both")})},
                                  "some question about things");
  CHECK(names.front() == "x.both");
}

TEST_CASE("an exact name is first, with full confidence", "[search]") {
  auto theorems = merge(
      {answer("leansearch", {named("Nat.add_comm'"), named("Nat.add_comm_zero"), named("Nat.add_comm")}),
       answer("local", {named("Nat.add_comm'")})});
  rank(theorems, analyse("Nat.add_comm"));
  CHECK(theorems[0].name == "Nat.add_comm");
  CHECK(theorems[0].confidence == 1.0);
}

TEST_CASE("the type weighs most", "[search]") {
  Found loogle = answer("loogle", {named("z.right", ": a + b = b + a")});
  loogle.by_pattern = true;
  CHECK(
      ranked_names({answer("leansearch", {named("y.wrong", ": a = a")}), loogle}, "a + b = b + a").front() ==
      "z.right");
}

TEST_CASE("the order does not depend on that of the sources, and all is within 0 and 1", "[search]") {
  std::vector<Found> answers;
  std::mt19937 random(7);
  for (const char* source : {"leansearch", "loogle", "leanexplore", "local"}) {
    Found one = answer(source, {});
    for (int i = 0; i < 20; ++i)
      one.hits.push_back(named("n" + std::to_string(random() % 30), ": a + b = c"));
    answers.push_back(one);
  }
  const Strings names = ranked_names(answers, "a + b = b + a");
  for (int i = 0; i < 5; ++i) {
    std::shuffle(answers.begin(), answers.end(), random);
    CHECK(ranked_names(answers, "a + b = b + a") == names);
  }
  auto theorems = merge(answers);
  rank(theorems, analyse("a + b = b + a"));
  for (const Theorem& theorem : theorems) {
    CHECK(theorem.confidence >= 0);
    CHECK(theorem.confidence <= 1);
  }
}

TEST_CASE("a pattern filters, unless nothing fits", "[search]") {
  Found local = answer("local", {named("fits", "(n m : Nat) : n + m = m + n"), named("other", ": a * b = c"),
                                 named("unknown")});
  const Query pattern = analyse("?a + ?b = ?b + ?a");
  auto theorems = merge({local});
  rank(theorems, pattern);
  keep_fitting(theorems, pattern);
  REQUIRE(theorems.size() == 2);
  CHECK(theorems[0].name == "fits");
  auto others = merge({answer("local", {named("other", ": a * b = c")})});
  rank(others, pattern);
  keep_fitting(others, pattern);
  CHECK(others.size() == 1);
  const Query mixed = analyse("commutativity of addition: a + b = b + a");  // some were found by words
  auto all = merge({local});
  rank(all, mixed);
  keep_fitting(all, mixed);
  CHECK(all.size() == 3);
}

TEST_CASE("what the index has matched counts as matched, what Lean says closes the goal comes first",
          "[search]") {
  Found local = answer("local", {named("far", ": x"), named("near", ": y")});
  local.hits[1].fit = 1;
  Found lean = answer(kProofSearch, {named("closing"), named("used")});
  lean.by_pattern = lean.closes_goal = true;
  auto theorems = merge({local, lean});
  rank(theorems, analyse("⊢ a + b = b + a"));
  CHECK(theorems[0].name == "closing");
  CHECK(theorems[0].confidence == 1.0);
  const auto place = [&](std::string_view name) {
    return std::find_if(theorems.begin(), theorems.end(),
                        [&](const Theorem& each) { return each.name == name; });
  };
  CHECK(place("near") < place("far"));
}

TEST_CASE("nothing to rank", "[search]") {
  CHECK(ranked_names({}, "x").empty());
  CHECK(merge({answer("a", {named(""), named("_root_.")})}).empty());
}

}  // namespace leanbridge::search
