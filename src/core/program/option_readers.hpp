#pragma once
/// Functions with which the core and the parts read flags and variables.

#include "core/base/enum_names.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace leanbridge::app {

/// The value of an environment variable; empty if it is not set. Hosts pass `${NAME}` literally for a
/// variable that is not set.
std::string variable(const char* name);

/// Whether a protective switch is on: always, unless its value is a word that turns it off.
bool is_on(const std::string& value);

template <class Enum>
std::vector<std::string> enum_words() {
  std::vector<std::string> words;
  for (const auto& [value, word] : names_of(Enum())) words.emplace_back(word);
  return words;
}

template <class Enum>
std::optional<Enum> value_named(const std::string& word) {
  for (const auto& [value, name] : names_of(Enum()))
    if (word == name) return value;
  return std::nullopt;
}

/// Upper bounds that several commands share.
inline constexpr int kMaxScratchWorkers = 64;
inline constexpr std::int64_t kMinWorkerMemory = 64, kMaxWorkerMemory = std::int64_t{1} << 24;  ///< MB

}  // namespace leanbridge::app
