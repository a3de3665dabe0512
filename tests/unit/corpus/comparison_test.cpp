#include "corpus/records/comparison.hpp"

#include "corpus/corpus_fixture.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::corpus {

namespace {

constexpr const char* kEven = "formal/Parity/Even.lean";

LiveDeclaration live(std::string name, std::optional<LiveStatus> status,
                     std::optional<Strings> dependencies = Strings{}) {
  LiveDeclaration declaration;
  declaration.lean_decl = std::move(name);
  declaration.proof_status = status;
  declaration.dependencies = std::move(dependencies);
  return declaration;
}

LiveFile file_of(std::vector<LiveDeclaration> declarations) {
  LiveFile file;
  file.file_path = kEven;
  file.complete = true;
  file.declarations = std::move(declarations);
  return file;
}

// "kind name"
Strings found(const std::vector<LiveFile>& files) {
  Strings all;
  for (const Disagreement& item : compare(fixture_paper("parity_notes"), files)) {
    CHECK_FALSE(item.message.empty());
    all.push_back(std::string(wire::name_of(item.kind)) + " " + (item.lean_decl ? *item.lean_decl : "null"));
  }
  return all;
}

}  // namespace

TEST_CASE("a card that says more than Lean is a disagreement", "[corpus]") {
  const Strings even = {"Parity.Even"};
  CHECK(found({file_of({live("Parity.even_mul", LiveStatus::Sorry, even)})}) ==
        Strings{"proof_status Parity.even_mul"});
  CHECK(found({file_of({live("Parity.even_mul", LiveStatus::Error, even)})}) ==
        Strings{"proof_status Parity.even_mul"});
  CHECK(found({file_of({live("Parity.even_mul", LiveStatus::Proved, even)})}).empty());
  CHECK(found({file_of({live("Parity.«even four»", LiveStatus::Proved, even)})}) ==
        Strings{"proof_status Parity.even four"});
  CHECK(found({file_of({live("Parity.«even four»", LiveStatus::Sorry, even)})}).empty());
  CHECK(found({file_of({live("Parity.x₁_even", LiveStatus::Error)})}).empty());
}

TEST_CASE("what is not known disagrees with nothing", "[corpus]") {
  CHECK(found({file_of({live("Parity.even_mul", LiveStatus::Elaborating, std::nullopt)})}).empty());
  CHECK(found({file_of({live("Parity.Half.value", std::nullopt, std::nullopt)})}).empty());
  CHECK(found({file_of({})}).empty());
  LiveFile unfinished = file_of({});
  unfinished.complete = false;
  unfinished.not_here = {"Parity.vanished"};
  CHECK(found({unfinished}).empty());
  CHECK(found({}).empty());
}

TEST_CASE("a proof that rests on a sorry, through others", "[corpus]") {
  const auto files = std::vector{
      file_of({live("Parity.Even", LiveStatus::Proved), live("Parity.helper", LiveStatus::Sorry),
               live("Parity.even_mul", LiveStatus::Proved, Strings{"Parity.Even", "Parity.helper"}),
               live("Parity.even_sq", LiveStatus::Proved,
                    Strings{"Parity.Even", "Parity.even_mul", "Nat.add_comm", "Parity.even_sq"})})};
  CHECK(found(files) == Strings{"rests_on Parity.even_mul", "rests_on Parity.even_sq"});
  CHECK(compare(fixture_paper("parity_notes"), files)[1].live == nlohmann::json{"Parity.helper"});
}

TEST_CASE("what is gone is told, where Lean was asked for it", "[corpus]") {
  LiveFile file = file_of({});
  file.not_here = {"Parity.vanished"};
  CHECK(found({file}) == Strings{"missing_declaration Parity.vanished"});
  LiveFile gone;
  gone.file_path = "formal/Parity/Gone.lean";
  gone.exists = false;
  CHECK(found({gone}) == Strings{"missing_file Parity.gone"});
}

TEST_CASE("dependencies among the paper's declarations are compared", "[corpus]") {
  const auto differing =
      compare(fixture_paper("parity_notes"),
              {file_of({live("Parity.x₁_even", LiveStatus::Proved, Strings{"Parity.Even", "Nat.succ"})})});
  REQUIRE(differing.size() == 1);
  CHECK(differing[0].kind == DisagreementKind::Dependencies);
  CHECK(differing[0].published == nlohmann::json::array());
  CHECK(differing[0].live == nlohmann::json{"Parity.Even"});
  CHECK(found({file_of({live("Parity.even_sq", LiveStatus::Proved, Strings{"Parity.even_mul"})})}) ==
        Strings{"dependencies Parity.even_sq"});
}

TEST_CASE("what Lean knows is listed below the records", "[corpus]") {
  const Paper paper = fixture_paper("parity_notes");
  const auto records = in_file(declarations(paper), kEven);
  CHECK(files_of(records) == Strings{kEven});
  LiveDeclaration generated;
  generated.lean_decl = "Parity.Even.rec";
  const std::vector<LiveFile> files = {file_of({live("Parity.even_mul", LiveStatus::Sorry), generated})};
  const auto list = with_live(paper, records, files, compare(paper, files));
  REQUIRE(list.size() == records.size() + 2);
  for (std::size_t i = 0; i < records.size(); ++i) {
    nlohmann::json expected = to_json(records[i]);
    if (records[i].lean_decl == "Parity.even_mul")
      expected["disagreement"] = {"dependencies", "proof_status"};
    CHECK(list[i] == expected);
  }
  const auto& known = list[records.size()];
  CHECK(known["published"] == true);
  CHECK(known["proof_status"] == "sorry");
  CHECK(list.back() == nlohmann::json({{"lean_decl", "Parity.Even.rec"},
                                       {"file_path", kEven},
                                       {"kind", nullptr},
                                       {"type", nullptr},
                                       {"proof_status", nullptr},
                                       {"start_line", nullptr},
                                       {"end_line", nullptr},
                                       {"dependencies", nullptr},
                                       {"published", false},
                                       {"source", "lean"}}));
}

}  // namespace leanbridge::corpus
