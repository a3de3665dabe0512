#include "place_word.hpp"

#include "core/base/ascii.hpp"

#include <charconv>
#include <filesystem>
#include <utility>

namespace leanbridge::app {

std::optional<int> place_number(std::string_view text) {
  constexpr int kMax = 1'000'000'000;
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole && number >= 1 && number <= kMax ? std::optional(number) : std::nullopt;
}

PlaceWord read_place_word(const std::string& word) {
  std::error_code ignored;
  PlaceWord place{word, std::nullopt, std::nullopt, ""};
  for (int i = 0; i < 2 && !std::filesystem::exists(place.file, ignored); ++i) {
    const std::size_t colon = place.file.rfind(':');
    const std::string digits = colon == std::string::npos ? "" : place.file.substr(colon + 1);
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos) break;
    const auto number = place_number(digits);
    if (!number) return {word, {}, {}, "There is no line or column " + without_long_numbers(digits) + "."};
    place.column = std::exchange(place.line, number);
    place.file.resize(colon);
  }
  return place;
}

}  // namespace leanbridge::app
