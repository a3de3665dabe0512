#include "search/sources/theorem.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::search {

TEST_CASE("types of all sources in one form", "[search]") {
  const auto [written, type] = GENERATE(table<std::string, std::string>({
      {"∀ (n m : Nat), n + m = m + n", "∀ (n m : Nat), n + m = m + n"},
      {"(n m : Nat) : n + m = m + n", "∀ (n m : Nat), n + m = m + n"},
      {" {α : Type u} [Add α]\n  (a : α) :\n  a = a", "∀ {α : Type u} [Add α] (a : α), a = a"},
      {": True", "True"},
      {"Nat → Nat", "Nat → Nat"},
      {"n m : n + m = m + n", "∀ n m, n + m = m + n"},
      {"(Nat → Nat) → Nat", "(Nat → Nat) → Nat"},
      {"(n : Nat) → Fin n", "(n : Nat) → Fin n"},
      {"(a : Nat := 0) : a = a", "∀ (a : Nat := 0), a = a"},
      {"theorem Nat.add_comm (n m : ℕ) : n + m = m + n := by omega", "∀ (n m : ℕ), n + m = m + n"},
      {"protected theorem foo.{u} {α : Sort u} : α = α", "∀ {α : Sort u}, α = α"},
      {"theorem add_zero : ∀ n, n + 0 = n", "∀ n, n + 0 = n"},
      {"∀ x : Nat, x = x", "∀ x : Nat, x = x"},
      {"Nat.add_comm (n m : ℕ) : n + m = m + n", "∀ (n m : ℕ), n + m = m + n"},
      {"Nat.zero : Nat", "Nat"},
      {"{x : Nat // x = 0}", "{x : Nat // x = 0}"},
      {"Prop", "Prop"},
      {"", ""},
      {" \n", ""},
      {"(", "("},
      {"(a : Nat", "(a : Nat"},
      {": ", ""},
      {"theorem", "theorem"},
  }));
  CAPTURE(written);
  CHECK(as_type(written) == type);
  CHECK(as_type(as_type(written)) == as_type(written));
}

}  // namespace leanbridge::search
