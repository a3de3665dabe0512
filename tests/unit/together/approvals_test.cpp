// Approved statements: their fingerprints, and which changes touch them.

#include "together/statements/approvals.hpp"

#include "core/olean/modules.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::together {

namespace {

using Names = std::vector<std::string>;

const std::string kStated =
    "def two := 2\n\nstructure P where\n  x : Nat\n\ntheorem helper : True := trivial\n\ntheorem main : two "
    "= 2 := by\n  "
    "exact rfl\n\ntheorem other : 1 = 1 := rfl\n";
const Approvals kApproved = {{"main", "hash", {"P.x", "two"}}};

std::string replaced(std::string text, const std::string& old_part, const std::string& new_part) {
  return text.replace(text.find(old_part), old_part.size(), new_part);
}

std::size_t touched_by(const std::string& after, const std::string& file = "A.lean") {
  return touched(kApproved, text::source_changes({text::read_declarations("A.lean", kStated)},
                                                 {text::read_declarations(file, after)}))
      .size();
}

}  // namespace

TEST_CASE("a change of a statement, or of what it means, touches it", "[together]") {
  CHECK(touched_by(replaced(kStated, "main : two = 2", "main : two = two")) == 1);
  CHECK(touched_by(replaced(kStated, "theorem main : two", "theorem main (h : False) : two")) == 1);
  CHECK(touched_by(replaced(kStated, "theorem main", "theorem main'")) == 1);
  CHECK(touched_by(replaced(kStated, "theorem main", "axiom main")) == 1);
  CHECK(touched_by(replaced(kStated, "two := 2", "two := 1 + 1")) == 1);
  CHECK(touched_by(replaced(kStated, "x : Nat", "x : Int")) == 1);
  CHECK(touched_by("") >= 1);
}

TEST_CASE("a proof, white space, a neighbour and a move touch nothing", "[together]") {
  CHECK(touched_by(kStated) == 0);
  CHECK(touched_by(replaced(kStated, "exact rfl", "decide")) == 0);
  CHECK(touched_by(replaced(kStated, "exact rfl", "sorry")) == 0);
  CHECK(touched_by(replaced(kStated, "two = 2 := by", "two  =  2 := by -- so")) == 0);
  CHECK(touched_by(replaced(kStated, "other : 1 = 1", "other : 2 = 2")) == 0);
  CHECK(touched_by(replaced(kStated, "helper : True", "helper : 1 = 1")) == 0);
  CHECK(touched_by(kStated, "B.lean") == 0);
}

TEST_CASE("the file is read as it is written, and nothing else is", "[together]") {
  CHECK(*read_approvals(written(kApproved)) == kApproved);
  for (const char* text : {"", "[]", "{}", "{\"leanbridge_approved\": 1}",
                           "{\"leanbridge_approved\": 1, \"statements\": [{\"declaration\": \"a\"}]}"})
    CHECK_FALSE(read_approvals(text));
  const leanbridge::test::TestFolder folder;
  CHECK(approvals_of(folder.path())->empty());
  folder.write(kApprovalsName, "{");
  CHECK_FALSE(approvals_of(folder.path()));
}

TEST_CASE("a fingerprint changes with the statement and what it means, not with the proof", "[together]") {
  const leanbridge::test::TestFolder folder;
  const auto fingerprint = [&](const char* limit, const char* proof, const char* statement) {
    leanbridge::test::ModuleMaker base;
    base.imports = {};
    base.axiom("True", base.w.prop());
    base.axiom("True.intro", base.constant("True"));
    base.axiom("other", base.constant("True"));
    base.definition("limit", base.constant("True"), base.constant(limit));
    folder.write("Base.olean", base.bytes());
    leanbridge::test::ModuleMaker maker;
    maker.theorem("main", maker.constant(statement), maker.constant(proof));
    const auto file = folder.write("Main.olean", maker.bytes());
    const auto found = statements_in(file, {folder.path()}, folder.path(), {"main"}).at("main");
    REQUIRE(found);
    return *found;
  };
  const ApprovedStatement then = fingerprint("other", "other", "limit");
  CHECK(then.declaration == "main");
  CHECK(std::ranges::find(then.means, "limit") != then.means.end());
  CHECK(fingerprint("other", "True.intro", "limit") == then);
  CHECK(fingerprint("True.intro", "other", "limit").sha256 != then.sha256);
  CHECK(fingerprint("other", "other", "True").sha256 != then.sha256);
  CHECK_FALSE(
      statements_in(folder / "Main.olean", {folder.path()}, folder.path(), {"nothing"}).at("nothing"));
}

}  // namespace leanbridge::together
