#pragma once
/// Seeded random texts for property tests: every width of UTF-8, and line endings of all kinds.

#include <array>
#include <random>
#include <string>
#include <string_view>

namespace leanbridge::text::test {

class RandomText {
 public:
  explicit RandomText(unsigned seed) : engine_(seed) {}

  std::size_t below(std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(engine_);
  }

  std::string operator()(std::size_t max_pieces) {
    // Pairs that share lead bytes (é è, 𝓝 𝓞) make prefixes and suffixes end inside code points.
    static constexpr std::array<std::string_view, 14> kPieces{"a", "b", " ", "\n", "\r\n", "\r",     "é",
                                                              "è", "∀", "∃", "𝓝",  "𝓞",    "\u2028", "h'"};
    std::string text;
    for (std::size_t n = below(max_pieces + 1); n > 0; --n) text += kPieces[below(kPieces.size())];
    return text;
  }

 private:
  std::mt19937 engine_;
};

}  // namespace leanbridge::text::test
