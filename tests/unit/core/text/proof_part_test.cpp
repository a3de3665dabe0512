#include "core/text/proof_part.hpp"

#include "core/text/missing_proofs.hpp"
#include <catch2/catch.hpp>

#include <array>
#include <optional>
#include <string>

namespace leanbridge::text {
namespace {

const std::string kProofs = R"(theorem swap (h : p ∧ q) : q ∧ p := by
  constructor
  · exact h.right
  · exact
      h.left

theorem cased (h : p ∨ q) : q ∨ p := by
  cases h with
  | inl hp =>
    have hp' := hp
    exact Or.inr hp'
  | inr hq => exact Or.inl hq
  -- and a comment

def three : Nat := by exact 3

theorem term : 1 = 1 := rfl
)";

std::size_t where(std::string_view what, std::size_t from = 0) {
  const std::size_t found = kProofs.find(what, from);
  REQUIRE(found != std::string::npos);
  return found;
}

/// The part of the line that begins with `what`, from its first character to its end.
std::optional<ProofPart> part_of_line(std::string_view what) {
  const std::size_t from = where(what);
  return proof_part(kProofs, from, kProofs.find('\n', from));
}

std::string slice(std::size_t begin, std::size_t end) {
  return kProofs.substr(begin, end - begin);
}

}  // namespace

TEST_CASE("the part of a proof that a line belongs to", "[text][proof_part]") {
  const auto first = part_of_line("constructor");
  REQUIRE(first);
  CHECK(slice(first->begin, first->end) == "constructor");
  CHECK(first->from == first->begin);
  CHECK(first->limit == first->end + 1);
  CHECK_FALSE(first->last);
  CHECK(first->is_proposition);
  CHECK(slice(first->declaration_start, first->declaration_start + 12) == "theorem swap");
  CHECK(first->declaration_end == where("theorem cased") - 2);

  const auto bullet = part_of_line("· exact h.right");
  REQUIRE(bullet);
  CHECK(slice(bullet->begin, bullet->end) == "· exact h.right");

  const auto last = part_of_line("· exact\n");
  REQUIRE(last);
  CHECK(last->last);
  CHECK(last->end == last->declaration_end);
  CHECK(last->limit > last->declaration_end);

  const auto continued = part_of_line("h.left\n");  // belongs to the tactic it continues
  REQUIRE(continued);
  CHECK(slice(continued->begin, continued->begin + 5) == "exact");
  CHECK(continued->last);

  const auto definition = part_of_line("def three");
  REQUIRE(definition);
  CHECK(slice(definition->begin, definition->begin + 7) == "exact 3");
  CHECK(definition->from == where("def three"));
  CHECK_FALSE(definition->is_proposition);
}

TEST_CASE("the head of a tactic with alternatives", "[text][proof_part]") {
  const auto head = part_of_line("cases h with");
  REQUIRE(head);
  CHECK(slice(head->begin, head->end) == "cases h with\n  | inl hp =>");
  CHECK(head->limit == where("have hp'"));
  CHECK(head->item_end == where("  -- and a comment") - 1);  // with its alternatives
  const auto inside = part_of_line("have hp'");
  REQUIRE(inside);
  CHECK(slice(inside->begin, inside->item_end) == "have hp' := hp");
  const auto before_next = part_of_line("exact Or.inr");  // without the next alternative
  REQUIRE(before_next);
  CHECK(slice(before_next->begin, before_next->end) == "exact Or.inr hp'");
  CHECK(before_next->limit < where("| inr hq"));
}

TEST_CASE("the part of a proof at a position", "[text][proof_part]") {
  const std::size_t tactic = where("have hp'");
  const auto before = proof_part(kProofs, tactic, tactic);
  REQUIRE(before);
  CHECK(before->before_tactic);
  CHECK(before->begin == tactic);
  CHECK(before->end == tactic);
  CHECK_FALSE(before->last);
  const auto inside = proof_part(kProofs, tactic + 3, tactic + 3);
  REQUIRE(inside);
  CHECK_FALSE(inside->before_tactic);
  CHECK(inside->begin == tactic);
  CHECK(slice(inside->begin, inside->end) == "have hp' := hp");
}

TEST_CASE("no part before the first tactic, nor outside of proofs", "[text][proof_part]") {
  const std::size_t head = where("theorem swap");
  CHECK_FALSE(proof_part(kProofs, head, kProofs.find('\n', head)));
  CHECK_FALSE(part_of_line("theorem term"));
  CHECK_FALSE(proof_part("", 0, 0));
  CHECK_FALSE(proof_part("#check 1\n", 3, 3));
}

TEST_CASE("how far a tactic reaches", "[text][proof_part]") {
  const auto extent = [](std::string_view what, std::size_t column) {
    const std::size_t begin = where(what);
    const TacticExtent found = tactic_extent(kProofs, begin, column);
    return std::array{slice(begin, found.item), slice(begin, found.block), slice(begin, found.proof)};
  };
  const std::string swap = "constructor\n  · exact h.right\n  · exact\n      h.left";
  CHECK(extent("constructor", 2) == std::array<std::string, 3>{"constructor", swap, swap});
  CHECK(extent("· exact\n", 2) == std::array<std::string, 3>{"· exact\n      h.left", "· exact\n      h.left",
                                                             "· exact\n      h.left"});
  const auto inner = extent("have hp'", 4);
  CHECK(inner[0] == "have hp' := hp");
  CHECK(inner[1] == "have hp' := hp\n    exact Or.inr hp'");
  CHECK(inner[2] == "have hp' := hp\n    exact Or.inr hp'\n  | inr hq => exact Or.inl hq");
  CHECK(extent("cases h", 2)[0] == extent("cases h", 2)[2]);
}

TEST_CASE("how far a tactic on a blank line would reach", "[text][proof_part]") {
  const std::string source = "theorem t : p := by\n  intro h\n\n  exact h\n";
  const std::size_t blank = source.find("\n\n") + 1;
  const TacticExtent inserted = tactic_extent(source, blank, 2);
  CHECK(inserted.item == blank);
  CHECK(inserted.proof == source.size() - 1);
  const std::size_t offset = source.find("intro");
  CHECK(tactic_extent(source, offset, 2).item == offset + 7);
}

TEST_CASE("the words that leave a goal unproved", "[text][proof_part]") {
  CHECK(find_missing_proof("exact foo (by sorry)") == std::optional<std::size_t>(14));
  CHECK(find_missing_proof("admit") == std::optional<std::size_t>(0));
  CHECK(find_missing_proof("exact sorryAx _ true"));
  CHECK_FALSE(find_missing_proof("exact sorry_free -- sorry"));
  CHECK_FALSE(find_missing_proof("exact \"sorry\" /- admit -/"));
}

TEST_CASE("a layout that is kept answers as one that is made for each call", "[text][proof_part]") {
  ProofLayout kept;
  std::size_t parts = 0;
  for (std::size_t offset = 0; offset <= kProofs.size(); ++offset) {
    const auto part = proof_part(kProofs, kept, offset, offset);
    CAPTURE(offset);
    CHECK(part == proof_part(kProofs, offset, offset));
    parts += part ? 1 : 0;
  }
  CHECK(parts > 100);
}

}  // namespace leanbridge::text
