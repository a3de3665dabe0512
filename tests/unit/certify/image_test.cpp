#include "modules.hpp"

using namespace leanbridge;
using Catch::Matchers::Contains;
using test::ModuleMaker;

namespace {

constexpr std::size_t kFirstObject = 96;  // in a file with words of 8 bytes and a header of version 2

std::string sample_image() {
  ModuleMaker m;
  m.definition("value", m.constant("Nat"), m.w.big_natural({1, 2}));
  m.theorem("goal", m.w.app(m.constant("Holds"), {m.constant("value")}), m.constant("propext"));
  return m.bytes();
}

std::string image_problem(const std::string& bytes) {
  const std::string_view part = bytes;
  const auto checked = certify::check_image(std::span(&part, 1));
  return checked ? "" : checked.error().message;
}

}  // namespace

TEST_CASE("an image as Lean writes it is accepted") {
  CHECK(image_problem(sample_image()).empty());
}

TEST_CASE("an image with a gap, or cut off, is refused") {
  std::string bytes = sample_image();
  CHECK_FALSE(image_problem(bytes.substr(0, bytes.size() - 8)).empty());
  CHECK_THAT(image_problem(bytes + std::string(8, '\xFF')), Contains("not laid out as Lean writes it"));
  CHECK_THAT(image_problem(bytes + std::string(8, '\0')), Contains("not laid out as Lean writes it"));
}

TEST_CASE("a reference into the middle of an object, or forwards, is refused") {
  const std::string whole = sample_image();
  // Move each reference by one word: none may lead into an object.
  std::size_t changed = 0;
  for (std::size_t at = kFirstObject; at + 8 <= whole.size(); at += 8) {
    std::uint64_t word = 0;
    for (unsigned i = 0; i < 8; ++i)
      word |= std::uint64_t{static_cast<unsigned char>(whole[at + i])} << (8 * i);
    if (word % 8 != 0 || word < 0x40000000 || word >= 0x40000000 + whole.size()) continue;
    for (const std::uint64_t other : {word + 8, std::uint64_t{0x40000000} + at - 8}) {
      std::string bytes = whole;
      for (unsigned i = 0; i < 8; ++i) bytes[at + i] = static_cast<char>(other >> (8 * i));
      const std::string problem = image_problem(bytes);
      // The word behind a reference may begin another object, which Lean would read in the same way.
      if (problem.empty()) continue;
      CHECK_THAT(problem, Contains("reference") || Contains("digits") || Contains("not laid out"));
      ++changed;
    }
  }
  CHECK(changed > 20);
}

TEST_CASE("a string without its NUL, and an object of an unknown kind") {
  const std::string whole = sample_image();
  const std::size_t text = whole.find("propext");
  REQUIRE(text != std::string::npos);
  std::string bytes = whole;
  bytes[text + 7] = 'x';
  CHECK_THAT(image_problem(bytes), Contains("NUL"));
  bytes = whole;
  bytes[text - 32 + 7] = '\xFE';  // the tag of the string's header: 8 bytes, then three words
  CHECK_THAT(image_problem(bytes), Contains("unknown kind"));
}

TEST_CASE("not an image at all") {
  CHECK_FALSE(image_problem("").empty());
  CHECK_FALSE(image_problem("olean").empty());
  CHECK_FALSE(image_problem(std::string(200, 'x')).empty());
}
