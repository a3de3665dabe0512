// The machine, as each system has it.

#include "core/platform/machine.hpp"

#include <catch2/catch.hpp>

#include <string>

namespace leanbridge {

TEST_CASE("the system gives up to 256 random bytes", "[platform]") {
  std::string some(256, '\0'), others(256, '\0');
  REQUIRE(platform::fill_with_random_bytes(some.data(), some.size()));
  REQUIRE(platform::fill_with_random_bytes(others.data(), others.size()));
  CHECK(some != others);
  CHECK(some.substr(224) != std::string(32, '\0'));
  std::string many(257, '\0');
  CHECK_FALSE(platform::fill_with_random_bytes(many.data(), many.size()));
}

TEST_CASE("this machine has at least a core", "[platform]") {
  CHECK(platform::read_capacity().cores >= 1);
  CHECK(platform::read_capacity().free_bytes >= 0);
}

}  // namespace leanbridge
