#include "core/rpc/message.hpp"
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <unordered_set>

namespace leanbridge::rpc {

TEST_CASE("an id keeps its JSON type", "[rpc]") {
  for (const char* text : {"0", "1", "-7", "9223372036854775807", "18446744073709551615", "1.5", "0.0",
                           R"("0")", R"("")", R"("register_lean_watcher")"}) {
    CAPTURE(text);
    const auto id = Id::from_json(nlohmann::json::parse(text));
    REQUIRE(id.has_value());
    CHECK(id->to_json().dump() == text);
    CHECK(id->to_string() == text);
    CHECK(Id::from_json(id->to_json()) == id);
  }
}

TEST_CASE("null and structured values are no ids", "[rpc]") {
  for (const char* text : {"null", "true", "[]", "{}", "[1]"}) {
    CAPTURE(text);
    CHECK_FALSE(Id::from_json(nlohmann::json::parse(text)).has_value());
  }
}

TEST_CASE("ids are equal by type and value, whatever C++ type they came from", "[rpc]") {
  CHECK(Id(1) == Id(std::uint64_t{1}));
  CHECK(Id(1) == Id::from_json(nlohmann::json::parse("1")));
  CHECK_FALSE(Id(0) == Id("0"));
  CHECK_FALSE(Id(0) == Id(0.0));
  CHECK_FALSE(Id(-1) == Id(std::uint64_t{18446744073709551615U}));
  const std::unordered_set<Id> set{Id(0), Id("0"), Id(0.0), Id(std::uint64_t{0}), Id(-1)};
  CHECK(set.size() == 4);
  CHECK(set.contains(Id("0")));
}

}  // namespace leanbridge::rpc
