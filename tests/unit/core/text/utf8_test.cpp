#include "core/text/utf8.hpp"

#include <catch2/catch.hpp>

namespace leanbridge::text {

TEST_CASE("first_invalid_byte finds the first ill-formed sequence", "[text]") {
  CHECK(first_invalid_byte("") == std::nullopt);
  CHECK(first_invalid_byte("theorem foo : 1 = 1") == std::nullopt);
  CHECK(first_invalid_byte("∀ x ∈ 𝓝 a, é") == std::nullopt);
  CHECK(first_invalid_byte("ab\xFF") == 2U);
  CHECK(first_invalid_byte("twelve ascii\x80") == 12U);
  CHECK(first_invalid_byte("é\xC3") == 2U);             // truncated at the end
  CHECK(first_invalid_byte("a\xE2\x88(") == 1U);        // truncated in the middle
  CHECK(first_invalid_byte("a\xED\xA0\x80") == 1U);     // a surrogate
  CHECK(first_invalid_byte("a\xC0\xAF") == 1U);         // overlong
  CHECK(first_invalid_byte("\xF4\x90\x80\x80") == 0U);  // above U+10FFFF
}

TEST_CASE("replace_invalid keeps what is valid", "[text]") {
  CHECK(replace_invalid("∀ x") == "∀ x");
  CHECK(replace_invalid("a\xFF"
                        "b") ==
        "a\uFFFD"
        "b");
  CHECK(replace_invalid("a\xE2\x88") == "a\uFFFD");
  CHECK_FALSE(first_invalid_byte(replace_invalid("\x80\xFF∀\xC0\xAF\xED\xA0\x80\xF0\x9F")).has_value());
}

TEST_CASE("of a replacement that Lean shows in one line, the new text is kept", "[text]") {
  CHECK(without_struck_letters("") == "");
  CHECK(without_struck_letters("a ≤ b") == "a ≤ b");
  CHECK(without_struck_letters("d\u0335≤\u0335t\u0332w\u0332o_plus") == "two_plus");
  CHECK(without_struck_letters("\u0335a\u0332\u0332") == "a");
  CHECK(without_struck_letters("\xCC") == "\xCC");
}

TEST_CASE("counts of code points and UTF-16 units", "[text]") {
  CHECK(count_code_points("") == 0);
  CHECK(count_code_points("a∀é𝓝") == 4);
  CHECK(count_utf16_units("a∀é𝓝") == 5);
  CHECK(count_utf16_units(std::string(1000, 'x')) == 1000);
  CHECK(count_utf16_units("😀😀") == 4);
}

TEST_CASE("from a count back to a byte offset", "[text]") {
  const std::string text = "ab∀𝓝c";  // offsets: a0 b1 ∀2 𝓝5 c9
  CHECK(byte_of_code_point(text, 0) == 0);
  CHECK(byte_of_code_point(text, 2) == 2);
  CHECK(byte_of_code_point(text, 3) == 5);
  CHECK(byte_of_code_point(text, 4) == 9);
  CHECK(byte_of_code_point(text, 5) == 10);
  CHECK(byte_of_code_point(text, 99) == 10);
  CHECK(byte_of_utf16_unit(text, 3) == 5);
  CHECK(byte_of_utf16_unit(text, 4) == 5);  // between the two halves
  CHECK(byte_of_utf16_unit(text, 5) == 9);
  CHECK(byte_of_utf16_unit(text, 6) == 10);
  CHECK(byte_of_utf16_unit(text, 99) == 10);
  CHECK(byte_of_utf16_unit("long ascii line", 7) == 7);
  CHECK(byte_of_utf16_unit("", 1) == 0);
}

TEST_CASE("code_point_start moves back to a first byte", "[text]") {
  CHECK(code_point_start("a∀b", 1) == 1);
  CHECK(code_point_start("a∀b", 3) == 1);
  CHECK(code_point_start("a∀b", 4) == 4);
  CHECK(code_point_start("a∀b", 5) == 5);
  CHECK(code_point_start("a∀b", 50) == 5);
}

TEST_CASE("beginning_of cuts between code points", "[text]") {
  CHECK(beginning_of("", 3).empty());
  CHECK(beginning_of("abc", 3) == "abc");
  CHECK(beginning_of("abc", 2) == "ab");
  CHECK(beginning_of("a₁b", 3) == "a");
  CHECK(beginning_of("a₁b", 4) == "a₁");
  CHECK(beginning_of("🙂", 3).empty());
  CHECK(beginning_of("\xff\xff", 1) == "\xff");
}

}  // namespace leanbridge::text
