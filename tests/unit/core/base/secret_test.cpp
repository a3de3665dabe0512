#include "core/base/secret.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <string>

namespace leanbridge {

namespace {

/// The least time of several comparisons.
std::chrono::nanoseconds time_of_comparison(const std::string& left, const std::string& right) {
  auto least = std::chrono::nanoseconds::max();
  for (int i = 0; i < 15; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    CHECK_FALSE(equal_secrets(left, right));
    least = std::min<std::chrono::nanoseconds>(least, std::chrono::steady_clock::now() - begin);
  }
  return least;
}

}  // namespace

TEST_CASE("Secrets are equal byte for byte", "[base][secret]") {
  CHECK(equal_secrets("abc", "abc"));
  CHECK_FALSE(equal_secrets("abc", "abd"));
  CHECK_FALSE(equal_secrets("abc", "ab"));
  CHECK_FALSE(equal_secrets("", "a"));
}

// A comparison that stops at the first difference takes nanoseconds for one and milliseconds for the other.
TEST_CASE("The time of a comparison does not tell where two secrets differ", "[base][secret]") {
  const std::string secret(4u << 20, 'a');
  std::string first = secret, last = secret;
  first.front() = last.back() = 'b';
  CHECK(time_of_comparison(secret, first) * 4 > time_of_comparison(secret, last));
}

}  // namespace leanbridge
