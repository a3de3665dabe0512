#include "search/sources/engine.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::search {

namespace {

SearchAnswer found(const std::vector<std::string>& names) {
  SearchAnswer answer;
  for (const std::string& name : names) {
    Theorem theorem;
    theorem.name = name;
    answer.results.push_back(theorem);
  }
  answer.total = names.size();
  return answer;
}

std::vector<std::string> result_names(const SearchAnswer& answer) {
  std::vector<std::string> names;
  for (const Theorem& theorem : answer.results) names.push_back(theorem.name);
  return names;
}

}  // namespace

TEST_CASE("what several phrasings find comes before what one finds", "[search]") {
  const SearchAnswer answer = merged({found({"one", "both", "x"}), found({"other", "both"})}, 10);
  CHECK(result_names(answer) == std::vector<std::string>{"both", "one", "other", "x"});
  CHECK(answer.results[0].found_by == std::vector<std::size_t>{1, 2});
  CHECK(answer.results[2].found_by == std::vector<std::size_t>{2});
  CHECK(answer.total == 4);
  CHECK(result_names(merged({found({"one", "both", "x"}), found({"other", "both"})}, 1)) ==
        std::vector<std::string>{"both"});
}

TEST_CASE("far down in two phrasings is less than first in one", "[search]") {
  CHECK(result_names(merged({found({"first", "a", "b", "low"}), found({"c", "d", "e", "low"})}, 2)) ==
        std::vector<std::string>{"first", "c"});
}

TEST_CASE("what closes the goal stays first", "[search]") {
  SearchAnswer one = found({"x", "closing"});
  one.results[1].closes_goal = true;
  CHECK(result_names(merged({one, found({"x"})}, 3)).front() == "closing");
  CHECK(merged({}, 3).results.empty());
}

}  // namespace leanbridge::search
