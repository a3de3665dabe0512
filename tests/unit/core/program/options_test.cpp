// The declaration of an option: flag, variables, range, default and help in one place.
#include "core/program/option_readers.hpp"
#include "support/variable.hpp"
#include <catch2/catch.hpp>

namespace leanbridge::app {

namespace {

constexpr const char* kFirst = "LEANBRIDGE_TEST_FIRST";
constexpr const char* kSecond = "LEANBRIDGE_TEST_SECOND";

int most_with(const std::optional<std::string>& first, const std::optional<std::string>& second,
              const std::string& flag = "") {
  const test::Variable one(kFirst, first), two(kSecond, second);
  CLI::App app;
  int most = 3;
  const CLI::Option* option = add_number(app, "--most", most, 1, 10, "How many", {{kFirst, kSecond}});
  CHECK(option->get_description() ==
        "How many (default: LEANBRIDGE_TEST_FIRST, else LEANBRIDGE_TEST_SECOND, else 3)");
  app.parse(flag, false);
  return most;
}

}  // namespace

TEST_CASE("a flag counts before its variables, and they in their order") {
  CHECK(most_with(std::nullopt, std::nullopt) == 3);
  CHECK(most_with(std::nullopt, "5") == 5);
  CHECK(most_with("4", "5") == 4);
  CHECK(most_with("4", "5", "--most 6") == 6);
}

TEST_CASE("a variable has the range of its flag, and is ignored outside of it") {
  CHECK(most_with("11", "5") == 5);
  CHECK(most_with("0", "many") == 3);
  CHECK_THROWS_AS(most_with(std::nullopt, std::nullopt, "--most 11"), CLI::ValidationError);
}

TEST_CASE("texts and switches have variables, too") {
  const test::Variable one(kFirst, "on"), two(kSecond, "0");
  CLI::App app;
  std::string text = "before";
  bool is_on = false, is_off = true;
  add_text(app, "--text", text, "A text", {{kFirst}});
  CHECK(add_switch(app, "--first", is_on, "One", kFirst)->get_description() ==
        "One (default: LEANBRIDGE_TEST_FIRST)");
  add_switch(app, "--second", is_off, "Two", kSecond);
  CHECK(text == "on");
  CHECK(is_on);
  CHECK_FALSE(is_off);
}

}  // namespace leanbridge::app
