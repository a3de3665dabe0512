#include "search/index/store/store.hpp"

#include "search/index/build/module_reader.hpp"
#include "search/index/query/search.hpp"
#include <catch2/catch.hpp>

#include <algorithm>

using namespace leanbridge::index;

namespace {

Declaration stored(std::string name, std::string signature = "", std::string docstring = "") {
  Declaration declaration;
  declaration.name = std::move(name);
  declaration.kind = "theorem";
  declaration.signature = std::move(signature);
  declaration.docstring = std::move(docstring);
  return declaration;
}

Module module(std::string name, std::vector<Declaration> declarations) {
  Module made;
  made.name = std::move(name);
  made.record = {"stamp", "hash"};
  made.declarations = std::move(declarations);
  return made;
}

std::shared_ptr<Store> in_memory() {
  return std::make_shared<Store>("", sqlite::Database::Mode::Memory, nullptr);
}

std::vector<std::string> names(const Matches& matches) {
  std::vector<std::string> all;
  for (const Match& found : matches.found) all.push_back(found.name);
  return all;
}

std::vector<std::string> names_found(const std::shared_ptr<Store>& store, Lookup lookup) {
  return names(Searcher().search({store}, lookup));
}
std::vector<std::string> names_found(const std::shared_ptr<Store>& store, std::string words) {
  Lookup lookup;
  lookup.words = std::move(words);
  return names_found(store, lookup);
}

}  // namespace

TEST_CASE("what the first sentence of a docstring says comes before what the rest mentions",
          "[index][store]") {
  const auto store = in_memory();
  store->write(
      {module("M", {stored("A.one", "", "A bound of many things. Compare compact spaces."),
                    stored("A.two", "", "Compact spaces. A bound of many things, for comparison.")})},
      {});
  store->finish();
  Lookup lookup;
  lookup.words = "compact spaces";
  const Matches matches = Searcher().search({store}, lookup);
  REQUIRE(matches.found.size() == 2);
  CHECK(matches.found.front().name == "A.two");
  CHECK(matches.found.front().why.find("summary 1.00") != std::string::npos);
  CHECK(matches.found.back().why.find("summary") == std::string::npos);
}

TEST_CASE("a declaration comes back as it was given", "[index][store]") {
  const auto store = in_memory();
  Declaration all = stored("«a b».c", "(x : Nat) : x = x", "Says \"so\".");
  all.constants = {"Nat", "Eq", "«odd name»"};
  all.conclusion = "Eq";
  all.line = 3;
  all.column = 9;
  all.approximate = all.generated = all.is_private = all.deprecated = true;
  Module given = module("M.«x y»", {all});
  given.file = "/p/M/x y.lean";
  store->write({given}, {});
  all.module = "M.«x y»";
  all.file = "/p/M/x y.lean";
  CHECK(store->named({"«a b».c", "unknown"}) == std::vector<Declaration>{all});
  CHECK(store->module_list() == std::vector<std::pair<std::string, std::size_t>>{{"M.«x y»", 1}});
}

TEST_CASE("a module is replaced as a whole, and forgotten", "[index][store]") {
  const auto store = in_memory();
  store->write(
      {module("A", {stored("A.old_fact"), stored("A.kept_fact")}), module("B", {stored("B.other_fact")})},
      {});
  store->write({module("A", {stored("A.kept_fact"), stored("A.new_fact")})}, {"B"});
  CHECK(store->declarations() == 2);
  CHECK(names_found(store, "old fact") == std::vector<std::string>{"A.new_fact", "A.kept_fact"});
  CHECK(store->named({"A.old_fact", "B.other_fact"}).empty());
  CHECK_FALSE(store->complete());
  store->finish();
  CHECK(store->complete());
  CHECK(store->documents_with("fact") == 2);
  CHECK_NOTHROW(store->check());
}

TEST_CASE("what is first: the name, then what has all that was asked for and little else", "[index][store]") {
  const auto store = in_memory();
  Declaration generated = stored("Int.add_comm");
  generated.generated = true;
  Declaration definition = stored("Rat.add_comm");
  definition.kind = "def";
  store->write({module("A", {stored("Nat.add_left_comm"), stored("Nat.add_comm"), stored("Foo.Nat.add_comm"),
                             generated, stored("Int.neg_add"), stored("Int.neg_neg"), stored("other")}),
                module("Archive.B", {stored("Shop.add_comm")})},
               {});
  store->finish();
  const auto before = [&](const std::string& words, const std::string& one, const std::string& other) {
    const auto all = names_found(store, words);
    const auto place = [&](const std::string& name) { return std::find(all.begin(), all.end(), name); };
    return place(one) != all.end() && place(one) < place(other);
  };
  CHECK(names_found(store, "Nat.add_comm").front() == "Nat.add_comm");
  CHECK(before("Nat.add_comm", "Foo.Nat.add_comm", "Nat.add_left_comm"));
  CHECK(before("addition commutative", "Nat.add_comm", "Nat.add_left_comm"));
  CHECK(before("addition commutative", "Nat.add_comm", "Int.add_comm"));
  CHECK(before("addition commutative", "Nat.add_comm", "Shop.add_comm"));
  CHECK(before("double negation", "Int.neg_neg", "Int.neg_add"));
}

TEST_CASE("titles in bold, headings and users decide between names alike", "[index][store]") {
  const auto store = in_memory();
  Declaration titled = stored("ZMod.pow_card", "", "**Little Theorem** of Fermat, for powers."),
              mentions = stored("ZMod.pow_order", "", "See the little theorem."),
              user = stored("uses", "(g : Group) : g = g"), other = stored("uses_too", "(g : Group) : g = g");
  user.constants = other.constants = {"Algebra.Group"};
  Module headed = module("M", {stored("Galois.main")});
  headed.heading = "The fundamental theorem of Galois theory";
  store->write(
      {module("A", {mentions, titled, stored("Algebra.Group"), stored("Other.Group"), user, other}), headed},
      {});
  store->finish();
  CHECK(names_found(store, "little theorem").front() == "ZMod.pow_card");
  CHECK(store->users("Algebra.Group") == 2);
  CHECK(store->users("Other.Group") == 0);
  CHECK(names_found(store, "group").front() == "Algebra.Group");
  CHECK(names_found(store, "fundamental theorem").front() == "Galois.main");
}

TEST_CASE("found by name, part, words, type, documentation, constants, glob and module", "[index][store]") {
  const auto store = in_memory();
  Declaration constant = stored("Foo.target", "(a b : Nat) : a + b = b + a");
  constant.constants = {"HAdd.hAdd", "Nat"};
  constant.conclusion = "Eq";
  store->write({module("Init.A", {stored("Nat.add_comm"), stored("Nat.add_left_comm"), constant}),
                module("Mathlib.B", {stored("Mathlib.add_comm"), stored("x₁", "", "The zigzag lemma."),
                                     stored("List.getElem?_append")})},
               {});
  store->finish();
  CHECK(names_found(store, "Nat.add_comm").front() == "Nat.add_comm");
  CHECK(names_found(store, "add_com").front() == "Nat.add_comm");
  CHECK(names_found(store, "addition commutative natural").front() == "Nat.add_comm");
  CHECK(names_found(store, "zigzags") == std::vector<std::string>{"x₁"});
  CHECK(names_found(store, "x₁").front() == "x₁");
  CHECK(names_found(store, "getElem append").front() == "List.getElem?_append");
  Lookup lookup;
  // By the words of constants, which names have, too.
  lookup.constants = {"HAdd.hAdd"};
  lookup.conclusion = "Eq";
  CHECK(names_found(store, lookup).front() == "Foo.target");
  lookup = {};
  lookup.glob = "Nat.*";
  CHECK(names_found(store, lookup) == std::vector<std::string>{"Nat.add_comm", "Nat.add_left_comm"});
  lookup.glob = "*getElem?*";
  CHECK(names_found(store, lookup) == std::vector<std::string>{"List.getElem?_append"});
  lookup = {};
  lookup.words = "add_comm";
  lookup.packages = {"Mathlib"};
  CHECK(names_found(store, lookup) == std::vector<std::string>{"Mathlib.add_comm"});
}

TEST_CASE("a sentence finds the theorem that says it, and a phrase what it names", "[index][store]") {
  const auto store = in_memory();
  Declaration structure = stored("CommAddition", "", "Addition is commutative.");
  structure.kind = "class";
  std::vector<Declaration> all = {structure, stored("add_comm", "(a b : G) : a + b = b + a"),
                                  stored("Sub.add_comm_sub", "(a b : G) : a + b - a = b")};
  for (int i = 0; i < 20; ++i) {
    all.push_back(stored("user" + std::to_string(i), "[CommAddition G] : True"));
    all.back().constants = {"CommAddition"};
  }
  store->write({module("M", std::move(all))}, {});
  store->finish();
  CHECK(names_found(store, "addition is commutative").front() == "add_comm");
  CHECK(names_found(store, "every addition is commutative").front() == "add_comm");
  CHECK(names_found(store, "commutative addition").front() == "CommAddition");
}

TEST_CASE("a sentence is read with what the docstrings teach of names", "[index][store]") {
  const auto store = in_memory();
  std::vector<Declaration> all = {stored("IsOpen.inter", "(s t : Set X)"),
                                  stored("IsOpen.union", "(s t : Set X)"),
                                  stored("IsOpen.symmetric_difference_of_intersections", "(s t : Set X)")};
  for (const std::string& space : {"Finset", "Filter", "Ideal", "Subgroup"}) {
    all.push_back(stored(space + ".inter_comm", "", "An intersection is commutative."));
    all.push_back(stored(space + ".union_comm", "", "Unions are commutative."));
  }
  store->write({module("M", std::move(all))}, {});
  const std::string question = "the intersection of two open sets is open";
  CHECK(names_found(store, question).front() != "IsOpen.inter");  // nothing is learnt before the end
  store->finish();
  CHECK(names_found(store, question).front() == "IsOpen.inter");
  CHECK(names_found(store, "the union of two open sets is open").front() == "IsOpen.union");
  // A proper name makes no title of it.
  CHECK(names_found(store, "the intersection of two open sets of Hausdorff is open").front() ==
        "IsOpen.inter");
}

TEST_CASE("questions that are no words", "[index][store]") {
  const auto store = in_memory();
  store->write({module("A", {stored("a.b")})}, {});
  for (const char* words : {"", "   ", "\"", "\" OR *", "()", "NEAR(", "a AND", "^", "{name}", ":",
                            "\xff\xfe", "🙂", "-", "*", "'; DROP TABLE declaration; --"})
    CHECK_NOTHROW(names_found(store, std::string(words)));
  CHECK_NOTHROW(names_found(store, std::string(100'000, 'x')));
  std::string many;
  for (int i = 0; i < 5000; ++i) many += "word" + std::to_string(i) + " ";
  CHECK_NOTHROW(names_found(store, many));
  Lookup lookup;
  lookup.glob = "[*?";
  CHECK(names_found(store, lookup).empty());
  CHECK(store->declarations() == 1);
}

TEST_CASE("what Lean said is kept until the module changes", "[index][store]") {
  const auto store = in_memory();
  store->write({module("A", {stored("A.fact")})}, {});
  store->learn({{"A.fact", ": 1 = 1", "Unusualword."}, {"unknown", ": True", ""}});
  CHECK(store->named({"A.fact"}).at(0).signature == ": 1 = 1");
  CHECK(names_found(store, "unusualword") == std::vector<std::string>{"A.fact"});
  store->write({module("A", {stored("A.fact")})}, {});
  CHECK(store->named({"A.fact"}).at(0).signature.empty());
}

TEST_CASE("the three sources complete each other", "[index][store]") {
  Declaration compiled = stored("A.fact", ": 1 = 1");
  compiled.approximate = true;
  compiled.constants = {"Eq"};
  Declaration generated = stored("A.fact.match_1");
  generated.generated = true;
  Declaration placed = stored("A.fact");
  placed.kind = "";
  placed.line = 7;
  Declaration written = stored("A.fact", ": (1 : Nat) = 1", "Doc.");
  written.line = 8;
  written.constants = {"unresolved"};
  const Declaration wrong = stored("Wrong.fact");
  const auto joined = join({compiled, generated}, {placed}, {written, wrong}, true);
  REQUIRE(joined.size() == 2);
  CHECK(joined[0].signature == ": (1 : Nat) = 1");
  CHECK_FALSE(joined[0].approximate);
  CHECK(joined[0].constants == std::vector<std::string>{"Eq"});
  CHECK(joined[0].line == 8);
  CHECK(joined[0].kind == "theorem");
  CHECK(joined[1].generated);
  CHECK(join({compiled}, {}, {wrong}, false).size() == 2);
  CHECK(join({}, {placed}, {}, false).at(0).line == 7);
}
