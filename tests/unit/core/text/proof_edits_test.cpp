#include "core/text/proof_edits.hpp"

#include "core/text/command_words.hpp"
#include <catch2/catch.hpp>

#include <string>

using namespace leanbridge::text;

static const std::string kEditedFile =
    "import A\n\nopen Nat\n\nnamespace B\n\ntheorem one (n : Nat) : n = n := by\n  sorry\n\n"
    "lemma two : 2 = 2 := rfl\n\ndef three : Nat := 3\n\nend B\n";

static std::string edited_with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}
static std::string edited_with(const std::string& from, const std::string& to) {
  return edited_with(kEditedFile, from, to);
}
static bool is_sure(const std::string& before, const std::string& after) {
  return edited_proofs(before, after).has_value();
}

TEST_CASE("a change of proofs is one", "[proof_edits]") {
  CHECK(edited_proofs(kEditedFile, kEditedFile)->empty());
  const std::string after = edited_with("  sorry", "  intro h\n  exact rfl");
  const auto edits = edited_proofs(kEditedFile, after);
  REQUIRE(edits);
  REQUIRE(edits->size() == 1);
  CHECK(after.substr(edits->front().begin, edits->front().end - edits->front().begin) ==
        "theorem one (n : Nat) : n = n := by\n  intro h\n  exact rfl");
  CHECK(edits->front().has_no_command_word);
  CHECK(edited_proofs(kEditedFile, edited_with(edited_with("sorry", "simp"), "rfl", "by simp"))->size() == 2);
  CHECK(
      edited_proofs(kEditedFile, edited_with("  sorry", "  have h : 1 = 1 := rfl\n  simp -- done"))->size() ==
      1);
  CHECK(edited_proofs(kEditedFile, edited_with("  sorry\n", "  sorry -- later\n"))->empty());
  CHECK(edited_proofs(kEditedFile, edited_with("theorem one", "-- One.\ntheorem one"))->empty());
  CHECK(edited_proofs(kEditedFile, edited_with("open Nat", "open Nat -- for now"))->empty());
  for (const char* const proof : {"open Nat in simp", "exact rfl private", "exact rfl #eval 1"})
    CHECK_FALSE(edited_proofs(kEditedFile, edited_with("sorry", proof))->front().has_no_command_word);
  for (const CommandWord& each : kCommandWords) {
    CAPTURE(each.word);
    const auto proof =
        edited_proofs(kEditedFile, edited_with("sorry", "exact rfl " + std::string(each.word) + " x"));
    CHECK((!proof || (proof->size() == 1 && !proof->front().has_no_command_word)));
  }
}

TEST_CASE("what is added below all others is one", "[proof_edits]") {
  CHECK(edited_proofs(kEditedFile, edited_with("end B", "/-- Four. -/\ntheorem four : 4 = 4 := rfl\n\nend B"))
            ->size() == 1);
  CHECK(edited_proofs("import A\n", "import A\ntheorem four : 4 = 4 := rfl\n")->size() == 1);
  CHECK(edited_proofs("", "theorem a : 1 = 1 := rfl\n\ndef b := 1\n")->size() == 2);
  CHECK_FALSE(is_sure(kEditedFile, edited_with("end B", "axiom four : 4 = 5\n\nend B")));
  CHECK_FALSE(is_sure(kEditedFile, edited_with("end B", "open Evil\n\ntheorem four : 4 = 4 := rfl\nend B")));
  CHECK_FALSE(is_sure(kEditedFile, edited_with("end B", "theorem four : 4 = 4 := rfl\nmk_axioms\nend B")));
  CHECK_FALSE(is_sure(kEditedFile + "#check 1\n",
                      edited_with("end B\n", "theorem four : 4 = 4 := rfl\nend B\n#check 1\n")));
}

TEST_CASE("a lemma added above others is one if nothing can mean it", "[proof_edits]") {
  const std::string lemma = "/-- Four. -/\ntheorem four : 4 = 4 := rfl\n\n";
  for (const char* const where : {"theorem one", "lemma two", "def three"})
    CHECK(edited_proofs(kEditedFile, edited_with(where, lemma + where))->size() == 1);
  CHECK(edited_proofs(kEditedFile,
                      edited_with(edited_with("def three", lemma + "def three"), "sorry", "exact four"))
            ->size() == 2);
  CHECK(edited_proofs(kEditedFile, edited_with("open Nat", lemma + "open Nat"))->size() == 1);
  for (const char* const other :
       {"def four : Nat := 4", "@[simp] theorem four : 4 = 4 := rfl", "private theorem four : 4 = 4 := rfl",
        "theorem Nat.four : 4 = 4 := rfl", "instance : Add Nat := f", "theorem n : 4 = 4 := rfl",
        "axiom four : 4 = 5", "theorem four : 4 = 4 := 1axiom", "open Evil in theorem four : 4 = 4 := rfl"})
    CHECK_FALSE(is_sure(kEditedFile, edited_with("theorem one", std::string(other) + "\n\ntheorem one")));
}

TEST_CASE("anything else is not", "[proof_edits]") {
  CHECK_FALSE(is_sure(kEditedFile, edited_with("n = n :=", "n = n + 0 :=")));
  CHECK_FALSE(is_sure(kEditedFile, edited_with("(n : Nat)", "(n  : Nat)")));
  CHECK_FALSE(is_sure(kEditedFile, edited_with("theorem one", "@[simp] theorem one")));
  CHECK_FALSE(is_sure(kEditedFile, edited_with("Nat := 3", "Nat := 4")));
  CHECK_FALSE(is_sure(kEditedFile, edited_with("open Nat", "open Nat Evil")));
  CHECK_FALSE(is_sure(kEditedFile, edited_with("theorem one", "open Evil in theorem one")));
  CHECK_FALSE(is_sure(kEditedFile, edited_with("theorem one", "include h in\ntheorem one")));
  CHECK_FALSE(is_sure(kEditedFile, edited_with("theorem one", " namespace Evil\ntheorem one")));
  CHECK_FALSE(is_sure(kEditedFile, edited_with("theorem one", "set_option autoImplicit true\ntheorem one")));
  CHECK_FALSE(is_sure(kEditedFile, edited_with("  sorry\n", "  sorry\n\nend B\nsection\n")));
  CHECK_FALSE(is_sure(kEditedFile, edited_with("  sorry\n", "  sorry\nunknown_command\n")));
}

TEST_CASE("a statement whose end the words do not tell is not", "[proof_edits]") {
  for (const char* const head : {"let n := 5; ", "have n := 5; ", "letI n := 5; ", "let_fun n := 5; ",
                                 "if let some n := x then True else ",
                                 "(by exact True) = ", "match x with\n  | y => ", "∀ m,\n  |m| = "}) {
    const std::string before = edited_with("n = n := by", std::string(head) + "6 = 6 := by");
    CHECK_FALSE(is_sure(before, edited_with(before, "6 = 6 := by", "True := by")));
    CHECK_FALSE(is_sure(before, edited_with(before, "  sorry", "  rfl")));
  }
  const std::string macro = "macro \"lett \" x:ident \" := \" v:term : term => v\n" + kEditedFile;
  CHECK_FALSE(is_sure(macro, edited_with(macro, "  sorry", "  rfl")));
}

TEST_CASE("a text that Lean may read in another way is not", "[proof_edits]") {
  for (const char* const proof : {"exact 1axiom", "exact 0b1instance", "iterate 1sorry",
                                  "dbg_trace \"{\"/-\"}\"; rfl", "exact «sorry»"})
    CHECK_FALSE(is_sure(kEditedFile, edited_with("sorry", proof)));
  CHECK(are_words_sure("example : 1.5 = 2 := by simp [foo.1, x₁]"));
  CHECK_FALSE(are_words_sure("def z : Nat := 1axiom cheat : False"));
}
