// What an incomplete verdict says about how to complete it.

#include "certify/verdict/conclude.hpp"
#include <catch2/catch.hpp>

using namespace leanbridge::certify;

TEST_CASE("one command completes all that is missing", "[completion]") {
  const std::vector<std::string> command = {"leanbridge", "certify", "--git", "HEAD", "A file.lean"};
  const Missing kernel{"no kernel", "Install one.", "--kernel k", "--without-replay"};
  const Missing packages{"packages are not compared", "Look at them.", "--trust-packages", ""};
  CHECK(what_is_missing({kernel, packages}) == "no kernel; packages are not compared");
  CHECK(how_to_complete({kernel, packages}, command) ==
        "Install one.\nLook at them.\n"
        "Run: leanbridge certify --git HEAD 'A file.lean' --kernel k --trust-packages\n"
        "Or trust that the compiler called its kernel: "
        "leanbridge certify --git HEAD 'A file.lean' --without-replay --trust-packages");
  CHECK(how_to_complete({{"x", "Use another toolchain.", "", ""}}, command) == "Use another toolchain.");
}
