#include "place_word.hpp"

#include <charconv>
#include <filesystem>
#include <vector>

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
  std::string file = word;
  std::vector<int> numbers;
  while (numbers.size() < 2 && !std::filesystem::exists(file, ignored)) {
    const std::size_t colon = file.rfind(':');
    const auto number =
        colon == std::string::npos ? std::nullopt : place_number(std::string_view(file).substr(colon + 1));
    if (!number) break;
    numbers.insert(numbers.begin(), *number);
    file.resize(colon);
  }
  PlaceWord place{std::move(file), std::nullopt, std::nullopt};
  if (!numbers.empty()) place.line = numbers[0];
  if (numbers.size() > 1) place.column = numbers[1];
  return place;
}

}  // namespace leanbridge::app
