#include "core/text/proof_layout.hpp"

#include "core/text/edit.hpp"
#include "core/text/lean_declarations.hpp"
#include "core/text/proof_part.hpp"
#include "random_text.hpp"
#include <catch2/catch.hpp>

#include <array>
#include <ctime>
#include <string>
#include <vector>

namespace leanbridge::text {
namespace {

constexpr std::array<std::string_view, 44> kPieces{"by\n  ",
                                                   "simp\n  ",
                                                   "· exact h\n  ",
                                                   "(",
                                                   ")",
                                                   "⟨",
                                                   "⟩",
                                                   "[",
                                                   "@[simp]\n",
                                                   "\n",
                                                   "\n  ",
                                                   "\n    ",
                                                   "\n\n",
                                                   "| ",
                                                   "=> ",
                                                   "; ",
                                                   "<;> ",
                                                   ", ",
                                                   "fun x => ",
                                                   "cases h with\n  | inl h => ",
                                                   "first\n  | ",
                                                   "try ",
                                                   "else ",
                                                   "if c then ",
                                                   "\ntheorem t (h : p) : p := by\n  ",
                                                   "\nprivate\ntheorem\n  u : p := by simp\n",
                                                   "\nopen Foo in\nlemma v : p := by\n  exact h\n",
                                                   "/- ",
                                                   "-/ ",
                                                   "\"",
                                                   "s!\"{",
                                                   "}\"",
                                                   "r#\"",
                                                   "r##",
                                                   "«",
                                                   "»",
                                                   "-- a comment",
                                                   "𝔸",
                                                   ":= ",
                                                   "'\\",
                                                   "/-- doc -/\n",
                                                   "\n/-! module -/\n",
                                                   "\n#check 1\n",
                                                   "\nnotation \"x\" => y\n"};

std::string random_source(test::RandomText& random, std::size_t max_pieces) {
  std::string source;
  for (std::size_t n = random.below(max_pieces + 1); n > 0; --n)
    source += kPieces[random.below(kPieces.size())];
  return source;
}

// Everything that a layout tells about a source.
struct Told {
  std::vector<std::size_t> numbers;
  friend bool operator==(const Told&, const Told&) = default;
};

Told told_by(ProofLayout& layout, const std::string& source) {
  std::vector<std::size_t> numbers;
  const auto any = [](const ProofLayout::Mark&) { return true; };
  for (auto mark = layout.first_mark(source, 0, source.size() + 1, any); mark;
       mark = layout.first_mark(source, mark->begin + 1, source.size() + 1, any))
    for (const std::size_t each : {mark->begin, mark->before.begin, mark->before.end,
                                   mark->column.value_or(1'000'000), std::size_t{mark->is_tactic}})
      numbers.push_back(each);
  for (std::size_t offset = 0; offset <= source.size(); ++offset)
    if (const auto site = layout.declaration_at(source, offset))
      for (const std::size_t each : {site->start, site->end, site->last_code.begin, site->last_code.end,
                                     std::size_t{site->is_proposition}})
        numbers.push_back(each);
  for (auto end = layout.block_end(source, 0, source.size()); end;
       end = layout.block_end(source, *end + 1, source.size()))
    numbers.push_back(*end);
  return {numbers};
}

std::string theorem_of(int lines) {
  std::string source = "theorem long (a b : Nat) (h : a = b) : True := by\n  skip\n";
  for (int i = 0; i < lines; ++i) source += "  have h : a + 1 = b + 1 := by rw [h]\n";
  return source + "  trivial\n";
}

}  // namespace

TEST_CASE("after any edits, a layout tells the same as one that reads the source from nothing",
          "[text][layout]") {
  test::RandomText random(11);
  for (int round = 0; round < 400; ++round) {
    ProofLayout kept(round % 2 == 0 ? 1 : 40);
    std::string source = random_source(random, 60);
    for (int step = 0; step < 12; ++step) {
      const std::string before = source;
      // Several edits may come between two questions.
      for (std::size_t n = random.below(3) + 1; n > 0; --n) {
        const std::size_t begin = random.below(source.size() + 1);
        const std::size_t end = begin + random.below(std::min<std::size_t>(source.size() - begin, 30) + 1);
        kept.edited(begin, source.size() - end);
        source = apply_edit({begin, end, random_source(random, 4)}, source);
      }
      ProofLayout fresh;
      INFO("before:\n" << before << "\nafter:\n" << source);
      REQUIRE(told_by(kept, source) == told_by(fresh, source));
    }
  }
}

TEST_CASE("a layout finds the declarations that a scan of the source finds", "[text][layout]") {
  test::RandomText random(12);
  for (int round = 0; round < 300; ++round) {
    const std::string source = random_source(random, 80);
    const auto sites = declarations(source);
    ProofLayout layout(1);
    INFO(source);
    for (std::size_t offset = 0; offset <= source.size(); ++offset) {
      const auto found = layout.declaration_at(source, offset);
      const DeclarationSite* const site = enclosing_declaration(sites, source.size(), offset);
      REQUIRE(found.has_value() == (site != nullptr));
      if (site) REQUIRE((found->start == site->start && found->end == site->end));
    }
  }
}

// Reading all of it again would take as long as the first time.
TEST_CASE("a question after an edit does not take longer because its proof is long", "[text][layout]") {
  std::string source = theorem_of(20'000);
  ProofLayout layout;
  const auto timed = [&](std::size_t offset) {
    const std::clock_t begun = std::clock();
    REQUIRE(proof_part(source, layout, offset, offset));
    return std::clock() - begun;
  };
  const std::size_t bottom = source.size() - 4;
  const std::clock_t first = timed(bottom);
  std::clock_t others = 0;
  for (const std::size_t at : {std::size_t{52}, source.size() / 2, bottom}) {
    const std::size_t line = source.rfind('\n', at) + 1;
    layout.edited(line, source.size() - line);
    source.insert(line, "  skip\n");
    others += timed(line + 2) + timed(60);
  }
  CHECK(others < first);
}

}  // namespace leanbridge::text
