#include "core/text/signature.hpp"

#include <catch2/catch.hpp>

using namespace leanbridge::text;

static Signature signature(const std::string& source) {
  const auto sites = declarations(source);
  REQUIRE(sites.size() == 1);
  return signature_of(source, sites[0]);
}

TEST_CASE("binders and the end of the statement", "[signature]") {
  const std::string source =
      "theorem foo.{u} {α : Type u} [Add α] (a b : α) -- (no : binder)\n"
      "    (h : ∀ (x : α), x = (a)) ⦃c : α⦄ (n := 3) : a = b := by\n  exact (h b)\n";
  const Signature found = signature(source);
  REQUIRE(found.binders.size() == 6);
  CHECK(found.binders[0].kind == BinderKind::Implicit);
  CHECK(found.binders[1].kind == BinderKind::Instance);
  CHECK(found.binders[1].type == "Add α");
  CHECK(found.binders[1].names.empty());
  REQUIRE(found.binders[2].names.size() == 2);
  CHECK(found.binders[2].names[1].name == "b");
  CHECK(found.binders[2].type == "α");
  CHECK(found.binders[3].type == "∀ (x : α), x = (a)");
  CHECK(found.binders[4].kind == BinderKind::StrictImplicit);
  CHECK(source.substr(found.end, 5) == ":= by");
}

TEST_CASE("signatures that end otherwise", "[signature]") {
  CHECK(signature("theorem a : P := p").binders.empty());
  CHECK(signature("example (h : p) : p := h").binders.size() == 1);
  const std::string alternatives = "theorem f (n : Nat) : ∀ m, n + m = m + n\n  | 0 => x\n";
  CHECK(alternatives.substr(signature(alternatives).end, 5) == "| 0 =");
  CHECK(signature("theorem unfinished (h : p").binders.size() == 1);
  CHECK(signature("theorem").binders.empty());
}

TEST_CASE("a name is taken out", "[signature]") {
  const std::string source = "theorem a (x y : Nat) (h : x = y) : y = x := h.symm";
  const Signature found = signature(source);
  CHECK(without_name(source, found.binders[0], 0) == "theorem a (y : Nat) (h : x = y) : y = x := h.symm");
  CHECK(without_name(source, found.binders[1], 0) == "theorem a (x y : Nat) : y = x := h.symm");
  CHECK(mentions(source, found.binders[0].end, found.end, "x"));
  CHECK_FALSE(mentions(source, found.binders[1].end, found.end, "h"));
  CHECK(mentions(source, found.end, source.size(), "h"));
}

TEST_CASE("a name gets another type", "[signature]") {
  const std::string source = "theorem a (x y : Nat)\n    (h : x = y) : y = x := h.symm";
  const Signature found = signature(source);
  CHECK(with_type(source, found.binders[0], 1, "True") ==
        "theorem a (y : True) (x : Nat)\n    (h : x = y) : y = x := h.symm");
  CHECK(with_type(source, found.binders[1], 0, "True") ==
        "theorem a (x y : Nat)\n    (h : True) : y = x := h.symm");
}
