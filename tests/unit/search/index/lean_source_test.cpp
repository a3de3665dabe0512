#include "core/text/lean_declarations.hpp"
#include "search/index/readers.hpp"
#include <catch2/catch.hpp>

#include <filesystem>
#include <string>

using namespace leanbridge::index;

namespace {

using Texts = std::vector<std::string>;

std::vector<Declaration> read_text(std::string_view text) {
  return read_source(text, "M", "/m.lean");
}

Texts names_in(std::string_view text) {
  Texts all;
  for (const Declaration& one : read_text(text)) all.push_back(one.name);
  return all;
}

Declaration only(std::string_view text) {
  const auto all = read_text(text);
  CAPTURE(text);
  REQUIRE(all.size() == 1);
  return all.front();
}

}  // namespace

TEST_CASE("a declaration's name, place, signature and docstring are read", "[index][source]") {
  const Declaration d = only(
      "import X\n\n/-- The 𝔸 law.\nTwo lines. -/\n@[simp, to_additive] protected theorem Nat.two₁ {n\n"
      "    m : Nat} (h : n < -- so\n  Nat.succ m) :\n  ∀ k, n + k = List.sum [m, k] := by\n  simp\n");
  CHECK(d.name == "Nat.two₁");
  CHECK(d.kind == "theorem");
  CHECK(d.module == "M");
  CHECK(d.file == "/m.lean");
  CHECK(d.line == 5);
  CHECK(d.column == 40);
  CHECK(d.docstring == "The 𝔸 law.\nTwo lines.");
  CHECK(d.signature == "{n m : Nat} (h : n < Nat.succ m) : ∀ k, n + k = List.sum [m, k]");
  CHECK(d.constants == Texts{"Nat", "Nat.succ", "List.sum"});
  CHECK_FALSE(d.approximate);
  CHECK_FALSE(d.is_private);
}

TEST_CASE("the index has the names that the tools have, wherever scopes open and end", "[index][source]") {
  // To Lean, `section A.B` is two scopes: `end B` leaves one of them open.
  CHECK(names_in("namespace N\nsection A.B\nend B\ndef a := 1\nend A\nend N\ndef b := 1\n") ==
        Texts{"N.a", "b"});
  for (const std::string_view text :
       {"namespace N\nsection A.B\nend A.B\ndef a := 1\nend N\ndef b := 1\n",
        "namespace N\nsection A.B\nend B\ndef a := 1\nend A\nend N\ndef b := 1\n",
        "namespace N end N namespace O\ndef a := 1\nend O\n", "section namespace N\ndef a := 1\nend N\nend\n",
        "macro \"m\" : command => `(\nnamespace N)\ndef a := 1\n",
        "namespace N\nmutual\ndef a := 1\nend\nend N\n",
        "@[expose] public noncomputable section\nnamespace N\ndef a := 1\n",
        "namespace\n  N\ndef a := 1\nend\n  N\n"}) {
    CAPTURE(text);
    CHECK(names_in(text) == leanbridge::text::names_declared_in(text));
  }
  CHECK(names_in("namespace N end N namespace O\ndef a := 1\nend O\n") == Texts{"O.a"});
}

TEST_CASE("modifiers and attributes do not hide a declaration", "[index][source]") {
  CHECK(only("@[deprecated foo (since := \"theorem x\")] theorem a : True := trivial").deprecated);
  CHECK(only("private noncomputable unsafe def b := 1").is_private);
  CHECK(only("public meta partial def c.d (n : Nat) : Nat := n").name == "c.d");
  CHECK(only("nonrec theorem e : 1 = 1 := rfl").name == "e");
  CHECK(only("instance (priority := low) f : Add Nat := g").name == "f");
  CHECK(only("open Nat in\n@[simp]\nlemma h : 1 = 1 := rfl").kind == "theorem");
  CHECK(only("alias new := Old.name").constants == Texts{"Old.name"});
  CHECK(names_in("alias ⟨mp, _⟩ := Iff.foo\nalias ⟨_, mpr⟩ := Iff.foo") == Texts{"mp", "mpr"});
  CHECK(names_in("instance : Add Nat := x\nexample : True := trivial").empty());
}

TEST_CASE("names are those of their namespaces", "[index][source]") {
  CHECK(names_in("namespace A.B\ndef x := 1\nend B\ndef y := 1\nend A\ndef z := 1") ==
        Texts{"A.B.x", "A.y", "z"});
  CHECK(names_in(
            "namespace A\nsection S.T\ndef x := 1\nend S.T\nnoncomputable section\nmutual\ndef y := "
            "1\nend\nend\n"
            "@[expose] public section\ndef z := 1\nend\ntheorem _root_.Q.w : 1 = 1 := rfl\nend A\ndef v := "
            "1") == Texts{"A.x", "A.y", "A.z", "Q.w", "v"});
  CHECK(names_in("namespace «a b»\ndef «c.d» := 1\ndef «plain».x₁' := 2\nend «a b»\ndef e := 1") ==
        Texts{"«a b».«c.d»", "«a b».plain.x₁'", "e"});
  CHECK(names_in("end\nend A.B\ndef x := 1") == Texts{"x"});
}

TEST_CASE("fields and constructors follow their type", "[index][source]") {
  const auto point = read_text(
      "namespace N\n/-- P -/\nstructure Point (α : Type) extends Base α where\n  mk ::\n  /-- the x -/\n"
      "  x y : α := default\n  private map (f : α →\n      List α) : Nat\n  (z : Nat) {w : α}\n  deriving "
      "Repr\nend N");
  REQUIRE(point.size() == 6);
  CHECK(point[0].name == "N.Point");
  CHECK(point[0].signature == "(α : Type) extends Base α");
  CHECK(point[1].name == "N.Point.x");
  CHECK(point[1].kind == "field");
  CHECK(point[1].docstring == "the x");
  CHECK(point[1].signature == ": α");
  CHECK(point[1].line == 6);
  CHECK(point[2].name == "N.Point.y");
  CHECK(point[3].name == "N.Point.map");
  CHECK(point[3].is_private);
  CHECK(point[3].signature == "(f : α → List α) : Nat");
  CHECK(point[4].name == "N.Point.z");
  CHECK(point[4].signature == ": Nat");

  const auto tree = read_text(
      "inductive Tree : Type where\n  /-- empty -/\n  | leaf\n  | node (l : Tree) : Nat → Tree\n  deriving "
      "Repr\n");
  REQUIRE(tree.size() == 3);
  CHECK(tree[0].signature == ": Type");
  CHECK(tree[1].name == "Tree.leaf");
  CHECK(tree[1].kind == "constructor");
  CHECK(tree[1].docstring == "empty");
  CHECK(tree[2].signature == "(l : Tree) : Nat → Tree");
  CHECK(names_in("inductive Color | red | «light green» deriving Repr\ndef x := 1") ==
        Texts{"Color", "Color.red", "Color.«light green»", "x"});
  CHECK(
      names_in("class Foo (α : Type) where\n  foo : α\n  law : ∀ a : α,\n    a = foo\nclass inductive Bar\n| "
               "mk : Bar") == Texts{"Foo", "Foo.foo", "Foo.law", "Bar", "Bar.mk"});
}

TEST_CASE("what looks like a declaration in comments and literals is none", "[index][source]") {
  CHECK(names_in("/- /- theorem a -/\ntheorem b -/\ndef s := \"\ntheorem c\"\ndef r := r#\"\ntheorem \"d\"#\n"
                 "def q := '\"'\n-- theorem e\n/-! theorem f -/\ndef t := s!\"{\"\n}\"}\"\n") ==
        Texts{"s", "r", "q", "t"});
}

TEST_CASE("half-typed and hostile texts are read in their own time", "[index][source]") {
  for (const std::string_view text : {"",
                                      "theorem",
                                      "theorem ",
                                      "def «",
                                      "structure S where",
                                      "structure S where\n  x",
                                      "structure S where\n  (x",
                                      "inductive I where\n  |",
                                      "inductive I |",
                                      "namespace",
                                      "section",
                                      "end",
                                      "@[simp",
                                      "@[",
                                      "alias ⟨",
                                      "alias ⟨a",
                                      "class",
                                      "instance (priority",
                                      "/-- doc",
                                      "theorem x (h : (a",
                                      "theorem x (",
                                      "theorem x [",
                                      "structure S (",
                                      "def x.{",
                                      "\xff\xfe def x \xc3",
                                      "structure S where\n  ) x",
                                      "structure S where\n  mk ::",
                                      "def x : \xf0\x9f",
                                      "mutual\nend\nend\nend"})
    read_text(text);
  const std::string long_line(1 << 20, 'x');
  CHECK(names_in("def a : " + long_line) == Texts{"a"});
  std::string many = "def a : ";
  for (int i = 0; i < 20000; ++i) many += "(∀ x, ";
  CHECK(names_in(many) == Texts{"a"});
  std::string nested;
  for (int i = 0; i < 20000; ++i) nested += "namespace A\n";
  CHECK(names_in(nested).empty());
  CHECK(names_in(nested + "def x := 1").empty());  // its name would take 40 kB
  std::string alternatives = "inductive I\n";
  for (int i = 0; i < 20000; ++i) alternatives += "| c" + std::to_string(i) + " : I\n";
  CHECK(read_text(alternatives).size() == 20001);
  std::string fields = "structure S where\n";
  for (int i = 0; i < 20000; ++i) fields += "  f" + std::to_string(i) + " : Nat := (" + "\n";
  read_text(fields);
}

TEST_CASE("further names have the statement of what the file declares", "[index][source]") {
  const auto all = read_text(
      "class MulZero (M : Type) extends Mul M where\n  mul_zero : ∀ a : M, a * 0 = 0\n"
      "export MulZero (mul_zero unknown)\n"
      "namespace A\ntheorem left (a : Nat) : a * 1 = a := x\n"
      "@[to_additive] alias mul_one := left\nend A\nalias other := A.left\nalias foreign := B.left\n");
  const auto signature_of = [&](std::string_view name) -> std::string {
    for (const Declaration& each : all)
      if (each.name == name) return each.signature;
    return "none";
  };
  CHECK(signature_of("mul_zero") == ": ∀ a : M, a * 0 = 0");
  CHECK(signature_of("unknown") == "none");
  CHECK(signature_of("A.mul_one") == "(a : Nat) : a * 1 = a");
  CHECK(signature_of("A.add_zero") == "(a : Nat) : a + 0 = a");
  CHECK(signature_of("other") == "(a : Nat) : a * 1 = a");
  CHECK(signature_of("foreign").empty());
}

TEST_CASE("an inverse becomes a negation", "[index][source]") {
  const auto signature = [](const std::string& statement) {
    return read_text("@[to_additive] theorem inv_x (a b : G) : " + statement + " := x\n").at(1).signature;
  };
  CHECK(signature("a⁻¹⁻¹ = a") == "(a b : G) : (-(-a)) = a");
  CHECK(signature("(a * b)⁻¹ = b⁻¹ * a⁻¹") == "(a b : G) : (-(a + b)) = (-b) + (-a)");
  CHECK(signature("f[x]⁻¹ = 1").empty());
}

TEST_CASE("numbers in a product are not translated", "[index][source]") {
  const auto all = read_text(
      "@[to_additive] theorem prod_succ {M : Type*} (f : ℕ → M) : ∏ i ∈ range (n + 1), f i = a * 1 := x\n"
      "@[to_additive] theorem prod_two (f : ℕ → M) : ∏ i ∈ range (2 * n), f i = a := x\n");
  CHECK(all.at(1).signature == "{M : Type*} (f : ℕ → M) : ∑ i ∈ range (n + 1), f i = a + 0");
  CHECK(all.at(3).signature.empty());
}

TEST_CASE("a product's body stays together as a sum", "[index][source]") {
  const auto all = read_text(
      "@[to_additive] theorem prod_mul : ∏ i ∈ s, f i * g i = (∏ i ∈ s, f i) * ∏ i ∈ s, g i := x\n"
      "@[to_additive abs_add] theorem mabs_mul (a b : G) : |a * b|ₘ ≤ |a|ₘ * |b|ₘ := x\n");
  CHECK(all.at(1).signature == ": ∑ i ∈ s, (f i + g i) = (∑ i ∈ s, f i) + ∑ i ∈ s, g i");
  CHECK(all.at(3).signature == "(a b : G) : |a + b| ≤ |a| + |b|");
}

TEST_CASE("to_dual declares a second name", "[index][source]") {
  const auto all = read_text(
      "@[to_dual le_max_left] theorem min_le_left (a b : α) : min a b ≤ a := x\n"
      "@[to_dual (attr := simp)] theorem inf_top_eq (a : α) : a ⊓ ⊤ = a := x\n"
      "@[to_dual self] theorem le_total (a b : α) : a ≤ b ∨ b ≤ a := x\n");
  REQUIRE(all.size() == 5);
  CHECK(all[1].name == "le_max_left");
  CHECK(all[1].signature == "(a b : α) : max a b ≥ a");
  CHECK(all[3].name == "sup_bot_eq");
  CHECK(all[3].signature == "(a : α) : a ⊔ ⊥ = a");
}

TEST_CASE("to_additive declares a second name", "[index][source]") {
  CHECK(names_in("@[to_additive] theorem Finset.prod_mul_one : True := trivial") ==
        Texts{"Finset.prod_mul_one", "Finset.sum_add_zero"});
  CHECK(names_in("@[to_additive (attr := simp)]\ntheorem mul_inv_rev : True := trivial") ==
        Texts{"mul_inv_rev", "add_neg_rev"});
  CHECK(
      names_in("namespace Subgroup\n@[to_additive bot_or_exists]\ntheorem top_or_exists : True := trivial") ==
      Texts{"Subgroup.top_or_exists", "AddSubgroup.bot_or_exists"});
  CHECK(names_in("@[to_additive Finset.addEnergy]\ndef Finset.mulEnergy := 1") ==
        Texts{"Finset.mulEnergy", "Finset.addEnergy"});
  CHECK(names_in("@[to_additive] class CancelCommMonoid (α : Type)") ==
        Texts{"CancelCommMonoid", "AddCancelCommMonoid"});
  CHECK(names_in("@[to_additive] class CommMonoid (α : Type)") == Texts{"CommMonoid", "AddCommMonoid"});
  // There already, or not by the plain rule.
  CHECK(names_in("@[to_additive existing] theorem mul_comm' : True := trivial") == Texts{"mul_comm'"});
  CHECK(names_in("@[to_additive self] theorem mul_comm' : True := trivial") == Texts{"mul_comm'"});
  CHECK(names_in("@[to_additive] theorem cyclic : True := trivial") == Texts{"cyclic"});
  const auto all = read_text("/-- Multiplies. -/ @[to_additive] theorem mul_x (a : Nat) : a = a := rfl");
  REQUIRE(all.size() == 2);
  CHECK(all[1].generated);
  CHECK(all[1].approximate);
  const auto types = read_text(
      "@[to_additive] theorem mul_comm [CommMonoid M] (a b : M) : a * b / 1 = b * a := x\n"
      "@[to_additive] theorem mul_pow (a : M) : a ^ 2 = a * a := x\n");
  REQUIRE(types.size() == 4);
  CHECK(types[1].signature == "[AddCommMonoid M] (a b : M) : a + b - 0 = b + a");
  CHECK(types[3].signature.empty());
  CHECK(all[1].docstring == "Multiplies.");
  CHECK(all[1].constants == Texts{"mul_x"});
}
