// Which declarations have become dearer.

#include "certify/command/diff.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::app {

TEST_CASE("only what was there before can become dearer, and by more than the limit", "[diff]") {
  const auto found = compare_costs("A.lean", {{"same", {1, 10}}, {"more", {2, 10}}, {"gone", {3, 10}}},
                                   {{"same", {1, 10.5}}, {"more", {2, 13}}, {"new", {4, 1000}}});
  REQUIRE(found.size() == 3);
  CHECK(found[0].name == "more");
  CHECK(found[1].name == "gone");
  CHECK_FALSE(found[1].after);
  CHECK(found[2].name == "new");
  CHECK_FALSE(found[2].before);
  CostReport report{20, found, {}};
  CHECK(report.is_dearer(found[0]));
  CHECK_FALSE(report.is_dearer(found[1]));
  CHECK_FALSE(report.is_dearer(found[2]));
  CHECK(report.any_dearer());
  report.limit = 30;
  CHECK_FALSE(report.any_dearer());
  report.limit = 0;
  CHECK_FALSE(report.is_dearer({"A.lean", "tiny", 1, 0.5, 1.4}));
}

}  // namespace leanbridge::app
