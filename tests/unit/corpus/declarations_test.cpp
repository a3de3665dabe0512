#include "corpus/corpus_fixture.hpp"
#include "corpus/records/paper.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::corpus {

using nlohmann::json;

TEST_CASE("records have the published shape", "[corpus]") {
  const auto records = declarations(fixture_paper("parity_notes"));
  REQUIRE(records.size() == 8 + 12);
  CHECK(to_json(records[0]) == json{{"lean_decl", "Parity.Even"}, {"source", "manifest"}});
  CHECK(to_json(records[8]) == json{{"lean_decl", "Parity.Even"},
                                    {"file_path", "formal/Parity/Even.lean"},
                                    {"proof_status", "machine_checked"},
                                    {"claim_id", "parity_notes_claim_001"},
                                    {"source", "theorem_cards"}});
  const auto bare = declarations(paper_of("{}", "[{}]"));
  CHECK(to_json(bare.at(0)) == json{{"lean_decl", nullptr},
                                    {"file_path", nullptr},
                                    {"proof_status", nullptr},
                                    {"claim_id", nullptr},
                                    {"source", "theorem_cards"}});
}

TEST_CASE("duplicates are merged where they say the same", "[corpus]") {
  const Paper paper = fixture_paper("duplicates");
  CHECK(declarations(paper).size() == 4 + 5);
  const auto records = without_duplicates(declarations(paper));
  REQUIRE(records.size() == 5);
  CHECK(to_json(records[0]) == json{{"lean_decl", "D.a"},
                                    {"file_path", "formal/D.lean"},
                                    {"proof_status", "machine_checked"},
                                    {"claim_id", "duplicates_claim_001"},
                                    {"claim_ids", {"duplicates_claim_001", "duplicates_claim_002"}},
                                    {"source", "theorem_cards"},
                                    {"sources", {"manifest", "theorem_cards"}}});
  CHECK(records[1].lean_decl == "D.b");
  CHECK(to_json(records[2]) ==
        json{{"lean_decl", "D.only"}, {"source", "manifest"}, {"sources", {"manifest"}}});
  CHECK(records[3].lean_decl == "D.a");
  CHECK(records[3].proof_status == "disputed");
  CHECK(records[3].in_manifest);
  CHECK(records[4].lean_decl == "D.c");
  CHECK_FALSE(records[4].in_manifest);
  CHECK(kinds(paper) == Strings{"theorem_cards.json duplicate"});
}

TEST_CASE("a name is one name, quoted or not; records without a name stay", "[corpus]") {
  const auto records = without_duplicates(declarations(fixture_paper("«größe»_ℕ")));
  REQUIRE(records.size() == 2);
  CHECK(records[0].lean_decl == "Größe.«a b».x₁");
  CHECK(records[0].in_manifest);
  CHECK(without_duplicates(declarations(paper_of("{}", "[{}, {}]"))).size() == 2);
}

TEST_CASE("a file is a part of a card's path", "[corpus]") {
  const auto count = [](const std::string& id, const std::string& file) {
    return in_file(declarations(fixture_paper(id)), file).size();
  };
  CHECK(count("parity_notes", "Even.lean") == 10);
  CHECK(count("parity_notes", " formal\\Parity\\Even ") == 10);
  CHECK(count("parity_notes", "even.lean") == 0);
  CHECK(count("parity_notes", " \t") == 20);
  CHECK(count("«größe»_ℕ", "formal/Größe.lean") == 2);
  CHECK(count("no_cards", "Alone") == 0);
}

}  // namespace leanbridge::corpus
