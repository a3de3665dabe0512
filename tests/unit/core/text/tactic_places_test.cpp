#include "core/text/tactic_places.hpp"

#include "core/text/proof_layout.hpp"
#include "random_text.hpp"
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>

namespace leanbridge::text {
namespace {

using PlaceKind = TacticPlace::Kind;

// Marks in the texts below: a definite place, a tentative one, an end.
constexpr std::array<std::string_view, 3> kMarks{"‸", "‽", "‡"};

std::string without_marks(std::string_view marked) {
  std::string text(marked);
  for (const std::string_view mark : kMarks)
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos;) text.erase(at, mark.size());
  return text;
}

std::string with_marks(std::string text) {
  const auto places = tactic_places(text);
  for (auto place = places.rbegin(); place != places.rend(); ++place)
    text.insert(place->offset, kMarks[static_cast<std::size_t>(place->kind)]);
  return text;
}

/// Checks that the same tactics and ends are found line by line as in the whole text.
void check_pieces(const std::string& text) {
  ProofLayout layout(1);
  std::vector<std::size_t> tactics, ends;
  for (const TacticPlace& place : tactic_places(text))
    (place.kind == PlaceKind::End ? ends : tactics).push_back(place.offset);
  std::vector<std::size_t> found_tactics, found_ends;
  const auto is_tactic = [](const ProofLayout::Mark& mark) { return mark.is_tactic; };
  for (auto next = layout.first_mark(text, 0, text.size(), is_tactic); next;
       next = layout.first_mark(text, next->begin + 1, text.size(), is_tactic))
    found_tactics.push_back(next->begin);
  for (auto end = layout.block_end(text, 0, text.size()); end;
       end = layout.block_end(text, *end + 1, text.size()))
    found_ends.push_back(*end);
  CHECK(found_tactics == tactics);
  CHECK(found_ends == ends);
}

/// Checks that the places in the text are those marked in it.
void check(std::string_view marked) {
  CHECK(with_marks(without_marks(marked)) == marked);
  check_pieces(without_marks(marked));
  check_pieces("/- α -/ " + without_marks(marked));
}

}  // namespace

TEST_CASE("tactics in sequence", "[text][tactics]") {
  check(R"(
theorem sequence (a b : Nat) (h : a = b) : b + 0 = a := by
  ‸rw [Nat.add_zero]
  ‸symm

  -- a comment
  ‸exact h‡ -- and its end

theorem semicolons : p ∧ q := by
  ‸constructor; ‸exact hp; ‸exact hq‡

theorem oneLine : 2 + 2 = 4 := by ‸decide‡
example := by
‸in_column_0
‸and_again‡
theorem empty := by
#check 1
theorem continued : p := by
  ‸exact foo
    bar
      baz
  ‸simp only [a,
  b,
    c] at h
      ⊢
  ‸omega‡
)");
}

TEST_CASE("focus dots", "[text][tactics]") {
  check(R"(
theorem bullets : (p ∧ q) ∧ r := by
  ‸constructor
  ‸· ‸constructor
    ‸· ‸exact hp
    ‸·
      ‸exact hq
  ‸. ‸exact hr
    ‸done
  ‸· ‸· ‸exact (· + 1)
  ‸exact
    .inl h‡
)");
}

TEST_CASE("alternatives", "[text][tactics]") {
  check(R"(
theorem cased : r := by
  ‸cases h with
  | inl h =>
    ‸apply hp
    ‸exact fun x => h
  | inr h => ‸exact a
             ‸exact b
  ‸rcases h with a | b
  ‸induction n with
  | zero | one => ‸rfl
  | succ n ih =>
    ‸match n with
    | 0 => ‸exact match k with
      | 0 => Or.inl rfl
      | k + 1 => b
    | k +
      1 =>
      ‸right
  ‸cases h with
    | inl h => ‸cases h
    | inr h => ‸cases h with
      | inl h => ‸exact a
      | inr h => ‸exact b
  ‸cases h with | inl h => ‸exact h | inr h => ‸exact h
  ‸cases h with | inl h => ‸have : |x| < 1 := by ‸simp
  ‸exact fun
    | 0 => a
    | _ => b‡

theorem low : r := by ‸cases h with
  | inl h => ‸intro
    | 0 => ‸exact h
    | _ => ‸exact g
  | inr h =>
    ‸exact h‡
)");
}

TEST_CASE("case, next, conv: one arrow", "[text][tactics]") {
  check(R"(
theorem caseTags : p ∧ q := by
  ‸apply And.intro
  ‸case left =>
    ‸exact hp
  ‸case right x | other => ‸exact hq
  ‸next => ‸exact fun x => y; ‸rfl
  ‸conv at h => ‸rw [a]; ‸rfl
  ‸on_goal 2 => ‸simp‡
)");
}

TEST_CASE("combinators", "[text][tactics]") {
  check(R"(
theorem combined : p ∧ q := by
  ‸constructor <;> ‸first | ‽exact hp | ‽exact hq
  ‸simp <;>
    ‸omega
    <;> ‸rfl
  ‸first
  | ‽rcases h with a | b; ‽simp
  | ‽skip
    ‽done
  ‸try ‽simp
  ‸all_goals ‽try ‽first | ‽a | ‽b
  ‸any_goals
    ‽simp
    ‸rfl
  ‸iterate 3 ‽simp
  ‸(‽simp; ‸rfl) <;> ‸(‽a <|> ‽b)
  ‸{ ‽simp
    ‸done }
  ‸repeat' ‽(‽constructor)
  ‸if h : p then ‸simp else ‸exact if a then b else c
  ‸if h : p then
    ‸simp
  else
    ‸rfl
  ‸open Nat in ‽simp
  ‸set_option x true in
  ‸simp‡
)"
        // A prefix includes everything that follows.
        R"(
example := by ‸all_goals ‽simp; ‸rfl‡
)");
}

TEST_CASE("calc", "[text][tactics]") {
  check(R"(
theorem calculated : a = c := by
  ‸calc
    a = b := by
      ‸rw [hab]
    _ = c := by ‸exact hbc
    _ = d := h
  ‸calc a = b := by ‸simp
  _ = c := foo
  ‸rfl‡

theorem inTerm : a = c :=
  calc a = b := by ‸simp‡
    _ = c := by
      ‸rfl‡
)");
}

TEST_CASE("tactics in terms in tactics", "[text][tactics]") {
  check(R"(
theorem nestedBy : p ∧ q := by
  ‸have h : q := by
    ‸apply hq
    ‸exact hp
  ‸have : ∃ x, x = 1 := ⟨by ‸exact hp, by
    ‸exact h
    ‸exact h⟩
  ‸rw [show a = b by ‸simp, h (by
  ‸simp), c]
  ‸have h : p := by
  ‸refine (by ‸use 1, by ‸simp)
  ‸exact let x := 1; x; ‸rfl
  ‸suffices h : p from by ‸simp
  ‸rfl‡

theorem nested : (p ∧ q) ∧ p :=
  ⟨by ‸exact ⟨hp, hq⟩‡, by ‸assumption‡, hp, by ‸simp [a, b]‡, c⟩

theorem ofBinders : p := foo (by ‸have : ∃ x, p x := bar
                                 ‸exact this‡)

def f (h : a = b := by ‸simp‡) : Nat → Nat
  | 0 => by ‸exact 0‡
  | n + 1 => by
    ‸exact n‡
termination_by n => n
decreasing_by
  ‸simp
  ‸omega‡
)");
}

TEST_CASE("tactics that are not known", "[text][tactics]") {
  check(R"(
example : p := by
  ‸my_cases h with
  | inl a => ‽exact a
  | inr b =>
    ‽simp
    ‽exact b
  ‸my_fun fun x => h
  ‸my_block =>
    ‽rfl
  ‸done‡
)");
}

TEST_CASE("columns are code points, comments and literals are nothing", "[text][tactics]") {
  check(R"(
theorem emoji : ("🙂" = "🙂") ∧ x₁ = 2 := by /- 🙂🙂 -/ ‸constructor; ‸rfl; ‸rfl‡
theorem «𝔸 is one» : «𝔸 name» = 1 := by /- 𝔸 := by simp -/ ‸rw [a]
                                                           ‸exact "by simp; rfl
                                                           simp"
                                                           /- -- -/
                                                           ‸rfl‡
/-- example := by
  simp -/
theorem last := by -- simp
  /- ⟨ -/‸simp‡
)");
}

TEST_CASE("what a broken text begins does not reach into the next declaration", "[text][tactics]") {
  check(R"(
theorem open_bracket := by
  ‸simp [(
  rfl‡
theorem next := by
  ‸rfl‡
theorem closing := by
  ‸simp)]
  ‸rfl‡

@[simp] theorem more := by ‸cases h with
  | a =>‡
private lemma other : p := by
  ‸·‡
/-- a comment -/ example := by ‸exact "a string
theorem x := by rfl‡)");
  check("by ‸simp‡");
  check("by");
  check("");
  check("; <;> | => · ⟩ ) , by ‸( ; <;> | => · ⟩ ) , by ‸· | =>‡ ");
}

TEST_CASE("the end of a proof is asked about below it, where there is room", "[text][tactics]") {
  const std::string_view source =
      "example := by\n  simp -- c\n\nexample := by\n  simp\n#check (by simp)\nexample := by simp";
  std::vector<std::size_t> asked;
  std::vector<std::size_t> proofs;
  for (const TacticPlace& place : tactic_places(source)) {
    if (place.kind != PlaceKind::End) {
      CHECK(place.asked_at == place.offset);
      continue;
    }
    asked.push_back(place.asked_at);
    proofs.push_back(place.proof);
  }
  REQUIRE(asked.size() == 4);
  CHECK(asked[0] == source.find("\nexample"));
  CHECK(asked[1] == source.find("\n#check"));
  CHECK(asked[2] == source.find(")\n"));
  CHECK(asked[3] == source.size());
  CHECK(std::is_sorted(proofs.begin(), proofs.end()));
  CHECK(std::adjacent_find(proofs.begin(), proofs.end()) == proofs.end());
}

TEST_CASE("any text has places, in order and in the text", "[text][tactics]") {
  static constexpr std::array<std::string_view, 32> kPieces{
      "by ",    "simp ", "· ",  "(",        ")",    "⟨",   "⟩",    "[",      "]",     "\n",     "\n  ",
      "\n    ", "| ",    "=> ", "; ",       "<;> ", ", ",  "fun ", "cases ", "case ", "first ", "try ",
      "else ",  "then ", "if ", "theorem ", "/- ",  "-/ ", "\"",   "-- ",    "𝔸",     ":= "};
  test::RandomText random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string source;
    for (std::size_t n = random.below(60); n > 0; --n) source += kPieces[random.below(kPieces.size())];
    const auto places = tactic_places(source);
    for (std::size_t i = 0; i < places.size(); ++i) {
      CHECK(places[i].offset <= source.size());
      CHECK(places[i].asked_at <= source.size());
      if (i > 0) CHECK(places[i - 1].offset < places[i].offset);
    }
    check_pieces(source);
  }
  for (int round = 0; round < 300; ++round) tactic_places(random(200));
}

// Quadratic time would not end within the runner's limit.
TEST_CASE("long texts of one thing", "[text][tactics]") {
  for (const std::string_view piece :
       {"· ", "by (", "by simp | ", "if x then ", "else ", "⟨by simp, ", ") ", "=> ", "first | "}) {
    std::string source = "theorem x := by ";
    while (source.size() < 300'000) source += piece;
    for (int i = 0; i < 20'000; ++i) source += "| ";
    for (int i = 0; i < 20'000; ++i) source += "else ";
    const auto places = tactic_places(source);
    INFO(piece);
    CHECK(std::is_sorted(places.begin(), places.end(),
                         [](const auto& a, const auto& b) { return a.offset < b.offset; }));
  }
}

}  // namespace leanbridge::text
