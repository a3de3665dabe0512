#include "core/text/lean_names.hpp"

#include <catch2/catch.hpp>

using namespace leanbridge::text;

namespace {

using Parts = std::vector<std::string_view>;
namespace fs = std::filesystem;

}  // namespace

TEST_CASE("dots separate the parts of a name, but not within guillemets", "[names]") {
  CHECK(parts_of("A.«b.c».d") == Parts{"A", "«b.c»", "d"});
  CHECK(parts_of("a") == Parts{"a"});
  CHECK(parts_of("").empty());
  CHECK(parts_of("A.") == Parts{"A", ""});
  CHECK(parts_of(".") == Parts{"", ""});
  CHECK(parts_of("A.«b.c") == Parts{"A", "«b.c"});
  CHECK(parts_of("a«b.c»") == Parts{"a«b", "c»"});  // no part of Lean's begins like this
  CHECK(last_part("a.«b.c»") == "«b.c»");
  CHECK(last_part("Nat.add") == "add");
  CHECK(last_part("Nat.").empty());
  CHECK(last_part("").empty());
  CHECK(namespace_of("a.b.«c.d»") == "a.b");
  CHECK(namespace_of("«a.b»").empty());
  CHECK(namespace_of("").empty());
}

TEST_CASE("a component is quoted where Lean prints quotes", "[names]") {
  for (const char* const plain :
       {"a", "A'", "x₁", "get!", "isEmpty?", "_x", "α", "ℕ", "é", "𝒜", "n_1", "end"})
    CHECK(as_component(plain) == plain);
  for (const char* const odd :
       {"", "a b", "a.b", "Bar-baz", "a→b", "3", "1a", "λ", "Σ", "×", "🦆", "#eval", "∀"})
    CHECK(as_component(odd) == std::string("«") + odd + "»");
  CHECK(plain_name("«A».«b c».«d»") == "A.«b c».d");
  CHECK(plain_name("A.«b.c»") == "A.«b.c»");
  CHECK(is_same_name("A.«b»", "«A».b"));
  CHECK_FALSE(is_same_name("A.«b.c»", "A.b.c"));
  CHECK_FALSE(is_same_name("A", "A.B"));
  CHECK(unquoted("«»").empty());
  CHECK(unquoted("«a") == "«a");
}

TEST_CASE("guillemets in a text", "[names]") {
  CHECK(has_quotes("a«"));
  CHECK_FALSE(has_quotes("a"));
  CHECK(without_quotes("«a b».c»") == "a b.c");
  CHECK(end_of_quoted("x«a»b", 0) == 0);
  CHECK(end_of_quoted("«a»b", 0) == 5);
  CHECK(end_of_quoted("«a", 0) == 3);
  CHECK(end_of_quoted("«", 2) == 2);
}

TEST_CASE("modules lead to files, and nowhere else", "[names]") {
  CHECK(path_of_module("A.B") == fs::path("A/B"));
  CHECK(path_of_module("A.«b c».D") == fs::path("A/b c/D"));
  CHECK(path_of_module("Foo.«a.b»") == fs::path("Foo/a.b"));
  for (const char* const name : {"", "A.«..»", "«a/b»", "A..B", "«»", ".", "A."})
    CHECK_FALSE(path_of_module(name).has_value());
}

TEST_CASE("files are modules", "[names]") {
  CHECK(module_of_path("A/B.lean") == "A.B");
  CHECK(module_of_path("A/b c.lean") == "A.«b c»");
  CHECK(module_of_path("Foo/a.b.olean") == "Foo.«a.b»");
  CHECK(module_of_path("Foo/a→b.lean") == "Foo.«a→b»");
  CHECK(module_of_path("Foo/a.b/") == "Foo.«a.b»");
  CHECK(module_of_path("A/αx₁!.ilean") == "A.αx₁!");
  for (const char* const module : {"A.B", "A.«b c».D", "Foo.«a.b»", "«1»"})
    CHECK(module_of_path(path_of_module(module)->string() + ".lean") == module);
}

TEST_CASE("each part of a namespace and of a section is a scope", "[names]") {
  Scopes scopes;
  const auto run = [&](std::string_view command, std::string_view name) {
    scopes.see(command, name);
    return scopes.full_name("x");
  };
  CHECK(run("namespace", "A.«b c»") == "A.«b c».x");
  CHECK(run("section", "S.T") == "A.«b c».x");
  CHECK(run("end", "T") == "A.«b c».x");
  CHECK(run("end", "S") == "A.«b c».x");
  CHECK(run("end", "«b c»") == "A.x");
  CHECK(run("mutual", "") == "A.x");
  CHECK(run("end", "") == "A.x");
  CHECK(run("def", "y") == "A.x");
  CHECK(scopes.full_name("_root_.B.x") == "B.x");
  CHECK(run("end", "A") == "x");
  CHECK(run("end", "A.B.C") == "x");
  // What a proof rests on is asked by its name, however long: only who asks for it has a limit.
  CHECK(run("namespace", std::string(2000, 'a')).size() == 2002);
  CHECK(scopes.full_name("x", 1024).empty());
}
