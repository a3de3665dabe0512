#include "similar.hpp"

#include "ascii.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace leanbridge {

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (a.size() < b.size()) std::swap(a, b);
  if (a.size() - b.size() > limit) return limit + 1;
  // Three rows of the table of distances between prefixes of the words.
  std::vector<std::size_t> before, previous(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    std::size_t best = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
      row[j] = std::min({previous[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
      best = std::min(best, row[j]);
    }
    if (best > limit) return limit + 1;
    before = std::exchange(previous, row);
  }
  return std::min(previous.back(), limit + 1);
}

namespace {

constexpr std::size_t kMaxCompared = 200;  // bytes; longer texts are no names

// The words of `known` for which `rank` returns something, lowest first; equal ones stay in their order.
template <class Rank>
std::vector<std::string> ranked(const std::vector<std::string>& known, std::size_t count, Rank rank) {
  std::vector<std::pair<std::size_t, const std::string*>> found;
  for (const std::string& each : known)
    if (each.size() <= kMaxCompared)
      if (const std::optional<std::size_t> place = rank(each)) found.emplace_back(*place, &each);
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> words;
  for (const auto& [place, each] : found)
    if (words.size() < count && std::ranges::find(words, *each) == words.end()) words.push_back(*each);
  return words;
}

std::string_view last_part(std::string_view name, char separator) {
  const std::size_t dot = name.rfind(separator);
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

// The words between dots, slashes and underscores, sorted.
std::vector<std::string> sorted_words(const std::string& name) {
  std::vector<std::string> words(1);
  for (const char c : name)
    if (c == '.' || c == '/' || c == '_')
      words.emplace_back();
    else
      words.back() += c;
  std::ranges::sort(words);
  return words;
}

}  // namespace

std::vector<std::string> closest_words(std::string_view word, const std::vector<std::string>& known,
                                       std::size_t count) {
  if (word.empty() || word.size() > kMaxCompared) return {};
  const std::string wanted = lower_case(word);
  const std::size_t limit = std::max<std::size_t>(1, wanted.size() / 4);
  return ranked(known, count, [&](const std::string& each) -> std::optional<std::size_t> {
    const std::string other = lower_case(each);
    const std::size_t distance = edit_distance(wanted, other, limit);
    if (distance <= limit) return distance;
    const bool is_shorter = wanted.size() < other.size();
    const std::string &shorter = is_shorter ? wanted : other, &longer = is_shorter ? other : wanted;
    if (shorter.size() >= 4 && longer.find(shorter) != std::string::npos)
      return limit + 1 + longer.size() - shorter.size();
    return std::nullopt;
  });
}

std::vector<std::string> closest_names(std::string_view name, const std::vector<std::string>& known,
                                       std::size_t count, char separator) {
  constexpr std::size_t kTier = 1000;  // larger than any distance
  if (name.empty() || name.size() > kMaxCompared) return {};
  const std::string wanted = lower_case(name);
  const std::vector<std::string> words = sorted_words(wanted);
  const std::size_t limit = std::max<std::size_t>(1, wanted.size() / 5);
  return ranked(known, count, [&](const std::string& each) -> std::optional<std::size_t> {
    const std::string other = lower_case(each);
    if (each == name) return std::nullopt;  // `name` itself is known to be wrong
    if (other.ends_with(separator + wanted)) return other.size() - wanted.size();
    const std::size_t distance = edit_distance(wanted, other, limit);
    if (distance <= limit) return kTier + distance;
    if (last_part(other, separator) == last_part(wanted, separator)) return 2 * kTier + other.size();
    if (wanted.find(separator) == std::string::npos)
      if (const auto last = edit_distance(wanted, last_part(other, separator), limit); last <= limit)
        return 3 * kTier + last;
    if (sorted_words(other) == words) return 4 * kTier;
    return std::nullopt;
  });
}

std::string either_of(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

std::string did_you_mean(const std::vector<std::string>& words) {
  return words.empty() ? std::string() : "Did you mean " + either_of(words) + "?";
}

}  // namespace leanbridge
