#pragma once
/// The declaration of options, by the core and the parts: a flag, the variables that stand for it, its range
/// and its default are said once, and its help is made of them.

#include "core/base/enum_names.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
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

/// The value of an option without its flag: the first of the variables that is set, or else another one.
struct Fallback {
  std::vector<const char*> variables = {};
  std::string otherwise = {};  ///< in words
};

/// The help of an option: "HELP (default: VARIABLE, else 12)".
std::string with_fallback(const std::string& help, const Fallback& fallback);

/// An option whose value may also be in variables.
CLI::Option* add_text(CLI::App& app, const char* flags, std::string& value, const std::string& help,
                      const Fallback& fallback);
/// A protective switch that a variable may also turn on (is_on).
CLI::Option* add_switch(CLI::App& app, const char* flags, bool& value, const std::string& help,
                        const char* variable);

/// Sets the integer to the value of the variable. Warns about any other value and ignores it: a bad setting
/// of the host must not keep the server from starting.
void read_integer(const char* name, std::int64_t min, std::int64_t max, std::int64_t& number);

/// A number in a range. Its default is the present value, unless the fallback has words for it.
template <class Number>
CLI::Option* add_number(CLI::App& app, const char* flags, Number& value, Number min, Number max,
                        const std::string& help, Fallback fallback = {}) {
  if (fallback.otherwise.empty()) fallback.otherwise = fmt::format("{}", value);
  if constexpr (std::is_integral_v<Number>)
    for (auto name = fallback.variables.rbegin(); name != fallback.variables.rend(); ++name) {
      auto number = static_cast<std::int64_t>(value);
      read_integer(*name, static_cast<std::int64_t>(min), static_cast<std::int64_t>(max), number);
      value = static_cast<Number>(number);
    }
  return app.add_option(flags, value, with_fallback(help, fallback))->check(CLI::Range(min, max));
}

/// Upper bounds that several commands share.
inline constexpr int kMaxScratchWorkers = 64;
inline constexpr std::int64_t kMinWorkerMemory = 64, kMaxWorkerMemory = std::int64_t{1} << 24;  ///< MB

}  // namespace leanbridge::app
