#include "corpus/corpus_fixture.hpp"
#include "support/test_folder.hpp"
#include <catch2/catch.hpp>
#include <sys/stat.h>

namespace leanbridge::corpus {

using test::TestFolder;
namespace fs = std::filesystem;

namespace {

// An empty corpus, to which a test adds its paper "p".
struct Corpus {
  Corpus() { folder.write("corpus/index.json", "{}"); }
  void write(std::string_view name, std::string_view content) const {
    folder.write("corpus/papers/p/" + std::string(name), content);
  }
  Paper read() const { return read_paper(folder.path(), "p").value(); }

  TestFolder folder;
};

}  // namespace

TEST_CASE("a corpus is found from below, by its papers and its index", "[corpus]") {
  CHECK(find_corpus(fixture_corpus() / "formal" / "Parity") == fixture_corpus());
  CHECK(find_corpus(fixture_corpus()) == fixture_corpus());
  const TestFolder folder;
  folder.write("corpus/papers/p/manifest.json", "{}");
  fs::create_directories(folder / "a/b");
  CHECK(find_corpus(folder / "a/b") == std::nullopt);
  folder.write("corpus/index.json", "not read");
  CHECK(find_corpus(folder / "a/b") == folder.path());
  CHECK(find_corpus("/") == std::nullopt);
  CHECK(find_corpus("") == std::nullopt);
}

TEST_CASE("an id is the name of one folder", "[corpus]") {
  for (const std::string id : {"langmuir_1918_adsorption", "a.b", "..a", "«größe»_ℕ", "two words"})
    CHECK(check_paper_id(id).has_value());
  for (const std::string& id :
       {std::string(), std::string("."), std::string(".."), std::string("../x"), std::string("a/b"),
        std::string("/etc"), std::string("a\\b"), std::string("a\0b", 3), std::string("a\nb"),
        std::string("\xff"), std::string(256, 'a')}) {
    const auto refused = read_paper(fixture_corpus(), id);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().kind == ErrorKind::InvalidArgument);
    CHECK_FALSE(refused.error().hint.empty());
  }
}

TEST_CASE("a paper is read from both files", "[corpus]") {
  const Paper paper = fixture_paper("parity_notes");
  CHECK(paper.found);
  CHECK(paper.usable);
  CHECK(paper.problems.empty());
  CHECK(paper.declaration_index.size() == 8);
  REQUIRE(paper.cards.size() == 12);
  CHECK(paper.cards[4].lean_decl == "Parity.even_sq");
  CHECK(paper.cards[4].dependency_ids == Strings{"parity_notes_card_001", "parity_notes_card_004"});
  CHECK(paper.cards[4].published["reviewer_status"] == "accepted");
  REQUIRE(paper.edges.size() == 7);
  CHECK(paper.edges[0].from == "parity_notes_card_001");
  CHECK(paper.edges[0].published["confidence"] == "high");
}

TEST_CASE("what is missing is said, and the rest is read", "[corpus]") {
  CHECK_FALSE(fixture_paper("no_such_paper").found);
  const Paper cards_only = fixture_paper("no_manifest");
  CHECK(cards_only.cards.size() == 2);
  CHECK(kinds(cards_only) == Strings{"manifest.json missing"});
  const Paper manifest_only = fixture_paper("no_cards");
  CHECK(manifest_only.declaration_index == Strings{"Alone.a", "Alone.b"});
  CHECK(kinds(manifest_only) == Strings{"theorem_cards.json missing"});
  const Paper empty = fixture_paper("empty");
  CHECK(empty.found);
  CHECK_FALSE(empty.usable);
  CHECK(empty.problems.size() == 2);
}

TEST_CASE("what is no JSON is said with its place", "[corpus]") {
  const Paper paper = fixture_paper("malformed");
  CHECK_FALSE(paper.usable);
  CHECK(kinds(paper) == Strings{"manifest.json malformed_json", "theorem_cards.json malformed_json"});
  CHECK(paper.problems[0].message.find("byte 58") != std::string::npos);
  CHECK(kinds(paper_of("", "null")) ==
        Strings{"manifest.json malformed_json", "theorem_cards.json wrong_type"});
  CHECK(kinds(paper_of("[]", "{}")) == Strings{"manifest.json wrong_type", "theorem_cards.json wrong_type"});
  CHECK(kinds(paper_of("{\"a\": \"\xff\"}", "[1e999]")) ==
        Strings{"manifest.json invalid_utf8", "theorem_cards.json malformed_json"});
}

TEST_CASE("deep nesting is refused before it can do harm", "[corpus]") {
  const std::string deep = std::string(2'000'000, '[');
  CHECK(kinds(paper_of(deep, deep)) ==
        Strings{"manifest.json malformed_json", "theorem_cards.json malformed_json"});
  const std::string in_graph = "{\"dependency_graph\": " + std::string(60, '[') + std::string(60, ']') + "}";
  CHECK(kinds(paper_of(in_graph, "[]")) == Strings{"manifest.json wrong_type"});
}

TEST_CASE("values of a wrong type are left out and counted", "[corpus]") {
  const Paper paper = fixture_paper("wrong_types");
  CHECK(paper.usable);
  CHECK(paper.declaration_index == Strings{"A.a"});
  REQUIRE(paper.edges.size() == 1);
  CHECK(paper.edges[0].to == "A.c");
  REQUIRE(paper.cards.size() == 4);
  CHECK(paper.cards[1].lean_decl == std::nullopt);
  CHECK(paper.cards[1].file_path == std::nullopt);
  CHECK(paper.cards[3].dependency_ids == Strings{"c"});
  for (const std::string& kind : kinds(paper)) CHECK(kind.ends_with("wrong_type"));
  const auto about_index = std::find_if(
      paper.problems.begin(), paper.problems.end(),
      [](const Problem& problem) { return problem.message.find("declaration_index") != std::string::npos; });
  REQUIRE(about_index != paper.problems.end());
  CHECK(about_index->message.find("omitted 3, the first is number 2") != std::string::npos);
}

TEST_CASE("absent and null members are no problem", "[corpus]") {
  const Paper paper = paper_of(R"({"declaration_index": null, "dependency_graph": null})",
                               R"([{}, {"lean_decl": null, "dependency_ids": null}])");
  CHECK(paper.problems.empty());
  CHECK(paper.cards.size() == 2);
  CHECK(paper_of("{}", "[]").problems.empty());
}

TEST_CASE("nothing outside the corpus is read", "[corpus]") {
  const Corpus corpus;
  const TestFolder elsewhere;
  elsewhere.write("manifest.json", R"({"declaration_index": ["Secret.a"]})");
  corpus.write("x", "");
  fs::create_symlink(elsewhere / "manifest.json", corpus.folder / "corpus/papers/p/manifest.json");
  fs::create_symlink("../../index.json", corpus.folder / "corpus/papers/p/theorem_cards.json");
  const Paper paper = corpus.read();
  CHECK(paper.declaration_index.empty());
  CHECK(kinds(paper) == Strings{"manifest.json outside_corpus", "theorem_cards.json wrong_type"});

  fs::create_directory_symlink(elsewhere.path(), corpus.folder / "corpus/papers/linked");
  CHECK_FALSE(read_paper(corpus.folder.path(), "linked")->found);
  fs::create_directory_symlink("p", corpus.folder / "corpus/papers/within");
  CHECK(read_paper(corpus.folder.path(), "within")->found);
}

TEST_CASE("what is no file, or too large, is not read", "[corpus]") {
  const Corpus corpus;
  corpus.write("manifest.json/x", "");
  REQUIRE(::mkfifo((corpus.folder / "corpus/papers/p/theorem_cards.json").c_str(), 0600) == 0);
  CHECK(kinds(corpus.read()) == Strings{"manifest.json unreadable", "theorem_cards.json unreadable"});

  const Corpus large;
  large.write("manifest.json", "{}" + std::string(kMaxFileBytes, ' '));
  large.write("theorem_cards.json", "[]" + std::string(kMaxFileBytes - 2, ' '));
  const Paper paper = large.read();
  CHECK(paper.usable);
  CHECK(kinds(paper) == Strings{"manifest.json too_large"});

  const Corpus file;
  file.folder.write("corpus/papers/p", "a file");
  CHECK_FALSE(file.read().found);
}

TEST_CASE("guillemets that only quote make no other name", "[corpus]") {
  CHECK(name_key("A.«b c».d") == "A.b c.d");
  CHECK(name_key("«A».b") == "A.b");
  CHECK(name_key("A.«b.c»") == "A.«b.c»");
  CHECK(name_key("x₁.🦆") == "x₁.🦆");
  CHECK(name_key("A.«b") == "A.«b");
  CHECK(name_key("") == "");
  CHECK(name_key(".") == ".");
  CHECK(name_key("\xff«\xfe») ").size() > 0);
}

}  // namespace leanbridge::corpus
