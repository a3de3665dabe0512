#pragma once
/// Explains what is wrong with a command line that cannot be read, and suggests words that may be meant.

#include <CLI/App.hpp>

#include <string>
#include <vector>

namespace leanbridge::app {

/// The message after app.parse() has thrown `error` about `words`: a line for each word that was not
/// understood, in the order they were typed, or for any other fault; then advice. Ends with a line ending.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error,
                          const std::vector<std::string>& words);

/// The command that was being parsed when parsing ended.
const CLI::App& innermost_command(const CLI::App& app);

}  // namespace leanbridge::app
