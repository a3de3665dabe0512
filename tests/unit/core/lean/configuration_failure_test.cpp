#include "core/lean/configuration_failure.hpp"

#include "core/io/back_off.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::lean {

using Of = ConfigurationFailure::Of;

TEST_CASE("what Lake said when it could not load the project is found in the error of a file", "[lean]") {
  const std::string command = "`/t/bin/lake setup-file /p/A.lean -` failed:\n\nstderr:\n";
  SECTION("when the server started: it repeats the log of its start") {
    const auto failure = read_configuration_failure(
        command +
        "info: core: cloning https://example.org/core\nerror: external command 'git' exited with code 128\n"
        "Failed to configure the Lake workspace. Please restart the server after fixing the error above.\n");
    REQUIRE(failure);
    CHECK(failure->of == Of::Server);
    CHECK(failure->said == "error: external command 'git' exited with code 128");
  }
  SECTION("when the file was opened, in the words of each version") {
    for (const std::string_view words : {"error: no network\nFailed to load the Lake workspace.\n",
                                         "error: no network\nerror: failed to load workspace\n"}) {
      const auto failure = read_configuration_failure(command + std::string(words));
      REQUIRE(failure);
      CHECK(failure->of == Of::File);
      CHECK(failure->said == "error: no network");
    }
  }
  SECTION("without an error in the log") {
    const auto failure =
        read_configuration_failure(command + "Failed to configure the Lake workspace. Please");
    REQUIRE(failure);
    CHECK(failure->said.empty());
  }
  SECTION("a log without an end is cut") {
    const auto failure = read_configuration_failure(command + "error: " + std::string(100'000, 'x') +
                                                    "\nFailed to configure the Lake workspace.");
    REQUIRE(failure);
    CHECK(failure->said.size() < 2000);
  }
  SECTION("other errors of a header are none") {
    for (const std::string_view other :
         {"unknown module prefix 'Nowhere'",
          "error: A.lean:1:2: unexpected token\nFailed to build module dependencies."})
      CHECK_FALSE(read_configuration_failure(command + std::string(other)));
  }
}

TEST_CASE("the first attempt after a failure may follow at once, and the next ones not", "[io]") {
  using std::chrono::hours;
  io::BackOff retries{hours(2), hours(5)};
  CHECK(retries.over());
  retries.failed();
  CHECK(retries.over());
  retries.failed();
  CHECK_FALSE(retries.over());
  CHECK(retries.left() <= hours(2));
  retries.failed();
  CHECK(retries.left() > hours(3));
  for (int i = 0; i < 100; ++i) retries.failed();
  CHECK(retries.left() > hours(4));
  CHECK(retries.left() <= hours(5));
  retries.reset();
  CHECK(retries.over());
  retries.failed();
  CHECK(retries.over());
}

}  // namespace leanbridge::lean
