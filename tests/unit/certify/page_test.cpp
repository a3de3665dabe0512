#include "certify/verdict/page.hpp"

#include "modules.hpp"

namespace leanbridge::test {

using certify::Page;

namespace {

/// The page about `goal`. Nothing of an import is the project's.
Page page_of(const ModuleFolder& folder, const MakeModule& make) {
  auto set = folder.open(make);
  REQUIRE(set);
  auto page = certify::read_page(*set, {olean::key_of("goal")},
                                 [](const olean::SetModule& module) { return module.file.empty(); });
  REQUIRE(page);
  return *page;
}

struct Parts {
  std::size_t limit = 7;
  std::string_view proof = "sorryAx";
  std::string_view lemma_proof = "True.intro";
};

/// theorem goal : ∀ n, Holds limit, where `limit` is the module's own and rests on a lemma.
MakeModule parts(const Parts& parts) {
  return [parts](ModuleMaker& m) {
    m.theorem("lemma", m.constant("True"), m.constant(parts.lemma_proof));
    m.definition("base", m.constant("Nat"), m.w.natural(parts.limit));
    m.definition("limit", m.constant("Nat"), m.apply("base", {m.constant("lemma")}));
    m.definition("unused", m.constant("Nat"), m.w.natural(parts.limit));
    m.theorem("goal", m.w.forall("n", m.constant("Nat"), m.apply("Holds", {m.constant("limit")})),
              m.constant(parts.proof));
  };
}

/// The module Base with another value of its constant, which `goal` mentions.
Page page_over_library(std::size_t value, std::string_view proof) {
  ModuleFolder folder;
  folder.write("Lib", [=](ModuleMaker& m) {
    m.definition("Lib.deep", m.constant("Nat"), m.w.natural(value));
    m.definition("Lib.limit", m.constant("Nat"), m.constant("Lib.deep"));
    m.theorem("Lib.fact", m.constant("True"), m.constant(proof));
  });
  return page_of(folder, [](ModuleMaker& m) {
    m.imports = {"Base", "Lib"};
    m.theorem("goal", m.w.app(m.constant("Holds"), {m.constant("Lib.limit"), m.constant("Lib.fact")}),
              m.constant("sorryAx"));
  });
}

}  // namespace

TEST_CASE("a page has the statement, then what it names, and the library by name") {
  const ModuleFolder folder;
  const Page page = page_of(folder, parts({}));
  std::vector<std::string> read;
  for (const certify::PageItem& item : page.items)
    read.push_back(item.kind + " " + item.name + " " + item.text);
  CHECK(read == std::vector<std::string>{"theorem goal (n : Nat) : Holds limit",
                                         "def limit : Nat := base lemma", "def base : Nat := nat_lit 7",
                                         "theorem lemma : True"});
  CHECK(page.library == std::vector<std::string>{"Nat", "Holds", "True"});
  const std::string text = certify::to_text(page);
  CHECK(text.find(page.fingerprint) != std::string::npos);
  CHECK(text.find("Theorems\n\n  theorem goal (n : Nat) : Holds limit\n") != std::string::npos);
}

TEST_CASE("a page has in full what Lean does not read back, and says why none was read") {
  Page page;
  page.theorems = {"goal"};
  page.items = {{"theorem", "goal", ": 2 + 3 = 5", "Challenge:1", {}, "11", false}};
  CHECK(certify::to_text(page).find("Lean has read each line back as the same term") != std::string::npos);
  CHECK(certify::to_text(page).find("-- Lean reads") == std::string::npos);
  page.items[0].in_full = ": @Eq.{1} Nat 6 5";
  page.not_read = "Lean did not end in time";
  const std::string text = certify::to_text(page);
  CHECK(text.find("has not read these lines back, Lean did not end in time") != std::string::npos);
  CHECK(text.find("theorem goal : 2 + 3 = 5    -- Challenge:1\n"
                  "    -- Lean reads this line otherwise, or not at all. In full: : @Eq.{1} Nat 6 5\n") !=
        std::string::npos);
}

TEST_CASE("an approval holds while proofs change, and for nothing else") {
  const ModuleFolder folder;
  const Page approved = page_of(folder, parts({}));
  CHECK(certify::changes(approved, page_of(folder, parts({.proof = "True.intro"}))).empty());
  CHECK(certify::changes(approved, page_of(folder, parts({.lemma_proof = "sorryAx"}))).empty());
  CHECK(certify::changes(approved, page_of(folder, parts({.limit = 8}))) ==
        std::vector<std::string>{
            "Changed: def base : Nat := nat_lit 8; approved was: def base : Nat := nat_lit 7"});
}

TEST_CASE("an approval ends with a change of the library, however deep") {
  const Page approved = page_over_library(7, "sorryAx");
  CHECK(certify::changes(approved, page_over_library(7, "True.intro")).empty());
  CHECK(certify::changes(approved, page_over_library(8, "sorryAx")) ==
        std::vector<std::string>{"The library below is another."});
}

TEST_CASE("what is shown of a change says what it was") {
  Page approved, now;
  approved.fingerprint = "a";
  approved.lean = "4.35.0";
  approved.items = {{"def", "one", ": Nat", "", {}, "11", false},
                    {"def", "two", ": Nat", "", {}, "22", false}};
  now = approved;
  now.fingerprint = "b";
  using Words = std::vector<std::string>;
  CHECK(certify::changes(approved, now) == Words{"The approval is not as it was written."});
  now.items[0].sha256 = "12";
  now.items[1].name = "three";
  now.library_sha256 = "x";
  now.lean = "4.36.0";
  now.theorems = {"goal"};
  CHECK(certify::changes(approved, now) ==
        Words{"Other theorems are judged.", "Changed in what is not printed: def one : Nat",
              "New: def three : Nat", "Gone: def two : Nat",
              "The library below is another: Lean 4.36.0; approved was Lean 4.35.0."});
}

TEST_CASE("what is no approval is refused") {
  const auto problem = [](const std::string& text) {
    const auto read = certify::read_approval(text, "a.json");
    return read ? "" : read.error().message;
  };
  certify::Approval approval{1, "Alice", "2026-11-26T12:00:00Z", {}};
  approval.page.fingerprint = "aa";
  CHECK(problem(wire::write(approval).dump()).empty());
  for (const char* const text :
       {"", "[]", "{}", R"({"leanbridge_approval": 2})", R"({"leanbridge_approval": 1})",
        R"({"leanbridge_approval": 1, "approved_by": 3, "approved_at": "", "page": {}})"})
    CHECK(problem(text) == "a.json is no approval.");
}

TEST_CASE("a page has no control characters") {
  Page page;
  page.items = {{"def", "a\x1b[2J", ": Nat\nTheorems", "", {}, "", false},
                {"def", "a\u202eb", "", "", {"mk\u202e : T"}, "", false}};
  const std::string text = certify::to_text(page);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find("\nTheorems") == std::string::npos);
  CHECK(text.find("a\\u{202e}b (too long to be printed: read it in its source)") != std::string::npos);
  CHECK(text.find("mk\\u{202e} : T") != std::string::npos);
}

}  // namespace leanbridge::test
