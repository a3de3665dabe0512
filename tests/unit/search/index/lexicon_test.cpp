#include "search/index/store/lexicon.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace leanbridge::index;

namespace {

// Addition and multiplication, each commutative and associative, in words and in names.
Lexicon taught() {
  Lexicon lexicon;
  for (int i = 0; i < 3; ++i) {
    lexicon.add({"addit", "commut"}, "add comm", "x add eq");
    lexicon.add({"multipl", "commut"}, "mul comm", "x mul eq");
    lexicon.add({"addit", "associ"}, "add assoc", "x add eq");
    lexicon.add({"multipl", "associ"}, "mul assoc", "x mul eq");
  }
  return lexicon;
}

double likelihood(const std::vector<Meaning>& meanings, std::string_view word, std::string_view part) {
  const auto found = std::find_if(meanings.begin(), meanings.end(), [&](const Meaning& meaning) {
    return meaning.word == word && meaning.part == part;
  });
  return found == meanings.end() ? 0 : found->likelihood;
}

SentenceLikelihood likelihood_of(const Terms& words, const std::vector<Meaning>& meanings) {
  return {words, [&](const std::string& word) {
            std::vector<Meaning> own;
            for (const Meaning& meaning : meanings)
              if (meaning.word == word) own.push_back(meaning);
            return own;
          }};
}

}  // namespace

TEST_CASE("a word goes with the part that it always stands beside", "[index][lexicon]") {
  const auto meanings = taught().learn();
  CHECK(likelihood(meanings, "commut", "comm") > 2 * likelihood(meanings, "addit", "comm"));
  CHECK(likelihood(meanings, "addit", "add") > 2 * likelihood(meanings, "commut", "add"));
  CHECK(likelihood(meanings, "addit", "mul") == 0);
}

TEST_CASE("how often a word is in any docstring is learnt, too", "[index][lexicon]") {
  CHECK(likelihood(taught().learn(), "commut", "") == 0.25);
}

TEST_CASE("what was seen once counts for less than what was seen often", "[index][lexicon]") {
  Lexicon lexicon = taught();
  lexicon.add({"zorn"}, "zorn", "");
  const auto meanings = lexicon.learn();
  CHECK(likelihood(meanings, "zorn", "zorn") < likelihood(meanings, "commut", "comm"));
}

TEST_CASE("variables and signs are no parts", "[index][lexicon]") {
  Lexicon lexicon;
  for (int i = 0; i < 5; ++i) lexicon.add({"commut"}, "comm", "x α =eq");
  for (const Meaning& meaning : lexicon.learn()) CHECK((meaning.part == "comm" || meaning.part.empty()));
}

TEST_CASE("the declaration that says all words, and little else, is the likeliest", "[index][lexicon]") {
  const auto meanings = taught().learn();
  const SentenceLikelihood sentence = likelihood_of({"addit", "commut"}, meanings);
  const double right = sentence.of("add comm", "add");
  CHECK(right > sentence.of("mul comm", "mul"));
  CHECK(right > sentence.of("add assoc", "add"));
  CHECK(right > sentence.of("comm", ""));
  CHECK(right > sentence.of("add comm of some other thing", "add"));
  CHECK(sentence.of("add", "comm") > sentence.of("add", "assoc"));
}

TEST_CASE("without anything learnt, the words themselves are sought", "[index][lexicon]") {
  const SentenceLikelihood sentence = likelihood_of({"comm"}, {});
  CHECK(sentence.of("add comm", "") > sentence.of("add assoc", ""));
  CHECK(sentence.of("", "") < sentence.of("add comm", ""));
}
