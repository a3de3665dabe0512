#include "core/rpc/outline.hpp"

#include <catch2/catch.hpp>

namespace leanbridge::rpc {

TEST_CASE("The outline of a message is its own id and method, not those of what it holds", "[rpc]") {
  const auto only = [](const std::string& line) {
    const auto outlines = outlines_of(line);
    REQUIRE(outlines.size() == 1);
    return outlines.front();
  };
  const auto nested = only(R"({"params":{"id":1,"method":"a","x":[{"id":2}]},"id":"b","method":"c"})");
  CHECK(nested.id == Id("b"));
  CHECK(nested.method == "c");
  CHECK(only(R"({"id":7,"result":{"id":8,"method":"x"}})").method.empty());
  CHECK(only(R"({"id":7,"result":[]})").id == Id(7));
  CHECK(only(R"({"id":-7})").id == Id(-7));
  CHECK(only(R"({"id":18446744073709551615})").id == Id(18446744073709551615ULL));
  CHECK(only(R"({"id":1.5})").id == Id(1.5));
  CHECK(!only(R"({"id":null,"method":"m"})").id);
  CHECK(!only(R"({"id":{"id":1},"method":"m"})").id);
  CHECK(only("{\"\\u0069d\":3}").id == Id(3));
  CHECK(only(R"({"id":1,"id":2})").id == Id(2));
  CHECK(!only(R"({"id":1,"id":null})").id);
  CHECK(outlines_of("not json").empty());
  CHECK(outlines_of("{\"id\":1").empty());
  CHECK(outlines_of("17").empty());
}

TEST_CASE("A batch has the outlines of its messages", "[rpc]") {
  const auto outlines =
      outlines_of(R"([{"id":1,"method":"a"},3,{"method":"b","params":[{"id":9}]},{"id":2}])");
  REQUIRE(outlines.size() == 3);
  CHECK(outlines[0].id == Id(1));
  CHECK(outlines[1].method == "b");
  CHECK(!outlines[1].id);
  CHECK(outlines[2].id == Id(2));
}

}  // namespace leanbridge::rpc
