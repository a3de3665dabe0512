#include "core/text/lean_declarations.hpp"
#include <catch2/catch.hpp>

#include <algorithm>

using namespace leanbridge::text;

namespace {

std::vector<std::string> full_names(std::string_view source) {
  std::vector<std::string> names;
  for (const NamedDeclaration& declaration : named_declarations(source))
    names.push_back(declaration.full_name);
  return names;
}

std::vector<std::string> meant(std::string_view source, std::string_view name) {
  std::vector<std::string> names;
  for (const NamedDeclaration& declaration : find_declarations(source, name))
    names.push_back(declaration.full_name);
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("an alias for one direction or both", "[declarations]") {
  CHECK(full_names(
            "namespace A\nalias ⟨_, b⟩ := c\nalias ⟨d, _⟩ := c\nalias ⟨e, f⟩ := c\nalias g := c\nend A\n") ==
        Names{"A.b", "A.d", "A.e", "A.g"});
  CHECK(full_names("alias ⟨_, _⟩ := c\n") == Names{""});
}

TEST_CASE("full names are those of the namespaces around", "[declarations]") {
  CHECK(
      full_names(
          "namespace A\ntheorem a : True := trivial\nnamespace B\ndef b := 1\nend B\nend A\ndef c := 1\n") ==
      Names{"A.a", "A.B.b", "c"});
  CHECK(full_names("namespace A.B\ndef b := 1\nend B\ndef a := 1\nend A\ndef c := 1\n") ==
        Names{"A.B.b", "A.a", "c"});
  CHECK(full_names("namespace A.B\ndef b := 1\nend A.B\ndef c := 1\n") == Names{"A.B.b", "c"});
  CHECK(full_names("section\nnamespace A\nsection X.Y\ndef a := 1\nend X.Y\nend A\nend\ndef c := 1\n") ==
        Names{"A.a", "c"});
  CHECK(full_names("namespace A\nmutual\ndef a := 1\ndef b := 1\nend\ndef c := 1\nend A\n") ==
        Names{"A.a", "A.b", "A.c"});
  CHECK(full_names("namespace A\ndef _root_.r := 1\nexample : True := trivial\nend A\n") == Names{"r", ""});
  CHECK(full_names("namespace «A.B»\ndef «c d» := 1\nend «A.B»\ndef e := 1\n") == Names{"«A.B».«c d»", "e"});
  CHECK(full_names("namespace A\nsection X.Y\nend Y\ndef a := 1\nend X\ndef b := 1\nend A\ndef c := 1\n") ==
        Names{"A.a", "A.b", "c"});
  CHECK(full_names("namespace A\nnoncomputable section X.Y\nend\nend\nend A\ndef c := 1\n") == Names{"c"});
  CHECK(full_names("@[expose] public section\nnamespace A\ndef a := 1\nend A\n") == Names{"A.a"});
  CHECK(full_names("-- namespace A\n/- namespace B -/\ndef a := 1\n") == Names{"a"});
}

TEST_CASE("declarations are found by their full names", "[declarations]") {
  const std::string source =
      "namespace A\ntheorem x : p := q\nnamespace B.C\nsection\ntheorem x : p := q\nend\nend B.C\n"
      "theorem _root_.y : p := q\nend A\ntheorem z.w : p := q\n";
  const auto line_of = [&](std::string_view name) {
    const auto found = find_declarations(source, name);
    return found.size() == 1
               ? std::count(source.begin(), source.begin() + static_cast<long>(found[0].site.start), '\n') + 1
               : 0;
  };
  CHECK(line_of("A.x") == 2);
  CHECK(line_of("A.B.C.x") == 5);
  CHECK(line_of("y") == 8);
  CHECK(line_of("z.w") == 10);
  CHECK(line_of("x") == 0);  // two names end with it
  CHECK(line_of("nothing") == 0);
}

TEST_CASE("a name means the exact declaration, else the only one that ends so", "[declarations]") {
  const std::string source =
      "namespace A\ntheorem bar : True := trivial\nend A\n"
      "namespace B\ntheorem bar : True := trivial\ntheorem own : True := trivial\nend B\n"
      "namespace C.B\ntheorem far : True := trivial\nend C.B\n"
      "theorem top : True := trivial\n";
  CHECK(meant(source, "B.bar") == Names{"B.bar"});
  CHECK(meant(source, "A.bar") == Names{"A.bar"});
  CHECK(meant(source, "bar") == Names{"A.bar", "B.bar"});
  CHECK(meant(source, "«A».«bar»") == Names{"A.bar"});
  CHECK(meant(source, "own") == Names{"B.own"});
  CHECK(meant(source, "B.far") == Names{"C.B.far"});
  CHECK(meant(source, "_root_.far").empty());
  CHECK(meant(source, "_root_.top") == Names{"top"});
  CHECK(meant(source, "Outer.top") == Names{"top"});
  CHECK(meant(source, "ar").empty());
  CHECK(meant(source, "").empty());
  CHECK(meant(source, ".").empty());
}
