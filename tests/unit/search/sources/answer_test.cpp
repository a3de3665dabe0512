// What is asked of a search, and what its answer shows.

#include "search/sources/answer.hpp"

#include <catch2/catch.hpp>

namespace leanbridge::search {

namespace {

std::string why(SearchQuestion asked, std::optional<AskedGoal> goal = {}) {
  const auto requests = requests_for(std::move(asked), std::move(goal), "");
  return requests ? "" : requests.error().message;
}

SourceReport report_with(std::string source, std::string note, std::vector<std::string> suggestions = {}) {
  SourceReport report;
  report.source = std::move(source);
  report.note = std::move(note);
  report.suggestions = std::move(suggestions);
  return report;
}

}  // namespace

TEST_CASE("what is asked becomes one request for each phrasing", "[search]") {
  SearchQuestion asked;
  CHECK(why(asked) == "The query is empty.");
  asked.queries = {"Nat.add_comm", "", "addition commutes"};
  asked.packages = {"Mathlib"};
  const auto phrasings = requests_for(asked, std::nullopt, "/p");
  REQUIRE(phrasings);
  REQUIRE(phrasings->size() == 2);  // the first of them is the query, and one is empty
  CHECK(phrasings->front().query.text == "Nat.add_comm");
  CHECK(phrasings->back().query.text == "addition commutes");
  CHECK(phrasings->back().packages == asked.packages);
  CHECK(phrasings->back().project == "/p");
  CHECK(phrasings->back().limit == 8);
  asked.query = "x";
  asked.queries.assign(8, "y");
  CHECK(why(asked) == "There are 8 queries beside the first.");
  asked.queries.clear();
  asked.type_pattern = "?a";
  CHECK(why(asked) == "The type_pattern contains no constant or operator.");
}

TEST_CASE("a goal and a pattern make a request more exact", "[search]") {
  SearchQuestion asked;
  asked.queries = {"commutes"};
  const AskedGoal goal{"n : Nat\n⊢ n + 0 = n", {"mine"}};
  const auto at_goal = requests_for(asked, goal, "");
  REQUIRE(at_goal);
  REQUIRE(at_goal->size() == 2);
  CHECK(at_goal->front().query.kind == QueryKind::Goal);
  CHECK_FALSE(at_goal->front().goal.empty());
  CHECK(at_goal->back().goal.empty());
  for (const SearchRequest& request : *at_goal) CHECK(request.excluded == goal.not_before);
  asked.query = "add";
  asked.type_pattern = "?a + ?b = ?b + ?a";
  const auto pattern = requests_for(asked, goal, "");
  REQUIRE(pattern);
  CHECK(pattern->front().query.text == "add");
  CHECK(pattern->front().query.type_filters);
  CHECK_FALSE(pattern->back().query.type_filters);
}

TEST_CASE("an answer tells each note and each suggestion once, and what was left out", "[search]") {
  SearchAnswer answer;
  answer.total = 9;
  answer.results.resize(2);
  answer.sources = {report_with(kLocal, "Incomplete.", {"a", "b"}), report_with(kLocal, "Incomplete."),
                    report_with(kProofSearch, "exact rfl"),
                    report_with("loogle", "not shown", {"b", "c", "d", "e", "f"})};
  const ShownAnswer all = shown(answer, "", 0);
  CHECK(all.note == "Incomplete.");
  CHECK(all.try_this == "exact rfl");
  CHECK(all.suggestions == std::vector<std::string>{"a", "b", "c", "d", "e"});
  CHECK(all.total == 9);
  CHECK(all.truncated);
  const ShownAnswer fewer = shown(answer, "", 7);
  CHECK(fewer.note == "Incomplete. 7 hits that Lean cannot use here: left out.");
  CHECK_FALSE(fewer.truncated);
  CHECK_FALSE(shown({}, "", 0).note.has_value());
}

TEST_CASE("a theorem in an answer has what is known of it", "[search]") {
  SearchAnswer answer;
  Theorem& theorem = answer.results.emplace_back();
  theorem.name = "A.b";
  theorem.file = "/p/A.lean";
  theorem.line = 3;
  theorem.ranks = {{"local", 1}, {"loogle", 4}};
  theorem.confidence = 0.12345;
  theorem.kind = "theorem";
  answer.results.emplace_back().name = "C";
  const ShownAnswer answered = shown(answer, "/p", 0);
  CHECK(wire::write(answered.results[0]) ==
        nlohmann::json({{"name", "A.b"},
                        {"type", nullptr},
                        {"module", nullptr},
                        {"kind", "theorem"},
                        {"location", {{"file_path", "A.lean"}, {"line", 3}}},
                        {"sources", {"local", "loogle"}},
                        {"confidence", 0.123}}));
  CHECK(wire::write(answered.results[1])["location"].is_null());
  CHECK(wire::write(answered.results[0], wire::Detail::Brief) == nlohmann::json({{"name", "A.b"}}));
}

}  // namespace leanbridge::search
