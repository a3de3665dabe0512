#include "core/ide/name_lookup.hpp"

#include <catch2/catch.hpp>

namespace leanbridge::ide {

TEST_CASE("a part of a name is completed as Lean spells it", "[ide][names]") {
  CHECK(word_to_complete("add_comm") == "add_comm");
  CHECK(word_to_complete("Nat.add_") == "Nat.add_");
  CHECK(word_to_complete("Nat.") == "Nat.");
  CHECK(word_to_complete("«a b».") == "«a b».");
  for (const std::string part : {"", ".", "n + m", "the theorem"}) {
    INFO(part);
    const auto word = word_to_complete(part);
    REQUIRE_FALSE(word);
    CHECK(word.error().message == "'" + part + "' is not part of a name.");
  }
}

}  // namespace leanbridge::ide
