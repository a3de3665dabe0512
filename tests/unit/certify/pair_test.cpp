// Batches of certify: lines in, lines out.

#include "certify/verdict/pair.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <initializer_list>
#include <tuple>

using namespace leanbridge;
using namespace leanbridge::certify;
using nlohmann::json;

namespace {

constexpr const char* kPairPlace = "pairs.jsonl:3";

Pair good_pair(const char* line) {
  const auto pair = read_pair(line, kPairPlace);
  if (!pair) FAIL(pair.error().why);
  return *pair;
}

JudgedPair judged_pair(const std::string& id, const std::string& asked, Outcome verdict) {
  JudgedPair pair;
  pair.id = id;
  pair.asked_sha256 = asked;
  pair.certificate.verdict = verdict;
  return pair;
}

}  // namespace

TEST_CASE("a pair, in all its forms", "[pair]") {
  const Pair whole = good_pair(R"({"id": "a", "challenge": "C", "solution": "S", "names": ["x", "y"],
      "allowed_axioms": [], "options": ["a=b"], "timeout_s": 2.5, "source": {"any": "thing"}})");
  CHECK(whole.id == "a");
  CHECK(whole.texts.challenge == "C");
  CHECK(whole.texts.solution == "S");
  CHECK(whole.texts.names == std::vector<std::string>{"x", "y"});
  CHECK(whole.allowed_axioms == std::vector<std::string>());
  CHECK(whole.options == std::vector<std::string>{"a=b"});
  CHECK(whole.timeout_s == 2.5);
  const Pair files = good_pair(R"({"id": 7, "challenge_file": "C.lean", "file_path": "S.lean"})");
  CHECK(files.id == "7");
  CHECK_FALSE(files.allowed_axioms.has_value());
  CHECK(files.texts.names.empty());
  const Pair revision =
      good_pair(R"({"challenge_revision": "HEAD", "file_path": "S.lean", "solution": null})");
  CHECK(revision.id == kPairPlace);
  CHECK(revision.texts.challenge_revision == "HEAD");
}

TEST_CASE("a bad line says why, where, and whose it is", "[pair]") {
  for (const auto& [line, id, why] : std::initializer_list<std::tuple<const char*, const char*, const char*>>{
           {"no JSON", kPairPlace, "not a JSON object"},
           {"[1]", kPairPlace, "not a JSON object"},
           {R"({"id": "a", "challenge": "C", "solution": "S", "solution": "T"})", "a", "`solution` twice"},
           {R"({"id": "a"})", "a", "`file_path` or `solution`"},
           {R"({"id": "a", "solution": "S", "file_path": "S.lean", "challenge": "C"})", "a",
            "either `file_path` or `solution`"},
           {R"({"id": "a", "solution": "S"})", "a", "exactly one of `challenge`"},
           {R"({"id": "a", "solution": "S", "challenge": "C", "challenge_file": "C.lean"})", "a",
            "exactly one of"},
           {R"({"id": "a", "solution": "S", "challenge_revision": "HEAD"})", "a", "needs `file_path`"},
           {R"({"id": "a", "solution": 7, "challenge": "C"})", "a", "`solution` has the wrong type"},
           {R"({"id": "a", "solution": "S", "challenge": "C", "names": "x"})", "a", "`names` has"},
           {R"({"id": "a", "solution": "S", "challenge": "C", "names": [1]})", "a", "`names` has"},
           {R"({"id": "a", "solution": "S", "challenge": "C", "timeout_s": 0})", "a", "`timeout_s`"},
           {R"({"id": 1.5, "solution": "S", "challenge": "C"})", kPairPlace, "its id"}}) {
    const auto pair = read_pair(line, kPairPlace);
    REQUIRE_FALSE(pair);
    CHECK(pair.error().id == id);
    CHECK_THAT(pair.error().why, Catch::Matchers::StartsWith(kPairPlace) && Catch::Matchers::Contains(why));
  }
}

TEST_CASE("a verdict is one whole line", "[pair]") {
  JudgedPair pair = judged_pair("a\nb", "h", Outcome::Certified);
  pair.certificate.reason = "line\nline \xff";
  const std::string line = to_line(pair);
  CHECK(std::count(line.begin(), line.end(), '\n') == 1);
  CHECK(line.back() == '\n');
  const json value = json::parse(line);
  CHECK(value.at("id") == "a\nb");
  CHECK(value.at("verdict") == "certified");
  CHECK(value.at("sandbox") == "none");
  CHECK(value.at("asked_sha256") == "h");
  const json invalid = json::parse(to_line(InvalidPair{"b", PairProblem::Invalid, "why", std::nullopt, 4}));
  CHECK(invalid == json{{"id", "b"}, {"verdict", "invalid"}, {"reason", "why"}, {"line", 4}});
}

TEST_CASE("an earlier run answers exactly what it was asked", "[pair]") {
  EarlierVerdicts known;
  CHECK(known.add(to_line(judged_pair("good", "1", Outcome::Certified))));
  CHECK(known.add(to_line(judged_pair("bad", "2", Outcome::Refused))));
  CHECK(known.add(to_line(judged_pair("open", "3", Outcome::Incomplete))));
  CHECK(known.find("good", "1") == Outcome::Certified);
  CHECK(known.find("bad", "2") == Outcome::Refused);
  CHECK_FALSE(known.find("good", "2").has_value());  // its texts, or how they are judged, have changed
  CHECK_FALSE(known.find("open", "3").has_value());
  CHECK_FALSE(known.find("other", "1").has_value());
  // Later lines count.
  CHECK(known.add(to_line(judged_pair("good", "4", Outcome::Refused))));
  CHECK_FALSE(known.find("good", "1").has_value());
  CHECK(known.find("good", "4") == Outcome::Refused);
  CHECK(known.add(to_line(InvalidPair{"good", PairProblem::Invalid, "why", std::nullopt, 4})));
  CHECK_FALSE(known.find("good", "4").has_value());
  // Without a hash nothing is known to be the same.
  JudgedPair unhashed = judged_pair("head", "", Outcome::Certified);
  unhashed.asked_sha256.reset();
  CHECK(known.add(to_line(unhashed)));
  CHECK_FALSE(known.find("head", "").has_value());
  for (const char* const line :
       {"", "{", R"({"id": "a"})", R"({"id": "a", "verdict": "ok"})", R"({"verdict": "refused"})"})
    CHECK_FALSE(known.add(line));
}

TEST_CASE("counts of a batch, on a line", "[pair]") {
  PairCounts counts;
  CHECK(one_line_of(counts) == "0 judged");
  counts.add(Outcome::Certified);
  counts.add(Outcome::Certified);
  counts.add(Outcome::Refused);
  counts.add(Outcome::Incomplete);
  ++counts.invalid;
  CHECK(one_line_of(counts) == "5 judged: 2 certified, 1 refused, 1 incomplete, 1 invalid");
  ++counts.skipped;
  CHECK(one_line_of(counts) ==
        "4 judged, 1 known from before: 2 certified, 1 refused, 1 incomplete, 1 invalid");
  counts.add(Outcome::Refuted);
  counts.add(Outcome::Filled);
  CHECK(
      one_line_of(counts) ==
      "6 judged, 1 known from before: 2 certified, 1 refused, 1 incomplete, 1 refuted, 1 filled, 1 invalid");
}
