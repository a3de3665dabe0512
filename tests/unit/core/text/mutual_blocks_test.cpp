#include "core/text/mutual_blocks.hpp"

#include <catch2/catch.hpp>

using namespace leanbridge::text;

static const std::string kMutual =
    "theorem above : True := trivial\n\nmutual\ntheorem even : True := by\n  trivial\ntheorem odd : True := "
    "by\n"
    "  trivial\nend\n\ntheorem below : True := trivial\n";

static std::string rest_at(const std::string& source, const std::string& word) {
  const std::size_t at = source.find(word);
  REQUIRE(at != std::string::npos);
  return rest_of_block(source, at);
}

TEST_CASE("a text that is cut in a mutual block needs the rest of the block", "[mutual_blocks]") {
  CHECK(rest_at(kMutual, "above") == "");
  CHECK(rest_at(kMutual, "below") == "");
  CHECK(rest_at(kMutual, "even") == "\ntheorem odd : True := by\n  trivial\nend\n");
  CHECK(rest_at(kMutual, "odd") == "\nend\n");
}

TEST_CASE("a mutual block without its end reaches to the end of the text", "[mutual_blocks]") {
  const std::string open = kMutual.substr(0, kMutual.find("end\n"));
  CHECK(mutual_blocks(open).back().end == open.size());
  CHECK(rest_at(open, "odd") == "\n\nend\n");
}

TEST_CASE("no block: the word in a comment, a string, a name", "[mutual_blocks]") {
  CHECK(mutual_blocks("-- mutual\ndef a := \"mutual\"\ndef mutual' := 1\ndef x.mutual := 1\n").empty());
  CHECK(mutual_blocks(kMutual).size() == 1);
  const MutualBlock block = mutual_blocks(kMutual).front();
  CHECK(kMutual.substr(block.begin, 6) == "mutual");
  CHECK(kMutual.substr(block.last_end, block.end - block.last_end) == "end");
}
